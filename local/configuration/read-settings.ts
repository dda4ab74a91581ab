/** What was asked for, from all places: a flag stands before a variable, a variable before the file. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { parse, TomlError } from 'smol-toml'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { nearestName } from '../../workers/app/core/nearest-name.ts'
import { type DeclaredKind, declaredKinds } from '../../workers/app/core/vocabulary.ts'
import { configFileBytesMax } from './limits.ts'
import { keyOf, type Setting, type SettingName, settingNames, settings, startFlags, variableOf } from './settings.ts'

/** A setting as it was written, and by which name to speak of it. */
interface Written {
  readonly texts: readonly string[]
  readonly name: string
  readonly from: 'flag' | 'variable' | 'file'
}

export interface ReadSettings {
  readonly written: ReadonlyMap<SettingName, Written>
  readonly flags: ReadonlySet<keyof typeof startFlags | 'workers'>
  /** The file that was read. */
  readonly file: string | undefined
  /** What it has beside settings. */
  readonly declares: DeclaringFile | undefined
}

/** As it was written, by kind. */
export interface DeclaringFile {
  readonly file: string
  readonly entries: Readonly<Partial<Record<DeclaredKind, unknown>>>
}

type Environment = Readonly<Record<string, string | undefined>>

const defaultFile = 'wharf.toml'

export function readSettings(args: readonly string[], environment: Environment): Result<ReadSettings, string> {
  const flags = readFlags(args)
  if (!flags.ok) return flags
  const named = flags.value['config'] ?? environment[variableOf('config')]
  const file = typeof named === 'string' && named !== '' ? named : undefined
  const table = readTable(file)
  if (!table.ok) return table
  const written = new Map<SettingName, Written>()
  for (const name of settingNames) {
    const one = fromFlag(name, flags.value[name]) ?? fromVariable(name, environment[variableOf(name)])
    const value = table.value?.entries[keyOf(name)]
    const found =
      one === undefined && value !== undefined
        ? fromFile(name, value, path.dirname(table.value?.file ?? ''))
        : succeed(one)
    if (!found.ok) return failWith(`${table.value?.file ?? ''}: ${found.failure}`)
    if (found.value !== undefined) written.set(name, found.value)
  }
  const own = [...Object.keys(startFlags), 'workers'] as (keyof typeof startFlags | 'workers')[]
  return succeed({
    written,
    flags: new Set(own.filter((name) => flags.value[name] === true)),
    file: table.value?.file,
    declares: declaredBy(table.value),
  })
}

function declaredBy(table: { file: string; entries: Record<string, unknown> } | undefined): DeclaringFile | undefined {
  const entries = declaredKinds.flatMap((kind) => {
    const tables = table?.entries[kind]
    return tables === undefined ? [] : [[kind, tables] as const]
  })
  return table === undefined || entries.length === 0
    ? undefined
    : { file: table.file, entries: Object.fromEntries(entries) }
}

type FlagValues = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>

function readFlags(args: readonly string[]): Result<FlagValues, string> {
  const options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean; short?: string }> = {
    workers: { type: 'boolean' },
  }
  for (const [name, { kind }] of Object.entries(settings))
    options[name] = { type: kind === 'switch' ? 'boolean' : 'string', multiple: kind === 'list' }
  for (const [name, flag] of Object.entries(startFlags))
    options[name] = { type: 'value' in flag ? 'string' : 'boolean' }
  options['help'] = { type: 'boolean', short: 'h' }
  try {
    return succeed(parseArgs({ args: [...args], strict: true, allowPositionals: false, options }).values)
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error)
    return failWith(`${reason.replaceAll('\n', ' ')}; --help lists what there is`)
  }
}

function readTable(
  named: string | undefined,
): Result<{ file: string; entries: Record<string, unknown> } | undefined, string> {
  const file = path.resolve(named ?? defaultFile)
  if (named === undefined && !existsSync(file)) return succeed(undefined)
  let text: string
  try {
    if (statSync(file).size > configFileBytesMax) return failWith(`${file} is larger than ${configFileBytesMax} bytes`)
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return failWith(`${file} cannot be read (${code === 'ENOENT' ? 'there is none' : code})`)
  }
  try {
    const entries = parse(text)
    const known = [...settingNames.map(keyOf), ...declaredKinds]
    const unknown = Object.keys(entries).find((key) => !known.includes(key))
    return unknown === undefined
      ? succeed({ file, entries })
      : failWith(`${file}: ${unknownName('setting', unknown, known)}`)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    return failWith(
      `${file}, line ${error.line}: ${error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '')}`,
    )
  }
}

function fromFlag(name: SettingName, value: FlagValues[string]): Written | undefined {
  if (value === undefined) return undefined
  const texts = [value].flat().map((one) => (one === true ? 'yes' : String(one)))
  return { texts, name: `--${name}`, from: 'flag' }
}

/** An empty variable is none. Several values stand with spaces between. */
function fromVariable(name: SettingName, value = ''): Written | undefined {
  const text = value.trim()
  if (text === '') return undefined
  return {
    texts: settings[name].kind === 'list' ? text.split(/\s+/) : [text],
    name: variableOf(name),
    from: 'variable',
  }
}

/** What lies beside the file is named by its place beside it. */
function fromFile(name: SettingName, value: unknown, folder: string): Result<Written, string> {
  const key = keyOf(name)
  const { kind, value: stands }: Setting = settings[name]
  const isPath = stands === 'DIR' || stands === 'FILE'
  const write = (...texts: readonly string[]): Result<Written, string> => succeed({ texts, name: key, from: 'file' })
  if (kind === 'switch')
    return typeof value === 'boolean' ? write(value ? 'yes' : 'no') : failWith(`${key} is true or false`)
  if (kind === 'number')
    return typeof value === 'bigint' || typeof value === 'number'
      ? write(String(value))
      : failWith(`${key} is a number`)
  if (kind === 'text')
    return typeof value === 'string'
      ? write(isPath && value !== '' ? path.resolve(folder, value) : value)
      : failWith(`${key} is a text in quotation marks`)
  const list: readonly unknown[] = Array.isArray(value) ? value : []
  const texts = list.filter((one): one is string => typeof one === 'string')
  return Array.isArray(value) && texts.length === list.length
    ? write(...texts)
    : failWith(`${key} is a list of texts in brackets`)
}

export function unknownName(what: 'field' | 'setting', written: string, known: readonly string[]): string {
  const near = nearestName(written, known)
  return `there is no ${what} ${written}${near === undefined ? '' : `; did you mean ${near}?`}`
}
