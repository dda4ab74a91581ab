/**
 * What somebody who is asked for help needs to know of an installation, as a few texts. No secret is among them: values of
 * variables are not told, what was stored is counted, and every text passes the redactor and then loses whatever this
 * machine is known to keep secret.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isBuilt } from '../../bin/installation.mjs'
import { redact } from '../../workers/app/core/redact.ts'
import { Shelf } from '../backup/shelf.ts'
import type { ReadSettings } from '../configuration/read-settings.ts'
import { variableOf } from '../configuration/settings.ts'
import { gatewayVariables } from '../workerd/gateway-variables.ts'
import { secretsAmong } from '../workerd/hosted-runtime.ts'
import { secretSettingCharactersMin } from '../workerd/limits.ts'
import { bytesOf, damageOf, databasesOf } from './databases.ts'
import { spaceOn } from './disk.ts'
import { diagnosticsAnswerMs, diagnosticsLinesMax } from './limits.ts'
import { logFileName, logFolderOf } from './log-file.ts'
import { succeedOr } from './quietly.ts'
import { releaseVersion, stepsOfRelease } from './release.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface DiagnosticsOptions {
  readonly dataFolder: string
  readonly settings: ReadSettings
  readonly environment: Environment
  /** Where the service answers; undefined where none runs. */
  readonly origin: string | undefined
  /** What opens its figures. */
  readonly token: string | undefined
  readonly now: Date
}

export interface Diagnostic {
  readonly name: string
  readonly text: string
}

export async function diagnose(options: DiagnosticsOptions): Promise<Diagnostic[]> {
  const { dataFolder, settings, environment, origin, token, now } = options
  const scrub = scrubber(dataFolder, environment, settings)
  const facts = (name: string, value: object): Diagnostic => ({
    name,
    // Text by text: what masks a value does not take the brackets around it for a part of it.
    text: `${JSON.stringify(value, (_, one) => (typeof one === 'string' ? scrub(one) : one), 2)}\n`,
  })
  return [
    facts('about.json', aboutMachine(now)),
    facts('settings.json', aboutSettings(settings, environment)),
    facts('data.json', aboutData(dataFolder)),
    facts('service.json', await aboutService(origin)),
    { name: 'metrics.txt', text: await figuresOf(origin, token, scrub) },
    {
      name: 'log.jsonl',
      text: lastLines(dataFolder)
        .map((line) => `${scrubLine(line, scrub)}\n`)
        .join(''),
    },
  ]
}

function aboutMachine(now: Date): object {
  const [processor] = os.cpus()
  return {
    time: now.toISOString(),
    version: releaseVersion,
    installed: isBuilt ? 'package' : 'checkout',
    node: process.version,
    platform: process.platform,
    architecture: process.arch,
    kernel: os.release(),
    processors: os.cpus().length,
    processor: processor?.model,
    memory_bytes: os.totalmem(),
    memory_free_bytes: os.freemem(),
    up_seconds: Math.round(os.uptime()),
    load: os.loadavg(),
    time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
}

/** Settings are no secrets; variables of other programs may be, and are named alone. */
function aboutSettings({ written, file, declares }: ReadSettings, environment: Environment): object {
  const isRelated = (name: string) => name.startsWith('WHARF_') || name.startsWith('OTEL_') || name.startsWith('NODE_')
  const related = Object.keys({ ...gatewayVariables(environment), ...pick(environment, isRelated) })
  const told = new Set([...written.keys()].map(variableOf))
  return {
    file,
    settings: Object.fromEntries([...written].map(([name, { texts, from }]) => [name, { values: texts, from }])),
    declared: Object.fromEntries(
      Object.entries(declares?.entries ?? {}).map(([kind, of]) => [kind, Array.isArray(of) ? of.length : 0]),
    ),
    variables: related.filter((name) => !told.has(name)).sort(),
  }
}

function pick(environment: Environment, isWanted: (name: string) => boolean): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isWanted(name)))
}

function aboutData(dataFolder: string): object {
  const databases = databasesOf(dataFolder)
  const [main] = databases
  const shelf = new Shelf(dataFolder)
  return {
    folder: dataFolder,
    entries: succeedOr([], () => readdirSync(dataFolder)),
    disk: succeedOr(undefined, () => spaceOn(dataFolder)),
    steps_known: stepsOfRelease().length,
    databases: databases.map(({ file, kind }) => ({
      file: path.relative(dataFolder, file),
      kind,
      bytes: bytesOf(file),
      damage: damageOf(file),
    })),
    rows: main === undefined ? {} : rowsOf(main.file),
    backups: shelf.list().map(({ name, bytes, readBack }) => ({ name, bytes, read_back: readBack })),
  }
}

function rowsOf(file: string): Record<string, number> {
  return succeedOr({}, () => {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL").all()
      const count = (name: string) => database.prepare(`SELECT count(*) AS rows FROM "${name}"`).get()?.['rows']
      return Object.fromEntries(tables.map(({ name }) => [String(name), Number(count(String(name)))]))
    } finally {
      database.close()
    }
  })
}

async function aboutService(origin: string | undefined): Promise<object> {
  if (origin === undefined) return { running: false }
  const [health, readiness] = await Promise.all(['/healthz', '/readyz'].map((where) => ask(origin + where)))
  return { running: true, origin, health, readiness }
}

async function figuresOf(
  origin: string | undefined,
  token: string | undefined,
  scrub: (text: string) => string,
): Promise<string> {
  if (origin === undefined) return ''
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const { text, fault } = await ask(`${origin}/metrics`, headers)
  return `${(text ?? fault ?? '').split('\n').map(scrub).join('\n').trimEnd()}\n`
}

interface Asked {
  readonly status?: number
  readonly text?: string
  readonly fault?: string
}

async function ask(address: string, headers: Record<string, string> = {}): Promise<Asked> {
  try {
    const answer = await fetch(address, { headers, signal: AbortSignal.timeout(diagnosticsAnswerMs) })
    return { status: answer.status, text: await answer.text() }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

/** Newest file first until there are enough; lines in the order in which they were written. */
function lastLines(dataFolder: string): string[] {
  const folder = logFolderOf(dataFolder)
  const ageOf = (name: string) => Number(name.slice(logFileName.length + 1))
  const files = succeedOr([], () => readdirSync(folder))
    .filter((name) => name === logFileName || /^\d+$/.test(name.slice(logFileName.length + 1)))
    .sort((a, b) => ageOf(a) - ageOf(b))
  let lines: string[] = []
  for (const name of files) {
    if (lines.length >= diagnosticsLinesMax) break
    lines = [...readFileSync(path.join(folder, name), 'utf8').split('\n').slice(0, -1), ...lines]
  }
  return lines.slice(-diagnosticsLinesMax)
}

function scrubLine(line: string, scrub: (text: string) => string): string {
  const facts = succeedOr(undefined, () => JSON.parse(line) as Record<string, unknown>)
  if (facts === undefined) return scrub(line)
  return JSON.stringify(facts, (_, one) => (typeof one === 'string' ? scrub(one) : one))
}

/** The redactor goes by what secrets look like; what this machine keeps is known. */
function scrubber(dataFolder: string, environment: Environment, settings: ReadSettings): (text: string) => string {
  const named = Object.entries(environment).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const known = [
    ...secretsAmong(Object.fromEntries(named), secretSettingCharactersMin),
    environment['WHARF_BACKUP_PASS_PHRASE'] ?? '',
    ...keptTexts(dataFolder),
    ...referredTexts(settings, environment),
  ]
  const secrets = [...new Set(known)].filter((text) => text.length >= secretSettingCharactersMin)
  const home = os.homedir()
  return (text) => {
    const hidden = secrets.reduce((all, secret) => all.replaceAll(secret, '***'), text)
    // A time is no secret, and most lines begin with one.
    const redacted = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(hidden) ? hidden : redact(hidden)
    return home === '/' ? redacted : redacted.replaceAll(home, '~')
  }
}

/** Files at the top of the data folder and of its doors hold secrets, each as a line or as a text of JSON. */
function keptTexts(dataFolder: string): string[] {
  return [dataFolder, path.join(dataFolder, 'doors')].flatMap((folder) =>
    succeedOr([], () => readdirSync(folder)).flatMap((name) => {
      const file = path.join(folder, name)
      const isSmall = succeedOr(false, () => statSync(file).isFile() && statSync(file).size < keptBytesMax)
      if (!isSmall || notSecret.has(name)) return []
      const text = readFileSync(file, 'utf8')
      const value = succeedOr(undefined, () => JSON.parse(text) as unknown)
      return value === undefined ? [text.trim()] : textsIn(value)
    }),
  )
}

/** What the configuration file says the place of: a variable, or a file beside it. */
function referredTexts({ declares, file = '' }: ReadSettings, environment: Environment): string[] {
  return textsIn(declares?.entries).flatMap((name) => {
    const place = path.resolve(path.dirname(file), name)
    const isSmall = succeedOr(false, () => statSync(place).isFile() && statSync(place).size < keptBytesMax)
    return [environment[name] ?? '', isSmall ? readFileSync(place, 'utf8').trim() : '']
  })
}

const keptBytesMax = 64 * 1024
const notSecret: ReadonlySet<string> = new Set(['addresses.json', 'host.lock'])

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
