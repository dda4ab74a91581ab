/** `wharf diagnose`: what somebody who helps needs to know of this installation, as one file without secrets. */
import { createWriteStream, existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { servedOrigin } from './addresses-file.ts'
import { writeArchive } from './backup/archive.ts'
import { stampOf } from './backup/shelf.ts'
import { fileToken } from './configuration/apply.ts'
import { readSettings } from './configuration/read-settings.ts'
import { diagnose } from './operating/diagnostics.ts'
import { parseServeFlags } from './serve-flags.ts'
import { readSecrets } from './workerd/secrets-file.ts'

const usage = `Usage: wharf diagnose [FILE|FOLDER] [options]

Packs into one file (in this folder, where none is named): versions, settings, the state of the service and of its data,
its figures, and the last lines of its log. No secrets are in it, and nothing of what was stored; names of sites and
downloaders may be. Look through it before you give it to somebody: tar xzOf FILE

Options are those of wharf; --config and --data say which service is meant.
`

function refuse(line: string): never {
  process.stderr.write(`${line}\n`)
  process.exit(2)
}

const [first = '', ...rest] = process.argv.slice(2)
const isPlaceNamed = first !== '' && !first.startsWith('-')
const args = isPlaceNamed ? rest : process.argv.slice(2)
const settings = readSettings(args, process.env)
const flags = parseServeFlags(args, process.env)
if (!settings.ok) refuse(settings.failure)
if (!flags.ok) refuse(flags.failure)
if (flags.value.isHelpAsked) process.stdout.write(usage)
else {
  const now = new Date()
  const place = path.resolve(isPlaceNamed ? first : '.')
  const name = `wharf-diagnostics-${stampOf(now.getTime() / 1000)}.tar.gz`
  const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory() === true
  const file = isFolder ? path.join(place, name) : place
  if (existsSync(file)) refuse(`${file} is there already`)
  if (!existsSync(path.dirname(file))) refuse(`There is no folder ${path.dirname(file)}`)
  const dataFolder = path.resolve(flags.value.dataFolder)
  const secrets = readSecrets(dataFolder)
  const masterKey = secrets.ok ? secrets.value?.MASTER_KEY : undefined
  const parts = await diagnose({
    dataFolder,
    settings: settings.value,
    environment: process.env,
    origin: servedOrigin(dataFolder),
    token: masterKey === undefined ? undefined : fileToken(masterKey),
    now,
  })
  const entries = parts.map(({ name: own, text }) => ({ path: own, bytes: Buffer.byteLength(text), content: text }))
  const packed = Readable.from(writeArchive(entries, Math.floor(now.getTime() / 1000)))
  await pipeline(packed, createGzip(), createWriteStream(file, { mode: 0o600, flags: 'wx' }))
  process.stdout.write(
    `${file}\nNo secrets are in it; names of sites and downloaders may be. Look through it: tar xzOf ${file}\n`,
  )
}
