/** A backup as one file: an archive, compressed, and sealed where there is a pass phrase. */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { BackupTrouble } from '../../workers/app/core/operating/backup-trouble.ts'
import type { BackupReason } from '../../workers/app/core/operating/machine.ts'
import { syncToDisk } from '../files/replace-file.ts'
import { type ArchiveEntry, readArchive, writeArchive } from './archive.ts'
import { BrokenBackup } from './backup-fault.ts'
import { manifestBytesMax, pieceBytes } from './limits.ts'
import { type Manifest, manifestName, readManifest } from './manifest.ts'
import { isSealed } from './sealed-mark.ts'
import { seal, unseal } from './sealed-stream.ts'
import { digestOf, lookInto, takeSnapshot } from './snapshot.ts'

export interface MakeOptions {
  readonly dataFolder: string
  /** Complete or absent, never half. */
  readonly file: string
  readonly version: string
  readonly reason: BackupReason
  readonly atUnix: number
  readonly passPhrase: string | undefined
}

export async function makeBackup(options: MakeOptions): Promise<Manifest> {
  const { file, passPhrase, atUnix } = options
  sweep(path.dirname(file))
  const work = path.join(path.dirname(file), `${makingPrefix}${process.pid}-${randomBytes(4).toString('hex')}`)
  mkdirSync(work, { mode: 0o700 })
  const copies = path.join(work, 'copies')
  mkdirSync(copies, { mode: 0o700 })
  try {
    const manifest = await takeSnapshot({ ...options, into: copies })
    const list = JSON.stringify(manifest)
    const entries: ArchiveEntry[] = [
      { path: manifestName, bytes: Buffer.byteLength(list), content: list },
      ...manifest.files.map(({ path: own, bytes }) => ({
        path: own,
        bytes,
        content: { file: path.join(copies, own) },
      })),
    ]
    const packed = Readable.from(writeArchive(entries, atUnix)).pipe(createGzip({ level: 6 }))
    const whole = path.join(work, 'whole')
    await write(whole, passPhrase === undefined ? packed : seal(packed, passPhrase))
    renameSync(whole, file)
    syncToDisk(path.dirname(file))
    return manifest
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

const makingPrefix = '.making-'

/** What a crash has left. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = new RegExp(`^\\${makingPrefix}([0-9]+)-`).exec(name)?.[1]
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(path.join(folder, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function write(file: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const handle = openSync(file, 'wx', 0o600)
  try {
    for await (const piece of pieces) for (let at = 0; at < piece.length; ) at += writeSync(handle, piece, at)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Unpacks into an empty folder and holds everything against the list. The failure says what is wrong with the file. */
export async function unpackBackup(
  file: string,
  into: string,
  passPhrase: string | undefined,
): Promise<Result<Manifest, BackupTrouble>> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return failWith({ kind: 'missing' })
  const sealed = isSealed(file)
  if (sealed && passPhrase === undefined) return failWith({ kind: 'sealed' })
  try {
    const raw = createReadStream(file, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>
    const opened = sealed && passPhrase !== undefined ? Readable.from(unseal(raw, passPhrase)) : Readable.from(raw)
    const plain = createGunzip()
    opened.on('error', (error) => plain.destroy(error))
    return await unpack(opened.pipe(plain), into)
  } catch (error) {
    if (error instanceof BrokenBackup) return failWith(error.fault)
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      return failWith({ kind: 'no_backup' })
    throw error
  }
}

async function unpack(archive: AsyncIterable<Buffer>, into: string): Promise<Result<Manifest, BackupTrouble>> {
  let manifest: Manifest | undefined
  const due = new Map<string, Manifest['files'][number]>()
  for await (const { path: own, bytes, content } of readArchive(archive)) {
    if (manifest === undefined) {
      if (own !== manifestName || bytes > manifestBytesMax) return failWith({ kind: 'foreign' })
      const read = readManifest((await all(content)).toString('utf8'))
      if (!read.ok) return read
      manifest = read.value
      for (const one of manifest.files) due.set(one.path, one)
      continue
    }
    const listed = due.get(own)
    if (listed === undefined || listed.bytes !== bytes) return failWith({ kind: 'unlisted', file: own })
    due.delete(own)
    const file = path.join(into, own)
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    await write(file, content)
    if ((await digestOf(file)) !== listed.sha256) return failWith({ kind: 'file_damaged', file: own })
  }
  if (manifest === undefined) return failWith({ kind: 'empty' })
  const [missing] = due.keys()
  return missing === undefined ? succeed(manifest) : failWith({ kind: 'file_missing', file: missing })
}

async function all(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces)
}

export interface Verified {
  readonly manifest: Manifest
  readonly rows: number
}

/** As `unpackBackup`, and opens every database of it. */
export async function unpackAndOpen(
  file: string,
  into: string,
  passPhrase: string | undefined,
): Promise<Result<Verified, BackupTrouble>> {
  const unpacked = await unpackBackup(file, into, passPhrase)
  if (!unpacked.ok) return unpacked
  const manifest = unpacked.value
  let rows = 0
  for (const { path: own, kind } of manifest.files) {
    if (kind === 'file' || manifest.damaged.includes(own)) continue
    const looked = lookInto(path.join(into, own))
    if (looked.damage !== undefined) return failWith({ kind: 'database_damaged', file: own, damage: looked.damage })
    rows += looked.rows
  }
  if (rows !== manifest.rows) return failWith({ kind: 'rows', held: rows, listed: manifest.rows })
  return succeed({ manifest, rows })
}

/** Puts it back into a folder of its own, opens everything, and leaves nothing behind. */
export async function verifyBackup(
  file: string,
  workFolder: string,
  passPhrase: string | undefined,
): Promise<Result<Verified, BackupTrouble>> {
  sweep(workFolder)
  const into = path.join(workFolder, `${makingPrefix}${process.pid}-${randomBytes(4).toString('hex')}`)
  mkdirSync(into, { mode: 0o700 })
  try {
    return await unpackAndOpen(file, into, passPhrase)
  } finally {
    rmSync(into, { recursive: true, force: true })
  }
}
