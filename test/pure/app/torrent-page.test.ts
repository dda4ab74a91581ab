import { describe, test } from 'vitest'
import { shownPage, torrentPage } from '../../../workers/app/core/torrent-page.ts'
import type { SiteKind } from '../../../workers/app/core/vocabulary.ts'
import { pageAddressCharactersMax } from '../../../workers/app/limits.ts'

describe('where a site shows a torrent', () => {
  test.for([
    ['nexusphp', 'https://a.example', '7', 'https://a.example/details.php?id=7'],
    ['nexusphp', 'https://a.example/sub', '7', 'https://a.example/sub/details.php?id=7'],
    ['unit3d', 'https://a.example', '7', 'https://a.example/torrents/7'],
    ['gazelle', 'https://a.example', '7', 'https://a.example/torrents.php?torrentid=7'],
    ['mteam', 'https://api.a.example/api', '7', 'https://kp.a.example/detail/7'],
    ['mteam', 'http://127.0.0.1:8080/mteam', '7', 'http://127.0.0.1:8080/detail/7'],
    ['torznab', 'https://a.example', '7', undefined],
    ['cardigann', 'https://a.example', '7', undefined],
    ['nexusphp', 'https://a.example', '7/../../x', undefined],
    ['nexusphp', 'https://a.example', '1234567890123456789', undefined],
  ] as const)('of kind %s at %s, number %s: %s', ([kind, baseUrl, torrentId, page], { expect }) => {
    expect(torrentPage({ kind: kind as SiteKind, baseUrl }, { torrentId })).toBe(page)
  })

  test('is the page that the site itself gave, where it gave one', ({ expect }) => {
    const hit = { torrentId: '7', pageUrl: 'https://b.example/t/7' }
    expect(torrentPage({ kind: 'torznab', baseUrl: 'https://a.example' }, hit)).toBe(hit.pageUrl)
  })

  test.for([
    'https://a.example/details.php?id=7',
    'http://a.example/torrent/The-Salt-Road-S02E06-2160p-WEB-DL/7',
    'https://a.example/t/7?cat=tv&keywords=salt',
    'https://a.example/t/%E7%9B%90%E8%B7%AF/7',
  ])('leaves as it is: %s', (address, { expect }) => {
    expect(shownPage(address, ['CanaryKey'], pageAddressCharactersMax)).toBe(address)
  })

  test('leaves without the part behind the hash', ({ expect }) => {
    expect(shownPage('https://a.example/details.php?id=7#startcomments', [], pageAddressCharactersMax)).toBe(
      'https://a.example/details.php?id=7',
    )
  })

  test.for([
    ['no address', 'not an address'],
    ['a row name', '1234'],
    ['another protocol', 'javascript:alert(1)'],
    ['a magnet link', 'magnet:?xt=urn:btih:aa'],
    ['a user and a password', 'https://me:word@a.example/t/7'],
    ['a key by its name', 'https://a.example/download?id=7&passkey=short'],
    ['a token by its name', 'https://a.example/t/7?rss_token=x'],
    ['a key in the path', 'https://a.example/rss/0123456789abcdef01234567/7'],
    ['a key of letters and digits', 'https://a.example/dl?x=aB3dE5fG7hI9jK1lM2nO4pQ6'],
    ['a secret of the site', 'https://a.example/t/7?x=CanaryKey'],
    ['a secret of the site, escaped', 'https://a.example/t/Canary%4Bey'],
    ['more characters than the bound', `https://a.example/${'a-'.repeat(pageAddressCharactersMax / 2)}`],
  ] as const)('never leaves with %s', ([, address], { expect }) => {
    expect(shownPage(address, ['CanaryKey', ''], pageAddressCharactersMax)).toBeUndefined()
  })

  test('is at most as long as the bound', ({ expect }) => {
    const head = 'https://a.example/'
    const longest = `${head}${'a-'.repeat(pageAddressCharactersMax / 2)}`.slice(0, pageAddressCharactersMax)
    expect(shownPage(longest, [], pageAddressCharactersMax)).toBe(longest)
  })
})
