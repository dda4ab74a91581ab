/** What a caller brings to be added: magnet links, and what stands at an address. */
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { fetchTorrent } from '../../../workers/app/adapters/fetch-torrent.ts'
import { readMagnet } from '../../../workers/app/core/magnet.ts'
import { siteRedirectsMax, torrentFileBytesMax } from '../../../workers/app/limits.ts'

const v1 = '0123456789abcdef0123456789abcdef01234567'
const v2 = '89abcdef'.repeat(8)
const other = 'f'.repeat(40)

describe('a magnet link', () => {
  test.for<[string, object | undefined]>([
    [`magnet:?xt=urn:btih:${v1}`, { infoHashes: [v1], title: '' }],
    [`magnet:?xt=urn:btih:${v1.toUpperCase()}&dn=A%20Film`, { infoHashes: [v1], title: 'A Film' }],
    [`MAGNET:?dn=%E7%81%AF%E5%A1%94&XT=urn:btih:${v1}`, { infoHashes: [v1], title: '灯塔' }],
    [`magnet:?xt=urn:btih:${v1}&xl=1024&tr=udp%3A%2F%2Ft.example`, { infoHashes: [v1], title: '', sizeBytes: 1024 }],
    [`magnet:?xt=urn:btih:${v1}&xl=0`, { infoHashes: [v1], title: '' }],
    [`magnet:?xt=urn:btih:${v1}&xl=-5`, { infoHashes: [v1], title: '' }],
    // 32 letters of base 32 are the same 20 bytes.
    ['magnet:?xt=urn:btih:AERUKZ4JVPG66AJDIVTYTK6N54ASGRLH', { infoHashes: [v1], title: '' }],
    [`magnet:?xt=urn:btmh:1220${v2}`, { infoHashes: [v2.slice(0, 40)], title: '' }],
    [`magnet:?xt=urn:btih:${v1}&xt=urn:btmh:1220${v2}`, { infoHashes: [v1, v2.slice(0, 40)], title: '' }],
    [`magnet:?xt.1=urn:btih:${v1}&xt.2=urn:btmh:1220${v2}`, { infoHashes: [v1, v2.slice(0, 40)], title: '' }],
    [`magnet:?xt=urn:btih:${v1}&xt=urn:btih:${v1}`, { infoHashes: [v1], title: '' }],
    [`magnet:?xt=urn:btih:${v1}&xt=urn:btih:${other}`, undefined],
    [`magnet:?xt=urn:btmh:1220${v2}&xt=urn:btmh:1220${'0'.repeat(64)}`, undefined],
    [`magnet:?xt=urn:btih:${v1.slice(1)}`, undefined],
    [`magnet:?xt=urn:btih:${v1}0`, undefined],
    [`magnet:?xt=urn:btmh:1114${v2}`, undefined],
    ['magnet:?xt=urn:sha1:AERUKZ4JVPG66AJDIVTYTK6N54ASGRLH', undefined],
    ['magnet:?dn=A%20Film', undefined],
    ['magnet:', undefined],
    [`magnet:?xt=urn:btih:${v1}\nmagnet:?xt=urn:btih:${other}`, undefined],
    [`magnet:?xt=urn:btih:${v1} `, undefined],
    [`https://a.example/?xt=urn:btih:${v1}`, undefined],
    ['', undefined],
  ])('%s', ([link, expected], { expect }) => {
    expect(readMagnet(link)).toEqual(expected)
  })

  test('of any shape is read or refused, and names hashes alone', ({ expect }) => {
    const piece = fc.oneof(fc.string(), fc.constantFrom('xt=', 'urn:btih:', 'urn:btmh:1220', v1, v2, '&', '%', 'xt.1='))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const magnet = readMagnet(`magnet:?${pieces.join('')}`)
        for (const hash of magnet?.infoHashes ?? []) expect(hash).toMatch(/^[0-9a-f]{40}$/)
      }),
      { numRuns: 3000 },
    )
  })
})

const torrent = new TextEncoder().encode('d4:infod4:name1:aee')
const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })

describe('what stands at an address', () => {
  async function fetched(address: string, answers: Readonly<Record<string, () => Response>>) {
    const asked: string[] = []
    const result = await fetchTorrent(async (url, init) => {
      asked.push(url)
      if (init.redirect !== 'manual') throw new Error('redirects are judged, not followed')
      const answer = answers[url]
      if (answer === undefined) throw new Error(`nobody answers at ${url}`)
      return answer()
    }, address)
    return { result, asked }
  }
  const home = 'https://tracker.example/dl?id=1&key=k'

  test.for<[string, () => Response, unknown]>([
    ['a file', () => new Response(torrent), { ok: true, value: torrent }],
    ['a magnet link', () => redirect(`magnet:?xt=urn:btih:${v1}`), { ok: true, value: `magnet:?xt=urn:btih:${v1}` }],
    ['an error', () => new Response('', { status: 404 }), { ok: false, failure: { kind: 'status', status: 404 } }],
    [
      'a redirect to nowhere',
      () => new Response(null, { status: 302 }),
      { ok: false, failure: { kind: 'status', status: 302 } },
    ],
    [
      'a redirect to a file of this machine',
      () => redirect('file:///etc/passwd'),
      { ok: false, failure: { kind: 'redirected' } },
    ],
    [
      'a redirect into this network',
      () => redirect('http://192.168.1.1/'),
      { ok: false, failure: { kind: 'redirected' } },
    ],
    [
      'a redirect to this machine',
      () => redirect('http://localhost:8080/x'),
      { ok: false, failure: { kind: 'redirected' } },
    ],
    [
      'a redirect with a name in it',
      () => redirect('https://me:pw@b.example/'),
      { ok: false, failure: { kind: 'redirected' } },
    ],
    ['a redirect to itself', () => redirect(home), { ok: false, failure: { kind: 'redirected' } }],
    [
      'as much as is read',
      () => new Response(new Uint8Array(torrentFileBytesMax)),
      { ok: true, value: torrentFileBytesMax },
    ],
    [
      'one byte more',
      () => new Response(new Uint8Array(torrentFileBytesMax + 1)),
      { ok: false, failure: { kind: 'too_large' } },
    ],
  ])('%s', async ([, answer, expected], { expect }) => {
    const { result, asked } = await fetched(home, { [home]: answer })
    // Ten million equal bytes are told apart by their number.
    const { value } = result as { value?: Uint8Array | string }
    const isLong = value instanceof Uint8Array && value.length > 1000
    expect(isLong ? { ok: true, value: value.length } : result).toEqual(expected)
    expect(asked.length).toBeLessThanOrEqual(siteRedirectsMax + 1)
  })

  test('a public place it leads to is followed, whatever is written before it', async ({ expect }) => {
    const { result, asked } = await fetched(home, {
      [home]: () => redirect('/files/a.torrent'),
      'https://tracker.example/files/a.torrent': () => redirect('http://cdn.example/a'),
      'http://cdn.example/a': () => new Response(torrent),
    })
    expect(result.ok).toBe(true)
    expect(asked).toHaveLength(3)
  })

  test.for([
    'http://127.0.0.1:8080/x',
    'http://[::1]/x',
    'http://192.168.1.1/x',
    'http://2130706433/',
    'http://localhost/x',
    'http://router/x',
    'http://nas.local/x',
    'http://nas.lan./x',
    'https://me:secret@tracker.example/x',
    'ftp://tracker.example/x',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'tracker.example/x',
    `magnet:?xt=urn:btih:${v1}`,
    '',
  ])('nobody is asked at %s', async (address, { expect }) => {
    const { result, asked } = await fetched(address, {})
    expect(result).toEqual({ ok: false, failure: 'not_public' })
    expect(asked).toEqual([])
  })

  test('who cannot be reached is told apart from who is silent', async ({ expect }) => {
    expect((await fetched(home, {})).result).toEqual({ ok: false, failure: { kind: 'unreachable' } })
  })
})
