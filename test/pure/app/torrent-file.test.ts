import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { readTorrentFile } from '../../../workers/app/core/torrent-file.ts'
import {
  pushTitleCharactersMax,
  torrentDepthMax,
  torrentFileBytesMax,
  torrentFilesMax,
} from '../../../workers/app/limits.ts'
import { type Bdecoded, type Bencoded, bdecode, bencode } from '../../support/bencode.ts'
import { makeTorrent } from '../../support/make-torrent.ts'

const bounds = {
  bytesMax: torrentFileBytesMax,
  depthMax: torrentDepthMax,
  filesMax: torrentFilesMax,
  nameCharactersMax: pushTitleCharactersMax,
}
const read = (bytes: Uint8Array) => readTorrentFile(bytes, bounds)
const pieces = Buffer.alloc(20, 7)
const single = { length: 5, name: 'a.txt', 'piece length': 16384, pieces }
const file = (info: Bencoded, change: Readonly<Record<string, Bencoded>> = {}) =>
  bencode({ announce: 'http://127.0.0.1:9/a', info, ...change })
const runs = Number(process.env['WHARF_FUZZ_RUNS'] ?? 2000)
/** Given by a long run, so that a failed one can be run again. */
const seed = process.env['WHARF_FUZZ_SEED']
const manyRuns = { numRuns: runs, ...(seed === undefined ? {} : { seed: Number(seed) }) }

function found(bytes: Uint8Array) {
  const outcome = read(bytes)
  if (!outcome.ok) throw new Error(outcome.failure)
  return outcome.value
}

describe('a torrent file', () => {
  test.each(['v1', 'v2', 'hybrid'] as const)('of format %s is read, and its very bytes are hashed', (format) => {
    const made = makeTorrent('Some Film.mkv', 40_000, { format })

    const { name, sizeBytes, info, hasV1, hasV2 } = found(made.file)

    const digest = (algorithm: string) => createHash(algorithm).update(info).digest('hex').slice(0, 40)
    const facts = [name, sizeBytes, hasV1, hasV2, digest('sha256')]
    const expected = ['Some Film.mkv', 40_000, format !== 'v2', format !== 'v1', made.v2Hash]
    if (JSON.stringify(facts) !== JSON.stringify(expected)) throw new Error(JSON.stringify(facts))
    if (format !== 'v2' && digest('sha1') !== made.infoHash) throw new Error('another hash')
  })

  test('with unsorted and repeated keys is hashed as it stands, the first of two equal ones counting', ({ expect }) => {
    const info = Buffer.from(
      `d6:pieces20:${'x'.repeat(20)}6:lengthi7e4:name3:one4:name3:two12:piece lengthi16384ee`,
      'latin1',
    )
    const bytes = Buffer.concat([Buffer.from('d4:info'), info, Buffer.from('e')])

    expect(Buffer.from(found(bytes).info)).toEqual(info)
    expect(found(bytes)).toMatchObject({ name: 'one', sizeBytes: 7 })
  })

  test('of many files is as large as all of them without padding', ({ expect }) => {
    const files = [
      { length: 10, path: ['a'] },
      { attr: 'p', length: 1000, path: ['.pad', '1000'] },
      { attr: 'x', length: 20, path: ['b'] },
    ]
    const { length: _, ...many } = single

    expect(found(file({ ...many, files }))).toMatchObject({
      sizeBytes: 30,
      files: [
        { path: 'a', sizeBytes: 10, place: 0 },
        { path: 'b', sizeBytes: 20, place: 2 },
      ],
    })
  })

  test('of a tree of files is as large as its leaves', ({ expect }) => {
    const leaf = (length: number) => ({ '': { length, 'pieces root': Buffer.alloc(32) } })
    const info = { name: 'x', 'meta version': 2, 'file tree': { a: leaf(1), b: { c: leaf(2), d: { e: leaf(4) } } } }

    expect(found(file(info))).toMatchObject({ sizeBytes: 7, hasV1: false, hasV2: true })
  })

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\evil.exe', 'evil.exe'],
    ['..', ''],
    ['/', ''],
    ['a\u0000b\nc', 'abc'],
    ['片名 2026', '片名 2026'],
    ['n'.repeat(pushTitleCharactersMax), 'n'.repeat(pushTitleCharactersMax)],
    ['n'.repeat(pushTitleCharactersMax + 1), `${'n'.repeat(pushTitleCharactersMax - 1)}…`],
  ])('named %j is called %j', (name, label) => {
    const shown = found(file({ ...single, name })).name
    if (shown !== label) throw new Error(JSON.stringify(shown))
  })

  test('prefers the name that is said to be UTF-8', ({ expect }) => {
    expect(found(file({ ...single, 'name.utf-8': '片名' })).name).toBe('片名')
  })

  const nested = (depth: number) => Buffer.from(`d1:x${'l'.repeat(depth)}${'e'.repeat(depth)}4:info`, 'latin1')
  const withDepth = (depth: number) => Buffer.concat([nested(depth), bencode(single), Buffer.from('e')])
  const withFiles = (count: number) => {
    const { length: _, ...many } = single
    return file({ ...many, files: Array.from({ length: count }, () => ({ length: 1, path: ['a'] })) })
  }
  const withBytes = (total: number) => {
    const rest = file(single, { comment: '' }).length
    // The length of the comment is written in eight digits instead of one.
    return file(single, { comment: Buffer.alloc(total - rest - 7, 'c') })
  }

  test('is read at every limit and refused one past it', ({ expect }) => {
    expect(read(withDepth(torrentDepthMax - 1)).ok).toBe(true)
    expect(read(withDepth(torrentDepthMax))).toEqual({ ok: false, failure: 'malformed' })
    expect(found(withFiles(torrentFilesMax)).sizeBytes).toBe(torrentFilesMax)
    expect(read(withFiles(torrentFilesMax + 1))).toEqual({ ok: false, failure: 'malformed' })
    const largest = withBytes(torrentFileBytesMax)
    expect(largest.length).toBe(torrentFileBytesMax)
    expect(read(largest).ok).toBe(true)
    expect(read(Buffer.concat([largest, Buffer.from('x')]))).toEqual({ ok: false, failure: 'too_large' })
  })

  test.each([
    ['nothing', ''],
    ['a page', '<html><form></form></html>'],
    ['a page that begins like one', 'd<html>'],
    ['a list', 'le'],
    ['no info', 'd8:announce3:abce'],
    ['an info that is no dictionary', 'd4:infoi5ee'],
    [
      'two infos',
      bencode(single)
        .toString('latin1')
        .replace(/^/, 'd4:info')
        .concat('4:info', bencode(single).toString('latin1'), 'e'),
    ],
    ['an info without pieces', file({ name: 'x', length: 5 }).toString('latin1')],
    ['pieces of half a hash', file({ ...single, pieces: Buffer.alloc(19, 7) }).toString('latin1')],
    ['neither length nor files', file({ name: 'x', pieces }).toString('latin1')],
    ['a negative length', file({ ...single, length: -1 }).toString('latin1')],
    ['a length beyond exact numbers', 'd4:infod6:lengthi9007199254740992e6:pieces20:xxxxxxxxxxxxxxxxxxxxee'],
    ['a length of too many digits', `d4:infod6:lengthi${'1'.repeat(20)}e6:pieces20:xxxxxxxxxxxxxxxxxxxxee`],
    ['a string of too many digits', 'd00000000004:infodee'],
    ['a string longer than the file', 'd4:info9999999999:x'],
    ['a key that is a number', 'di1e4:infoe'],
    ['no end', file(single).subarray(0, -1).toString('latin1')],
  ])('is refused when it is %s', (_, text) => {
    const outcome = read(Buffer.from(text, 'latin1'))
    if (outcome.ok || outcome.failure !== 'malformed') throw new Error(JSON.stringify(outcome))
  })
})

/** Any value, and most of all those a torrent may have. */
const { value: anyValue } = fc.letrec<{ value: Bencoded }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.integer({ min: -5, max: 1e6 }),
    fc.string({ maxLength: 12 }),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('', 'a', 'length', 'attr', 'name', 'files', 'pieces', 'path'), tie('value'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
}))
const anyFile = fc.record({ length: fc.integer({ min: 0, max: 1e12 }), attr: fc.constantFrom('', 'p', 'x') })
const anyInfo = fc.record(
  {
    name: fc.oneof(fc.string(), anyValue),
    length: fc.oneof(fc.nat(), anyValue),
    pieces: fc.oneof(fc.constantFrom(pieces, Buffer.alloc(40)), anyValue),
    files: fc.oneof(fc.array(anyFile, { maxLength: 5 }), anyValue),
    'file tree': fc.oneof(
      fc.dictionary(fc.string({ maxLength: 3 }), fc.record({ '': anyFile }), { noNullPrototype: true }),
      anyValue,
    ),
    'meta version': fc.oneof(fc.constant(2), anyValue),
  },
  { requiredKeys: [], noNullPrototype: true },
)

describe('any file', () => {
  test('is read as a second decoder reads it: same bytes of info, same size', () => {
    fc.assert(
      fc.property(anyInfo, (info) => {
        const bytes = file(info as Bencoded)
        const outcome = read(bytes)
        if (!outcome.ok) return
        const tree = bdecode(bytes).value as Map<string, Bdecoded>
        if (!Buffer.from(outcome.value.info).equals(bencode(info as Bencoded))) throw new Error('other bytes')
        const size = sizeIn(tree.get('info') as Map<string, Bdecoded>)
        if (outcome.value.sizeBytes !== size) throw new Error(`${outcome.value.sizeBytes} is not ${size}`)
      }),
      manyRuns,
    )
  })

  test('damaged at any place ends with a torrent or a listed fault, and never names bytes outside itself', () => {
    const seeds = (['v1', 'v2', 'hybrid'] as const).map((format) => makeTorrent('x.bin', 20_000, { format }).file)
    fc.assert(
      fc.property(
        fc.constantFrom(...seeds),
        fc.array(fc.tuple(fc.nat({ max: 2000 }), fc.constantFrom(...'dlie:0123456789-x')), { maxLength: 6 }),
        fc.nat({ max: 2000 }),
        (seed, changes, cut) => {
          const bytes = Buffer.from(seed.subarray(0, Math.max(1, seed.length - (cut % 7 === 0 ? cut : 0))))
          for (const [at, mark] of changes) bytes[at % bytes.length] = mark.charCodeAt(0)
          const outcome = read(bytes)
          if (!outcome.ok) {
            if (outcome.failure !== 'malformed') throw new Error(outcome.failure)
            return
          }
          const decoded = bdecode(bytes).value as Map<string, Bdecoded>
          const start = bytes.indexOf(Buffer.from(outcome.value.info))
          if (start === -1 || !(decoded.get('info') instanceof Map)) throw new Error('no such info')
        },
      ),
      manyRuns,
    )
  })

  test('of noise ends', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...'dlie:0123456789-'), { maxLength: 400 }), (marks) => {
        const outcome = read(Buffer.from(marks.join('')))
        if (outcome.ok) throw new Error('noise is no torrent')
      }),
      manyRuns,
    )
  })
})

/** By the second decoder. */
function sizeIn(info: Map<string, Bdecoded>): number | undefined {
  const length = info.get('length')
  if (typeof length === 'number') return length
  const files = info.get('files')
  if (Array.isArray(files)) return files.reduce<number>((sum, one) => sum + sizeOfFile(one as Map<string, Bdecoded>), 0)
  const tree = info.get('file tree')
  return tree instanceof Map ? sizeOfTree(tree) : undefined
}

function sizeOfFile(one: Map<string, Bdecoded>): number {
  const attributes = one.get('attr')
  if (Buffer.isBuffer(attributes) && attributes.includes('p')) return 0
  const length = one.get('length')
  return typeof length === 'number' ? length : 0
}

function sizeOfTree(tree: Map<string, Bdecoded>): number {
  let total = 0
  for (const [name, below] of tree) {
    if (!(below instanceof Map)) throw new Error('a leaf without a file')
    total += name === '' ? sizeOfFile(below) : sizeOfTree(below)
  }
  return total
}
