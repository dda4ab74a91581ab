/** The form of a backup: what it is to others, and what it believes of others. */
import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, test } from 'vitest'
import { type ArchiveEntry, readArchive, writeArchive } from '../../../local/backup/archive.ts'
import { unpackBackup } from '../../../local/backup/backup-file.ts'
import { pathCharactersMax, pieceBytes } from '../../../local/backup/limits.ts'
import { isInside, type Manifest, readManifest } from '../../../local/backup/manifest.ts'
import { sealedMark } from '../../../local/backup/sealed-mark.ts'
import { seal, unseal } from '../../../local/backup/sealed-stream.ts'
import { makeDataFolder } from '../../support/data-folder.ts'

async function all(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const read: Buffer[] = []
  for await (const piece of pieces) read.push(piece)
  return Buffer.concat(read)
}

const text = (path: string, content: string): ArchiveEntry => ({ path, bytes: Buffer.byteLength(content), content })
const longPath = `${'a'.repeat(90)}/${'b'.repeat(60)}/${'c'.repeat(80)}.sqlite`

describe('an archive', () => {
  test('is one to the tar of this machine, long paths included', async ({ expect }) => {
    const folder = await makeDataFolder()
    const file = path.join(folder, 'a.tar')
    await writeFile(
      file,
      await all(writeArchive([text('a/b.txt', 'one'), text(longPath, 'two'), text('empty', '')], 1000)),
    )
    const listed = spawnSync('tar', ['-tf', file], { encoding: 'utf8' })
    expect(listed.stdout.trim().split('\n')).toEqual(['a/b.txt', longPath, 'empty'])
    expect(spawnSync('tar', ['-xOf', file, longPath], { encoding: 'utf8' }).stdout).toBe('two')
  })

  test('comes back as it was, however it is cut into pieces', async ({ expect }) => {
    const whole = await all(writeArchive([text('a', 'x'.repeat(511)), text('b', 'y'.repeat(513)), text('c', '')], 0))
    for (const size of [1, 7, 512, 100_000]) {
      const pieces = Readable.from(cut(whole, size))
      const read: [string, number][] = []
      for await (const { path: own, content } of readArchive(pieces)) read.push([own, (await all(content)).length])
      expect(read).toEqual([
        ['a', 511],
        ['b', 513],
        ['c', 0],
      ])
    }
  })

  test('refuses a path that is too long for its form', async ({ expect }) => {
    await expect(all(writeArchive([text('a'.repeat(101), '')], 0))).rejects.toThrow('too long')
  })
})

function* cut(whole: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size)
}

describe('a sealed stream', () => {
  const phrase = 'harbour lanterns'

  test.for([0, 1, pieceBytes - 1, pieceBytes, pieceBytes + 1, 3 * pieceBytes])(
    'of %i bytes comes back with its pass phrase',
    async (bytes, { expect }) => {
      const plain = Buffer.alloc(bytes, 7)
      const sealed = await all(seal(Readable.from(cut(plain, 100_003)), phrase))
      expect(sealed.toString('latin1', 0, sealedMark.length)).toBe(sealedMark)
      expect(sealed.includes(Buffer.alloc(64, 7))).toBe(false)
      const opened = await all(unseal(Readable.from(cut(sealed, 65_536)), phrase))
      expect(opened.equals(plain)).toBe(true)
    },
  )

  test('of the same content is another one each time', async ({ expect }) => {
    const [one, two] = [
      await all(seal(Readable.from([Buffer.from('a')]), phrase)),
      await all(seal(Readable.from([Buffer.from('a')]), phrase)),
    ]
    expect(one.equals(two)).toBe(false)
  })

  test('does not open with anything wrong about it', { tags: 'slow' }, async ({ expect }) => {
    const sealed = await all(seal(Readable.from([Buffer.alloc(2 * pieceBytes + 5, 1)]), phrase))
    const opening = (bytes: Buffer, with_ = phrase) => all(unseal(Readable.from([bytes]), with_))
    await expect(opening(sealed, 'harbour lantern')).rejects.toThrow('pass phrase')
    const record = pieceBytes + 16
    const head = 256
    const damaged: readonly Buffer[] = [
      // Cut: in the middle, at the end of a piece, in the heading.
      sealed.subarray(0, sealed.length - 1),
      sealed.subarray(0, head + 2 * record),
      sealed.subarray(0, head + record),
      sealed.subarray(0, 100),
      // Two pieces changed places; one is left out.
      Buffer.concat([
        sealed.subarray(0, head),
        sealed.subarray(head + record, head + 2 * record),
        sealed.subarray(head, head + record),
        sealed.subarray(head + 2 * record),
      ]),
      Buffer.concat([sealed.subarray(0, head), sealed.subarray(head + record)]),
      flipped(sealed, head + 10),
      flipped(sealed, sealed.length - 1),
      // The heading is sealed with the rest.
      flipped(sealed, head - 1),
    ]
    for (const [at, bytes] of damaged.entries()) await expect(opening(bytes), String(at)).rejects.toThrow()
  })

  test('does not let a stranger’s file ask for all the memory', async ({ expect }) => {
    const head = Buffer.alloc(256, ' ')
    head.write(`${sealedMark}{"cost":${2 ** 21},"salt":"AAAA"}`)
    await expect(all(unseal(Readable.from([head]), phrase))).rejects.toThrow('heading')
  })
})

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

const manifest: Manifest = {
  format: 1,
  version: '0.1.0',
  madeAtUnix: 1000,
  reason: 'asked',
  migrations: [],
  rows: 0,
  files: [
    { path: 'a', bytes: 3, sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae', kind: 'file' },
  ],
  damaged: [],
}

describe('a backup of somebody else', () => {
  const listing = (value: object) => text('manifest.json', JSON.stringify(value))
  test.for([
    ['a good one', [listing(manifest), text('a', 'foo')], undefined],
    ['no list', [text('a', 'foo')], 'foreign'],
    ['a list of a newer form', [listing({ ...manifest, format: 2 })], 'newer'],
    ['a list that is none', [text('manifest.json', '{}')], 'list_wrong'],
    ['a path upwards', [listing({ ...manifest, files: [{ ...manifest.files[0], path: '../a' }] })], 'list_wrong'],
    ['an absolute path', [listing({ ...manifest, files: [{ ...manifest.files[0], path: '/a' }] })], 'list_wrong'],
    ['more than is listed', [listing(manifest), text('a', 'foo'), text('b', '')], 'unlisted'],
    ['a file twice', [listing(manifest), text('a', 'foo'), text('a', 'foo')], 'unlisted'],
    ['less than is listed', [listing(manifest)], 'file_missing'],
    ['another size', [listing(manifest), text('a', 'food')], 'unlisted'],
    ['another content', [listing(manifest), text('a', 'bar')], 'file_damaged'],
  ] as const)('with %s', async ([, entries, refusal], { expect }) => {
    const folder = await makeDataFolder()
    const file = path.join(folder, 'b.tar.gz')
    await writeFile(file, gzipSync(await all(writeArchive(entries, 0))))
    const into = await makeDataFolder()
    const unpacked = await unpackBackup(file, into, undefined)
    if (refusal === undefined) {
      expect(unpacked).toMatchObject({ ok: true })
      expect(await readFile(path.join(into, 'a'), 'utf8')).toBe('foo')
    } else expect(unpacked).toMatchObject({ ok: false, failure: { kind: refusal } })
  })

  test('that is a link, is cut off, or is no archive at all', async ({ expect }) => {
    const folder = await makeDataFolder()
    const file = path.join(folder, 'b.tar.gz')
    const whole = await all(writeArchive([listing(manifest), text('a', 'foo')], 0))
    const link = Buffer.from(whole)
    link.write('2', 156)
    for (const bytes of [
      gzipSync(link),
      gzipSync(whole).subarray(0, 60),
      gzipSync(whole.subarray(0, 700)),
      Buffer.from('no'),
    ]) {
      await writeFile(file, bytes)
      expect(await unpackBackup(file, await makeDataFolder(), undefined)).toMatchObject({ ok: false })
    }
    expect(await unpackBackup(path.join(folder, 'nowhere'), folder, undefined)).toMatchObject({ ok: false })
  })

  test('paths are plain names, up to a length', ({ expect }) => {
    for (const good of ['a', 'a/b.sqlite', 'ä/…']) expect(isInside(good), good).toBe(true)
    for (const bad of ['', '/', 'a//b', './a', 'a/..', 'a\\b', 'a\nb', 'a/']) expect(isInside(bad), bad).toBe(false)
    const withPath = (characters: number) =>
      readManifest(JSON.stringify({ ...manifest, files: [{ ...manifest.files[0], path: 'a'.repeat(characters) }] }))
    expect(withPath(pathCharactersMax).ok).toBe(true)
    expect(withPath(pathCharactersMax + 1).ok).toBe(false)
  })
})
