/** `npm run backup` and `npm run restore`. */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  type BackupFileFault,
  type PassPhraseFault,
  sayBackupFileFault,
  sayPassPhraseFault,
} from './backup/backup-fault.ts'
import { makeBackup, type Verified, verifyBackup } from './backup/backup-file.ts'
import { readPassPhrase } from './backup/pass-phrase.ts'
import { restoreBackup } from './backup/restore.ts'
import { nameFor, stampOf } from './backup/shelf.ts'
import { releaseVersion, stepsOfRelease } from './operating/release.ts'
import { type StartFault, sayStartFault, storageFault } from './operating/start-faults.ts'
import { defaultDataFolder, openDataFolder } from './workerd/data-folder.ts'
import { takeHostLock } from './workerd/host-lock.ts'

const usage = `Usage: wharf backup FILE|FOLDER   everything that is kept, also while the service runs
       wharf backup verify FILE   puts it back into a folder of its own, opens every database, and clears up
       wharf restore FILE         puts it back; the service has to be stopped, and what was there is kept

In a checkout: npm run backup -- …, npm run restore -- FILE.

  --data DIR               the data folder (default ${defaultDataFolder(process.env)})
  --pass-phrase-file FILE  seals the backup, or opens a sealed one; without it the variable WHARF_BACKUP_PASS_PHRASE
                           is read. Whoever has a backup that is not sealed has every secret in it.
  --help                   this text`

interface InFolder {
  readonly folder: string
}
interface OfFile {
  readonly file: string
}
const sentences = {
  flags: ({ reason }: { reason: string }) => `${reason}; --help lists what there is`,
  no_place: 'Where should the backup go? Name a file or a folder',
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
  readonly command: 'make' | 'verify' | 'restore' | 'help'
  readonly place: string
  readonly dataFolder: string
  readonly passPhrase: string | undefined
}

function read(args: readonly string[]): Result<Asked, CommandFault> {
  let parsed: { values: { data?: string; 'pass-phrase-file'?: string; help?: boolean }; positionals: string[] }
  try {
    parsed = parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: true,
      options: {
        data: { type: 'string' },
        'pass-phrase-file': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error)
    return failWith({ kind: 'flags', reason })
  }
  const { values, positionals } = parsed
  const dataFolder = path.resolve(values.data ?? defaultDataFolder(process.env))
  if (values.help === true) return succeed({ command: 'help', place: '', dataFolder, passPhrase: undefined })
  const [first = '', ...rest] = positionals
  const command = first === 'verify' || first === 'restore' ? first : 'make'
  const [place, ...more] = command === 'make' ? positionals : rest
  if (place === undefined || place === '' || more.length > 0)
    return failWith({ kind: command === 'make' ? 'no_place' : 'no_file' })
  const passPhrase = readPassPhrase(values['pass-phrase-file'], process.env)
  return passPhrase.ok
    ? succeed({ command, place: path.resolve(place), dataFolder, passPhrase: passPhrase.value })
    : failWith({ kind: 'pass_phrase', fault: passPhrase.failure })
}

async function make({ place, dataFolder, passPhrase }: Asked): Promise<Result<string, CommandFault>> {
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

async function verify({ place, passPhrase }: Asked): Promise<Result<string, CommandFault>> {
  const work = mkdtempSync(path.join(tmpdir(), 'wharf-verify-'))
  try {
    const verified = await verifyBackup(place, work, passPhrase)
    return verified.ok
      ? succeed(`${place} is whole: ${told(verified.value)}`)
      : failWith({ kind: 'not_whole', file: place, fault: verified.failure })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function restore({ place, dataFolder, passPhrase }: Asked): Promise<Result<string, CommandFault>> {
  const folder = openDataFolder(dataFolder)
  if (!folder.ok) return failWith({ kind: 'start', fault: folder.failure })
  const lock = await takeHostLock({ dataFolder: folder.value, log: say })
  if (!lock.ok) return failWith({ kind: 'start', fault: lock.failure })
  try {
    const restored = await restoreBackup({
      dataFolder: folder.value,
      file: place,
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
const commands = { make, verify, restore, help: async () => succeed(usage) }
let done: Result<string, CommandFault>
try {
  done = await commands[asked.value.command](asked.value)
} catch (error) {
  const fault = storageFault(error, asked.value.dataFolder)
  if (fault === undefined) throw error
  done = failWith({ kind: 'start', fault })
}
if (done.ok) say(done.value)
else {
  process.stderr.write(`${sayCommandFault(done.failure)}\n`)
  process.exit(1)
}
