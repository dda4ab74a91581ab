/**
 * Finds and reads configuration: the user's own folder first, then every folder from the root of the file system down
 * to the directory, then what variables name. Later ones win. Files of a project say less than the user's own, until
 * the owner trusts them as they are.
 */
import { access, glob, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  type Configuration,
  configuration,
  projectKeys,
  type ToolServerConfiguration,
} from '../contract/configuration.ts'
import { permissionRules, tighteningRules } from '../core/agent-catalogue.ts'
import { isLoopbackAddress } from '../core/bind-address.ts'
import type { ConfigurationFault } from '../core/configuration-fault.ts'
import { lineOfPath, parseJsonc } from '../core/jsonc.ts'
import { parseRuleFile, type RuleText, sayRules } from '../core/rule-file.ts'
import { configFileBytesMax, ruleFileBytesMax, ruleFilesMax, valueFileBytesMax } from '../limits.ts'
import { agentsIn, commandsIn, type SkillFile, skillsIn } from './markdown-files.ts'
import { readText } from './text-file.ts'
import { contentHash, readTrustedFiles } from './trusted-files.ts'

export interface ConfigurationLayer {
  readonly file: string
  /** What paths in it start from. */
  readonly folder: string
  readonly isTrusted: boolean
  readonly values: Configuration
}

type Owned<T> = T & { readonly isTrusted: boolean }
type FoundAgent = Extract<Awaited<ReturnType<typeof agentsIn>>, { ok: true }>['value'][number]
type FoundCommand = Extract<Awaited<ReturnType<typeof commandsIn>>, { ok: true }>['value'][number]

export interface LoadedConfiguration {
  readonly layers: readonly ConfigurationLayer[]
  readonly agents: readonly Owned<FoundAgent>[]
  readonly commands: readonly Owned<FoundCommand>[]
  readonly skills: readonly SkillFile[]
  /** What the model is told of each file of rules. */
  readonly rules: readonly RuleText[]
  /** What was left out, and why: told to whoever starts the server. */
  readonly notices: readonly string[]
}

export interface ConfigurationPlaces {
  /** The user's own folder. */
  readonly userFolder: string
  /** A file named by a variable: the user's own as well. */
  readonly extraFile: string | undefined
  /** Configuration that a variable holds. */
  readonly inline?: string | undefined
  /** The list of project files that the owner trusts. */
  readonly trustList?: string | undefined
  /** Variables that values may stand for. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
}

const fileNames = ['svc.jsonc', 'svc.json']

/** Files of a project and of the folders above it that may hold configuration, outermost first. */
export async function projectFiles(directory: string): Promise<string[]> {
  const { folders } = await projectFolders(directory)
  return filesIn(folders)
}

function filesIn(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    [folder, path.join(folder, '.svc')].flatMap((place) => fileNames.map((name) => path.join(place, name))),
  )
}

/** Those of the layers that may name programs and addresses, the later winning. */
export function toolServersOf({ layers }: LoadedConfiguration): Readonly<Record<string, ToolServerConfiguration>> {
  return Object.assign({}, ...layers.filter((layer) => layer.isTrusted).map((layer) => layer.values.mcp ?? {}))
}

export async function loadConfiguration(
  places: ConfigurationPlaces,
  directory: string,
): Promise<Result<LoadedConfiguration, ConfigurationFault>> {
  const notices: string[] = []
  const { folders: ancestors, root } = await projectFolders(directory)
  const layers = await loadLayers(places, directory, ancestors, notices)
  if (!layers.ok) return layers
  /** A file of the project may be a link: what it leads to must be of the project too. */
  const within = (folder: string) => (isInside(root, folder) ? root : undefined)
  const agents = []
  const commands = []
  const skills: SkillFile[] = []
  const folders = [
    { folder: places.userFolder, isTrusted: true },
    ...ancestors.map((folder) => ({ folder: path.join(folder, '.svc'), isTrusted: false })),
  ]
  for (const { folder, isTrusted } of folders) {
    const foundAgents = await agentsIn(folder, within(folder))
    if (!foundAgents.ok) return foundAgents
    agents.push(...foundAgents.value.map((agent) => ({ ...agent, isTrusted })))
    for (const { file, values } of foundAgents.value) {
      if (!isTrusted && values.options !== undefined) notices.push(leftOutOf(file, ['options']))
    }
    const foundCommands = await commandsIn(folder, within(folder))
    if (!foundCommands.ok) return foundCommands
    commands.push(...foundCommands.value.map((command) => ({ ...command, isTrusted })))
  }
  for (const folder of skillFolders(places, ancestors, layers.value)) {
    skills.push(...(await skillsIn(folder, within(folder), notices)))
  }
  const rules = await loadRules([places.userFolder, ...ancestors], layers.value, within)
  if (!rules.ok) return rules
  return succeed({ layers: layers.value, agents, commands, skills, rules: rules.value, notices })
}

async function loadLayers(
  places: ConfigurationPlaces,
  directory: string,
  folders: readonly string[],
  notices: string[],
): Promise<Result<ConfigurationLayer[], ConfigurationFault>> {
  const trusted = await readTrustedFiles(places.trustList)
  const layers: ConfigurationLayer[] = []
  const add = async (file: string, text: string, isOwn: boolean): Promise<Result<void, ConfigurationFault>> => {
    const isTrusted = isOwn || trusted[file] === contentHash(text)
    const parsed = await parseConfiguration(file, text, isTrusted ? (places.environment ?? {}) : undefined)
    if (!parsed.ok) return parsed
    const values = isTrusted ? parsed.value : withinProject(file, parsed.value, notices)
    layers.push({ file, folder: path.dirname(file), isTrusted, values })
    return succeed(undefined)
  }
  const candidates = [
    ...fileNames.map((name) => ({ file: path.join(places.userFolder, name), isOwn: true })),
    ...filesIn(folders).map((file) => ({ file, isOwn: false })),
    ...(places.extraFile === undefined ? [] : [{ file: places.extraFile, isOwn: true }]),
  ]
  for (const { file, isOwn } of candidates) {
    const read = await readText(file, configFileBytesMax)
    if (!read.ok) return read
    if (read.value === undefined) {
      if (file === places.extraFile) return failWith({ kind: 'unread', file })
      continue
    }
    const added = await add(file, read.value, isOwn)
    if (!added.ok) return added
  }
  if (places.inline !== undefined) {
    const added = await add(path.join(directory, '(SVC_CONFIG_CONTENT)'), places.inline, true)
    if (!added.ok) return added
  }
  return succeed(layers)
}

/** With an environment, texts may stand for variables and files: `{env:NAME}` and `{file:path}`. */
async function parseConfiguration(
  file: string,
  text: string,
  environment: Readonly<Record<string, string | undefined>> | undefined,
): Promise<Result<Configuration, ConfigurationFault>> {
  const parsed = parseJsonc(text)
  if (!parsed.ok) return failWith({ kind: 'syntax', file, line: parsed.failure.line, reason: parsed.failure.message })
  let value = parsed.value
  if (environment !== undefined) {
    const filled = await fillValues(value, [], { folder: path.dirname(file), environment })
    if (!filled.ok) {
      const { keys, reference } = filled.failure
      return failWith({ kind: 'unfilled', file, line: lineOfPath(text, keys), reference })
    }
    value = filled.value
  }
  const checked = configuration.safeParse(value)
  if (checked.success) return succeed(checked.data)
  const issue = checked.error.issues[0]
  const keys = issue?.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : (issue?.path ?? [])
  const place = { file, line: lineOfPath(text, keys), name: keys.map(String).join('.') }
  if (issue?.code === 'unrecognized_keys') return failWith({ kind: 'unknown_key', ...place })
  return failWith({ kind: 'value', ...place, reason: issue?.message ?? 'not a configuration' })
}

interface FillContext {
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

async function fillValues(
  value: unknown,
  keys: readonly PropertyKey[],
  context: FillContext,
): Promise<Result<unknown, { readonly keys: readonly PropertyKey[]; readonly reference: string }>> {
  if (typeof value === 'string') {
    const filled = await fillText(value, context)
    return filled.ok ? filled : failWith({ keys, reference: filled.failure.reference })
  }
  if (typeof value !== 'object' || value === null) return succeed(value)
  const entries: [string, unknown][] = []
  for (const [key, inner] of Object.entries(value)) {
    const filled = await fillValues(inner, [...keys, key], context)
    if (!filled.ok) return filled
    entries.push([key, filled.value])
  }
  return succeed(Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries))
}

/** What a variable or a file holds is not looked into again. A failure is the reference that leads nowhere. */
async function fillText(
  text: string,
  { folder, environment }: FillContext,
): Promise<Result<string, { reference: string }>> {
  const out: string[] = []
  let position = 0
  for (const match of text.matchAll(/\{(env|file):([^{}]+)\}/g)) {
    const [whole, kind, name = ''] = match
    out.push(text.slice(position, match.index))
    position = match.index + whole.length
    if (kind === 'env') {
      out.push(environment[name] ?? '')
      continue
    }
    const read = await readText(path.resolve(folder, expandHome(name, environment)), valueFileBytesMax)
    if (!read.ok || read.value === undefined) return failWith({ reference: whole })
    out.push(read.value.trimEnd())
  }
  return succeed(out.join('') + text.slice(position))
}

export function expandHome(name: string, environment: Readonly<Record<string, string | undefined>>): string {
  return name.startsWith('~/') ? path.join(environment['HOME'] ?? '/', name.slice(2)) : name
}

/** A project may be anyone's: what it says about addresses, credentials, programs and the listener is left out. */
function withinProject(file: string, values: Configuration, notices: string[]): Configuration {
  const kept: Record<string, unknown> = {}
  const leftOut: string[] = []
  for (const [key, value] of Object.entries(values)) {
    if ((projectKeys as readonly string[]).includes(key)) kept[key] = value
    else leftOut.push(key)
  }
  if (values.permission !== undefined) {
    const rules = permissionRules(values.permission)
    if (tighteningRules(rules).length < rules.length) leftOut.push('permission: allow')
  }
  const outside = (values.instructions ?? []).filter(
    (entry) => path.isAbsolute(entry) || /(?:^|\/)\.\.(?:\/|$)/.test(entry),
  )
  if (outside.length > 0) {
    leftOut.push(...outside)
    kept['instructions'] = values.instructions?.filter((entry) => !outside.includes(entry))
  }
  const hostname = values.server?.hostname
  if (hostname !== undefined && hostname !== 'localhost' && !isLoopbackAddress(hostname)) {
    leftOut.push('server.hostname')
    kept['server'] = { port: values.server?.port }
  }
  const isFetched = (entry: unknown) =>
    typeof entry === 'object' ? entry !== null && 'repository' in entry : isRepository(String(entry))
  const references = Object.entries(values.references ?? {})
  if (references.some(([, entry]) => isFetched(entry))) {
    leftOut.push('references to repositories')
    kept['references'] = Object.fromEntries(references.filter(([, entry]) => !isFetched(entry)))
  }
  for (const [id, agent] of Object.entries(values.agent ?? {})) {
    if (agent.options !== undefined) leftOut.push(`agent.${id}.options`)
  }
  if (leftOut.length > 0) notices.push(leftOutOf(file, leftOut))
  return kept as Configuration
}

function leftOutOf(file: string, keys: readonly string[]): string {
  const list = keys.map((key) => JSON.stringify(key)).join(', ')
  return `${file}: ${list} left out: not taken from a project before \`svc trust\` there`
}

/** `owner/name`, as opposed to a path, which begins with a dot, a tilde or a slash. */
export function isRepository(text: string): boolean {
  return /^(?:[\w-][\w.-]*\/[\w.-]+|(?:https|file):\/\/.+)$/.test(text)
}

function skillFolders(
  places: ConfigurationPlaces,
  ancestors: readonly string[],
  layers: readonly ConfigurationLayer[],
): string[] {
  const home = places.environment?.['HOME']
  const own = [places.userFolder, ...ancestors.map((folder) => path.join(folder, '.svc'))]
  const shared = [...(home === undefined ? [] : [home]), ...ancestors]
  const named = layers.flatMap(({ folder, values }) =>
    (values.skills?.paths ?? []).map((entry) => path.resolve(folder, expandHome(entry, places.environment ?? {}))),
  )
  return [
    ...new Set([
      ...own.flatMap((folder) => [path.join(folder, 'skill'), path.join(folder, 'skills')]),
      ...shared.map((folder) => path.join(folder, '.agents', 'skills')),
      ...named,
    ]),
  ]
}

/** Nobody writes rules there, and there is much to look through. */
function isSkipped(name: string): boolean {
  return name === 'node_modules' || name === '.git'
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

const editorRuleEnding = '.mdc'

/** Of editors that keep rules in files of their own. */
async function editorRulesIn(folder: string): Promise<string[]> {
  const place = path.join(folder, '.cursor', 'rules')
  const names: string[] = []
  try {
    for (const entry of await readdir(place, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && entry.name.endsWith(editorRuleEnding)) names.push(path.join(entry.parentPath, entry.name))
  } catch {
    return []
  }
  return names.sort().slice(0, ruleFilesMax)
}

/** Rules of the folders, then the files that the configuration names. */
async function loadRules(
  folders: readonly string[],
  layers: readonly ConfigurationLayer[],
  within: (folder: string) => string | undefined,
): Promise<Result<RuleText[], ConfigurationFault>> {
  const files = new Map<string, string | undefined>()
  for (const folder of folders) {
    // Most who keep both have the same in them.
    for (const name of ['AGENTS.md', 'CLAUDE.md']) {
      const file = path.join(folder, name)
      files.set(file, within(folder))
      if (await isThere(file)) break
    }
    for (const file of await editorRulesIn(folder)) files.set(file, within(folder))
  }
  for (const { file, folder, isTrusted, values } of layers) {
    for (const pattern of values.instructions ?? []) {
      for await (const found of glob(pattern, { cwd: folder, exclude: isSkipped })) {
        files.set(path.resolve(folder, found), isTrusted ? undefined : (within(folder) ?? folder))
        if (files.size > ruleFilesMax + 2 * folders.length) {
          return failWith({ kind: 'too_many_rules', file, most: ruleFilesMax })
        }
      }
    }
  }
  const rules: RuleText[] = []
  for (const [file, root] of files) {
    const read = await readText(file, ruleFileBytesMax, root)
    if (!read.ok) return read
    if (read.value === undefined) continue
    const isOfEditor = file.endsWith(editorRuleEnding)
    const text = isOfEditor ? sayRules(file, parseRuleFile(read.value)) : `Rules from ${file}:\n\n${read.value}`
    rules.push({ file, text })
  }
  return succeed(rules)
}

function ancestorsOf(directory: string): string[] {
  const folders = [directory]
  for (;;) {
    const parent = path.dirname(folders[0] ?? directory)
    if (parent === folders[0]) return folders
    folders.unshift(parent)
  }
}

/**
 * The folders whose word counts, outermost first: the project, and what lies above it as far as only the owner can
 * write there. Anyone could leave rules in a folder such as `/tmp`.
 */
async function projectFolders(directory: string): Promise<{ readonly folders: string[]; readonly root: string }> {
  const ancestors = ancestorsOf(directory)
  const root = await rootOf(ancestors)
  const folders: string[] = []
  for (const folder of ancestors) {
    const facts = await stat(folder).catch(() => undefined)
    if (isInside(root, folder) || (facts !== undefined && (facts.mode & 0o002) === 0)) folders.push(folder)
  }
  return { folders, root }
}

/** The project: the innermost folder that is a repository, or the directory itself. */
async function rootOf(ancestors: readonly string[]): Promise<string> {
  for (const folder of ancestors.toReversed()) {
    const isRepositoryRoot = await access(path.join(folder, '.git')).then(
      () => true,
      () => false,
    )
    if (isRepositoryRoot) return folder
  }
  return ancestors.at(-1) ?? '/'
}

function isInside(root: string, file: string): boolean {
  return file === root || file.startsWith(`${root}${path.sep}`)
}
