import { describe, test } from 'vitest'
import { base64Of, sourcesMax, typedSources } from '../../../../workers/app/web/model/torrent-sources.ts'

const hash = '0123456789abcdef0123456789abcdef01234567'

describe('what was typed to be added', () => {
  test.for<[string, readonly object[], readonly string[]]>([
    ['', [], []],
    ['  \n \t', [], []],
    [hash, [{ name: hash, body: { magnet: `magnet:?xt=urn:btih:${hash}` } }], []],
    [
      `magnet:?xt=urn:btih:${hash}&dn=A%20Film\n\n  https://a.example/1.torrent `,
      [
        { name: 'A Film', body: { magnet: `magnet:?xt=urn:btih:${hash}&dn=A%20Film` } },
        { name: 'https://a.example/1.torrent', body: { address: 'https://a.example/1.torrent' } },
      ],
      [],
    ],
    [`magnet:?xt=urn:btih:${hash}`, [{ name: hash, body: { magnet: `magnet:?xt=urn:btih:${hash}` } }], []],
    [`${hash} ${hash}`, [{ name: hash, body: { magnet: `magnet:?xt=urn:btih:${hash}` } }], []],
    ['a film\nftp://a.example/x', [], ['a', 'film', 'ftp://a.example/x']],
    ['https://', [], ['https://']],
  ])('%j', ([text, sources, wrong], { expect }) => {
    expect(typedSources(text)).toEqual({ sources, wrong })
  })

  test('many lines are many, and the page says how many are too many', ({ expect }) => {
    const lines = Array.from({ length: sourcesMax + 1 }, (_, at) => `https://a.example/${at}.torrent`)
    expect(typedSources(lines.join('\n')).sources).toHaveLength(sourcesMax + 1)
  })
})

test('bytes of any length are written as base64', ({ expect }) => {
  for (const length of [0, 1, 2, 3, 0x8000 - 1, 0x8000, 0x8000 + 1, 100_000]) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 31) % 256)
    expect(base64Of(bytes)).toBe(Buffer.from(bytes).toString('base64'))
  }
})
