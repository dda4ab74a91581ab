/** `npm run backup` and `npm run restore`. */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  type BackupFileFault,
  type BucketStartFault,
  type PassPhraseFault,
  sayBackupFileFault,
  sayBucketStartFault,
  sayPassPhraseFault,
} from './backup/backup-fault.ts'
import { makeBackup, type Verified, verifyBackup } from './backup/backup-file.ts'
import { type Bucket, BucketFault } from './backup/bucket.ts'
import { defaultRegion } from './backup/bucket-address.ts'
import { openBucket } from './backup/compose.ts'
import { readPassPhrase } from './backup/pass-phrase.ts'
import { restoreBackup } from './backup/restore.ts'
import { nameFor, readName, stampOf } from './backup/shelf.ts'
import { releaseVersion, stepsOfRelease } from './operating/release.ts'
import { type StartFault, sayStartFault, storageFault } from './operating/start-faults.ts'
import { defaultDataFolder, openDataFolder } from './workerd/data-folder.ts'
import { takeHostLock } from './workerd/host-lock.ts'

const usage = `Usage: wharf backup FILE|FOLDER   everything that is kept, also while the service runs
       wharf backup verify FILE   puts it back into a folder of its own, opens every database, and clears up
       wharf backup list BUCKET   what a bucket holds
       wharf restore FILE         puts it back; the service has to be stopped, and what was there is kept

FILE|FOLDER may be the address of a bucket of the S3 kind, as https://s3.example/bucket/wharf, and FILE one with the name of
a backup behind it. Its key stands in WHARF_BACKUP_KEY_ID and WHARF_BACKUP_KEY_SECRET; what is sent there has to be sealed.

In a checkout: npm run backup -- …, npm run restore -- FILE.

  --data DIR               the data folder (default ${defaultDataFolder(process.env)})
  --pass-phrase-file FILE  seals the backup, or opens a sealed one; without it the variable WHARF_BACKUP_PASS_PHRASE
                           is read. Whoever has a backup that is not sealed has every secret in it.
  --backup-region NAME     region of the bucket (default ${defaultRegion})
  --help                   this text`

interface InFolder {
  readonly folder: string
}
interface OfFile {
  readonly file: string
}
const sentences = {
  flags: ({ reason }: { reason: string }) => `${reason}; --help lists what there is`,
  no_place: 'Where should the backup go? Name a file, a folder or a bucket',
  no_bucket: 'Which bucket? Name its address',
  bucket: ({ fault }: { fault: BucketStartFault }) => sayBucketStartFault(fault),
  /** `said`: the bucket, or what it did not keep to. */
  bucket_said: ({ said }: { said: string }) => said,
  no_file: 'Which backup? Name one file',
  no_data: ({ folder }: InFolder) => `There is no data of wharf in ${folder}; name its folder with --data`,
  exists: ({ file }: OfFile) => `${file} is there already`,
  no_folder: ({ folder }: InFolder) => `There is no folder ${folder}`,
  within: ({ folder }: InFolder) => `A backup within the data folder belongs into ${folder}`,
  not_whole: ({ file, fault }: OfFile & { fault: BackupFileFault }) => `${file}: ${sayBackupFileFault(fault)}`,
  not_restored: ({ file, fault }: OfFile & { fault: BackupFileFault }) =>
    `${file} cannot be put back: ${sayBackupFileFault(fault)}`,
  pass_phrase: ({ fault }: { fault: PassPhraseFault }) => sayPassPhraseFault(fault),
  start: ({ fault }: { fault: StartFault }) => sayStartFault(fault),
}
type CommandFault = FaultOf<typeof sentences>
const sayCommandFault = sayBy(sentences)

interface Asked {
  readonly command: 'make' | 'verify' | 'restore' | 'list' | 'help'
  /** A path, or an address of a bucket or in one. */
  readonly place: string
  readonly dataFolder: string
  readonly passPhrase: string | undefined
  readonly region: string
}

function read(args: readonly string[]): Result<Asked, CommandFault> {
  let parsed: {
    values: { data?: string; 'pass-phrase-file'?: string; 'backup-region'?: string; help?: boolean }
    positionals: string[]
  }
  try {
    parsed = parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: true,
      options: {
        data: { type: 'string' },
        'pass-phrase-file': { type: 'string' },
        'backup-region': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error)
    return failWith({ kind: 'flags', reason })
  }
  const { values, positionals } = parsed
  const dataFolder = path.resolve(values.data ?? defaultDataFolder(process.env))
  if (values.help === true)
    return succeed({ command: 'help', place: '', dataFolder, passPhrase: undefined, region: '' })
  const [first = '', ...rest] = positionals
  const command = first === 'verify' || first === 'restore' || first === 'list' ? first : 'make'
  const [place, ...more] = command === 'make' ? positionals : rest
  if (place === undefined || place === '' || more.length > 0)
    return failWith({ kind: command === 'make' ? 'no_place' : command === 'list' ? 'no_bucket' : 'no_file' })
  const passPhrase = readPassPhrase(values['pass-phrase-file'], process.env)
  return passPhrase.ok
    ? succeed({
        command,
        place: isAddress(place) ? place : path.resolve(place),
        dataFolder,
        passPhrase: passPhrase.value,
        region: values['backup-region'] ?? process.env['WHARF_BACKUP_REGION'] ?? defaultRegion,
      })
    : failWith({ kind: 'pass_phrase', fault: passPhrase.failure })
}

function isAddress(place: string): boolean {
  return /^https?:\/\//.test(place)
}

function bucketAt(address: string, { region, passPhrase }: Asked): Result<Bucket, CommandFault> {
  const opened = openBucket({ address, region }, process.env, passPhrase)
  if (!opened.ok) return failWith({ kind: 'bucket', fault: opened.failure })
  return opened.value === undefined
    ? failWith({ kind: 'bucket', fault: { kind: 'no_address' } })
    : succeed(opened.value)
}

/** With a folder for what comes from a bucket or goes there. */
async function inPassing<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wharf-backup-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A bucket's object is fetched first. */
async function withFile(asked: Asked, work: (file: string) => Promise<Result<string, CommandFault>>) {
  const { place } = asked
  if (!isAddress(place)) return work(place)
  const cut = place.lastIndexOf('/')
  const bucket = bucketAt(place.slice(0, cut), asked)
  if (!bucket.ok) return bucket
  return inPassing(async (folder) => {
    const file = path.join(folder, 'fetched')
    await bucket.value.get(place.slice(cut + 1), file)
    return work(file)
  })
}

async function list(asked: Asked): Promise<Result<string, CommandFault>> {
  const bucket = bucketAt(asked.place, asked)
  if (!bucket.ok) return bucket
  const found = (await bucket.value.list()).filter(({ name }) => readName(name) !== undefined)
  const rows = found.map(({ name, bytes }) => `${name}  ${bytes} bytes`).sort()
  return succeed(rows.length === 0 ? 'There are no backups in it.' : rows.join('\n'))
}

/** Made here, sent, and cleared up. */
async function makeAway(asked: Asked): Promise<Result<string, CommandFault>> {
  const bucket = bucketAt(asked.place, asked)
  if (!bucket.ok) return bucket
  return inPassing(async (folder) => {
    const taken = new Set((await bucket.value.list()).map(({ name }) => name))
    const name = nameFor(Math.floor(Date.now() / 1000), 'asked', true, (one) => taken.has(one))
    const file = path.join(folder, name)
    const made = await make({ ...asked, place: file })
    if (!made.ok) return made
    await bucket.value.put(name, file)
    return succeed(made.value.replace(file, `${asked.place.replace(/\/$/, '')}/${name}`))
  })
}

async function make(asked: Asked): Promise<Result<string, CommandFault>> {
  const { place, dataFolder, passPhrase } = asked
  if (isAddress(place)) return makeAway(asked)
  if (!existsSync(path.join(dataFolder, 'state'))) return failWith({ kind: 'no_data', folder: dataFolder })
  const atUnix = Math.floor(Date.now() / 1000)
  const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory() === true
  const inFolder = (name: string) => existsSync(path.join(place, name))
  const file = isFolder ? path.join(place, nameFor(atUnix, 'asked', passPhrase !== undefined, inFolder)) : place
  if (existsSync(file)) return failWith({ kind: 'exists', file })
  if (!existsSync(path.dirname(file))) return failWith({ kind: 'no_folder', folder: path.dirname(file) })
  if (isWithin(dataFolder, file) && !isWithin(path.join(dataFolder, 'backups'), file))
    return failWith({ kind: 'within', folder: path.join(dataFolder, 'backups') })
  const made = await makeBackup({ dataFolder, file, version: releaseVersion, reason: 'asked', atUnix, passPhrase })
  const warning = made.damaged.map((one) => `\nNot whole, and copied as it is: ${one}`).join('')
  const secret =
    passPhrase === undefined ? '\nIt holds every secret in the clear; keep it where only you can read.' : ''
  return succeed(`${file}: ${made.files.length} files, ${made.rows} rows${warning}${secret}`)
}

function isWithin(folder: string, file: string): boolean {
  return file.startsWith(`${folder}${path.sep}`)
}

function verify(asked: Asked): Promise<Result<string, CommandFault>> {
  const { place, passPhrase } = asked
  return withFile(asked, (file) =>
    inPassing(async (work) => {
      const verified = await verifyBackup(file, work, passPhrase)
      return verified.ok
        ? succeed(`${place} is whole: ${told(verified.value)}`)
        : failWith({ kind: 'not_whole', file: place, fault: verified.failure })
    }),
  )
}

function restore(asked: Asked): Promise<Result<string, CommandFault>> {
  return withFile(asked, (file) => restoreFrom(file, asked))
}

async function restoreFrom(
  file: string,
  { place, dataFolder, passPhrase }: Asked,
): Promise<Result<string, CommandFault>> {
  const folder = openDataFolder(dataFolder)
  if (!folder.ok) return failWith({ kind: 'start', fault: folder.failure })
  const lock = await takeHostLock({ dataFolder: folder.value, log: say })
  if (!lock.ok) return failWith({ kind: 'start', fault: lock.failure })
  try {
    const restored = await restoreBackup({
      dataFolder: folder.value,
      file,
      passPhrase,
      migrations: stepsOfRelease(),
      stamp: stampOf(Date.now() / 1000),
    })
    if (!restored.ok) return failWith({ kind: 'not_restored', file: place, fault: restored.failure })
    const { previous } = restored.value
    const kept = previous === undefined ? '' : `\nWhat was there before is kept in ${previous}`
    return succeed(`${folder.value} is as it was: ${told(restored.value)}${kept}`)
  } finally {
    lock.value.release()
  }
}

function told({ manifest, rows }: Verified): string {
  const at = new Date(manifest.madeAtUnix * 1000).toISOString().slice(0, 16).replace('T', ' ')
  return `made ${at} UTC by version ${manifest.version}, ${manifest.files.length} files, ${rows} rows`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

const asked = read(process.argv.slice(2))
if (!asked.ok) {
  process.stderr.write(`${sayCommandFault(asked.failure)}\n`)
  process.exit(2)
}
const commands = { make, verify, restore, list, help: async () => succeed(usage) }
let done: Result<string, CommandFault>
try {
  done = await commands[asked.value.command](asked.value)
} catch (error) {
  const fault = storageFault(error, asked.value.dataFolder)
  if (error instanceof BucketFault) done = failWith({ kind: 'bucket_said', said: error.message })
  else if (fault !== undefined) done = failWith({ kind: 'start', fault })
  else throw error
}
if (done.ok) say(done.value)
else {
  process.stderr.write(`${sayCommandFault(done.failure)}\n`)
  process.exit(1)
}
