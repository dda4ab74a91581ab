/**
 * Finds and reads configuration: the user's own folder first, then every folder from the root of the file system down
 * to the directory, then the file a variable names. Later ones win. Files of a project say less than the user's own.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Configuration, configuration, projectKeys } from '../contract/configuration.ts'
import { isLoopbackAddress } from '../core/bind-address.ts'
import { type MarkdownFile, parseMarkdownFile } from '../core/frontmatter.ts'
import { lineOfPath, parseJsonc } from '../core/jsonc.ts'
import { configFileBytesMax, ruleFileBytesMax } from '../limits.ts'

interface MarkdownEntry extends MarkdownFile {
  readonly name: string
  readonly file: string
}

export interface LoadedConfiguration {
  readonly layers: readonly { readonly file: string; readonly isTrusted: boolean; readonly values: Configuration }[]
  readonly agents: readonly (MarkdownEntry & { readonly isTrusted: boolean })[]
  readonly commands: readonly MarkdownEntry[]
  readonly skills: readonly MarkdownEntry[]
  readonly rules: readonly { readonly file: string; readonly text: string }[]
  /** What was left out, and why: told to whoever starts the server. */
  readonly notices: readonly string[]
}

export interface ConfigurationPlaces {
  /** The user's own folder. */
  readonly userFolder: string
  /** A file named by a variable: the user's own as well. */
  readonly extraFile: string | undefined
}

const fileNames = ['svc.jsonc', 'svc.json']

/** A failure names the file, and the line where that is known. */
export async function loadConfiguration(
  places: ConfigurationPlaces,
  directory: string,
): Promise<Result<LoadedConfiguration, string>> {
  const ancestors = ancestorsOf(directory)
  const notices: string[] = []
  const layers: { file: string; isTrusted: boolean; values: Configuration }[] = []
  const candidates = [
    ...fileNames.map((name) => ({ file: path.join(places.userFolder, name), isTrusted: true })),
    ...ancestors.flatMap((folder) => fileNames.map((name) => ({ file: path.join(folder, name), isTrusted: false }))),
    ...(places.extraFile === undefined ? [] : [{ file: places.extraFile, isTrusted: true }]),
  ]
  for (const { file, isTrusted } of candidates) {
    const text = await readText(file, configFileBytesMax)
    if (text === undefined) {
      if (file === places.extraFile) return failWith(`${file}: cannot be read`)
      continue
    }
    const parsed = parseConfiguration(file, text)
    if (!parsed.ok) return parsed
    const values = isTrusted ? parsed.value : withinProject(file, parsed.value, notices)
    layers.push({ file, isTrusted, values })
  }
  const folders = [
    { folder: places.userFolder, isTrusted: true },
    ...ancestors.map((folder) => ({ folder: path.join(folder, '.svc'), isTrusted: false })),
  ]
  const agents = []
  const commands = []
  const skills = []
  for (const { folder, isTrusted } of folders) {
    for (const entry of await markdownIn(path.join(folder, 'agent'))) agents.push({ ...entry, isTrusted })
    commands.push(...(await markdownIn(path.join(folder, 'command'))))
    skills.push(...(await skillsIn(path.join(folder, 'skill'))))
  }
  for (const folder of ancestors) skills.push(...(await skillsIn(path.join(folder, '.agents', 'skills'))))
  const rules = []
  for (const folder of [places.userFolder, ...ancestors]) {
    const file = path.join(folder, 'AGENTS.md')
    const text = await readText(file, ruleFileBytesMax)
    if (text !== undefined) rules.push({ file, text })
  }
  return succeed({ layers, agents, commands, skills, rules, notices })
}

function parseConfiguration(file: string, text: string): Result<Configuration, string> {
  const parsed = parseJsonc(text)
  if (!parsed.ok) return failWith(`${file}:${parsed.failure.line}: ${parsed.failure.message}`)
  const checked = configuration.safeParse(parsed.value)
  if (checked.success) return succeed(checked.data)
  const issue = checked.error.issues[0]
  const keys = issue?.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : (issue?.path ?? [])
  const name = keys.map(String).join('.')
  const what = issue?.code === 'unrecognized_keys' ? 'unknown key' : (issue?.message ?? 'not a configuration')
  return failWith(`${file}:${lineOfPath(text, keys)}: ${name === '' ? '' : `${name}: `}${what}`)
}

/** A project may be anyone's: what it says about addresses, credentials and the listener is left out. */
function withinProject(file: string, values: Configuration, notices: string[]): Configuration {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(values)) {
    if ((projectKeys as readonly string[]).includes(key)) kept[key] = value
    else notices.push(`${file}: "${key}" is only taken from your own configuration`)
  }
  const hostname = values.server?.hostname
  if (hostname !== undefined && hostname !== 'localhost' && !isLoopbackAddress(hostname)) {
    notices.push(`${file}: "server.hostname" may only name this machine`)
    kept['server'] = { port: values.server?.port }
  }
  return kept as Configuration
}

function ancestorsOf(directory: string): string[] {
  const folders = [directory]
  for (;;) {
    const parent = path.dirname(folders[0] ?? directory)
    if (parent === folders[0]) return folders
    folders.unshift(parent)
  }
}

async function readText(file: string, bytesMax: number): Promise<string | undefined> {
  try {
    const facts = await stat(file)
    if (!facts.isFile() || facts.size > bytesMax) return undefined
    return await readFile(file, 'utf8')
  } catch {
    return undefined
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch {
    return []
  }
}

async function markdownIn(folder: string): Promise<MarkdownEntry[]> {
  const entries: MarkdownEntry[] = []
  for (const name of await namesIn(folder)) {
    if (!name.endsWith('.md')) continue
    const file = path.join(folder, name)
    const text = await readText(file, ruleFileBytesMax)
    if (text !== undefined) entries.push({ ...parseMarkdownFile(text), name: name.slice(0, -'.md'.length), file })
  }
  return entries
}

/** A skill is a folder with a SKILL.md that has a name like the folder and says what it is for. */
async function skillsIn(folder: string): Promise<MarkdownEntry[]> {
  const entries: MarkdownEntry[] = []
  for (const name of await namesIn(folder)) {
    const file = path.join(folder, name, 'SKILL.md')
    const text = await readText(file, ruleFileBytesMax)
    if (text === undefined || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) || name.length > 64) continue
    const skill = parseMarkdownFile(text)
    const isNamedAlike = skill.fields['name'] === undefined || skill.fields['name'] === name
    if (isNamedAlike && typeof skill.fields['description'] === 'string') entries.push({ ...skill, name, file })
  }
  return entries
}
