/** The command line of the index: words in, exit code out. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { CheckedIndexes } from '../store/checked-indexes.ts'
import type { BuildContext } from './build-commands.ts'
import { existingPlace } from './index-places.ts'
import { CommandRefusal, type Output } from './output.ts'

/** A command loads what it needs, and not what the others do. */
const builds = () => import('./build-commands.ts')
const reads = () => import('./read-commands.ts')
const scips = () => import('./scip-commands.ts')
const proofs = () => import('./prove-command.ts')
const changes = () => import('./affected-command.ts')

export interface CommandWorld {
  readonly output: Output
  readonly cwd: string
  readonly version: string
  readonly nowMs: number
  readonly signal: AbortSignal
  readonly checked: CheckedIndexes | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Serves the viewer until it is stopped; resolves with the exit code. */
  readonly view: (options: ViewOptions) => Promise<number>
  readonly review: (options: ReviewOptions) => Promise<number>
  /** Answers a program's questions until it is gone or stops us; resolves with the exit code. */
  readonly answer: (options: AnswerOptions) => Promise<number>
}

export interface AnswerOptions {
  readonly path: string | undefined
  /** Over a port in place of standard input. */
  readonly http: { readonly port: number | undefined } | undefined
}

export interface ReviewOptions {
  readonly path: string | undefined
  readonly range: string
  readonly format: ReviewFormat
}

const reviewFormats = ['text', 'json', 'sarif', 'html'] as const
type ReviewFormat = (typeof reviewFormats)[number]

export interface ViewOptions {
  readonly path: string | undefined
  readonly port: number | undefined
  readonly isBrowserOpened: boolean
  readonly isReadOnly: boolean
}

interface Command {
  readonly usage: string
  readonly about: string
  readonly isPreview?: true
}

const commands: Readonly<Record<string, Command>> = {
  init: { usage: 'init [path] [--force]', about: 'make an index of a project' },
  index: { usage: 'index [path]', about: 'build the index anew' },
  sync: { usage: 'sync [path]', about: 'bring the index up to date with changed files' },
  status: { usage: 'status [path]', about: 'what the index holds and what changed since' },
  query: { usage: 'query <text> [--limit n] [--kind k] [--path p]', about: 'symbols by name' },
  files: { usage: 'files [path]', about: 'files of the index' },
  callers: { usage: 'callers <symbol> [--path p]', about: 'what calls a symbol' },
  callees: { usage: 'callees <symbol> [--path p]', about: 'what a symbol calls' },
  impact: { usage: 'impact <symbol> [--depth n] [--path p]', about: 'everything that reaches a symbol' },
  affected: {
    usage: 'affected [commit] [--tests] [--path p]',
    about: 'files that reach what changed since a commit (HEAD)',
  },
  review: {
    usage: 'review [range] [--format text|json|sarif|html] [--path p]',
    about: 'what a change does to the rest (against HEAD)',
  },
  mcp: {
    usage: 'mcp [path] [--http] [--port n]',
    about: 'answer an agent over standard input or a port (Model Context Protocol)',
  },
  export: { usage: 'export --scip <file> [--path p]', about: 'write the index in the SCIP form, for other programs' },
  import: { usage: 'import <file.scip> [--path p]', about: "prove or refute edges by a compiler's index" },
  prove: { usage: 'prove [path]', about: 'prove or refute edges of TypeScript and JavaScript by their compiler' },
  unlock: { usage: 'unlock [path]', about: 'remove the lock of a build that died' },
  ui: {
    usage: 'ui [path] [--port n] [--no-open] [--read-only]',
    about: 'browse the index (alias: web)',
    isPreview: true,
  },
}
const previewNames = new Set(['ui', 'web'])

const options = {
  json: { type: 'boolean', short: 'j' },
  quiet: { type: 'boolean', short: 'q' },
  force: { type: 'boolean', short: 'f' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
  path: { type: 'string', short: 'p' },
  limit: { type: 'string', short: 'l' },
  kind: { type: 'string', short: 'k' },
  depth: { type: 'string', short: 'd' },
  port: { type: 'string' },
  http: { type: 'boolean' },
  format: { type: 'string' },
  tests: { type: 'boolean' },
  scip: { type: 'string' },
  'no-open': { type: 'boolean' },
  'read-only': { type: 'boolean' },
  color: { type: 'boolean' },
  'no-color': { type: 'boolean' },
} as const

export async function runCommand(words: readonly string[], world: CommandWorld): Promise<number> {
  const { output } = world
  const mayView = world.environment['VIEWER_UI'] === '1'
  const plain = words.filter((one) => !one.startsWith('-'))
  // Before anything else is looked at: without the setting the command does not exist, nor does help for it.
  if (!mayView && (previewNames.has(plain[0] ?? '') || (plain[0] === 'help' && previewNames.has(plain[1] ?? '')))) {
    output.error('the viewer is a preview; set VIEWER_UI=1 to use it')
    return 1
  }
  try {
    const parsed = parseArgs({ args: [...words], options, allowPositionals: true, strict: true })
    const [name, ...rest] = parsed.positionals
    if (parsed.values.version === true) {
      output.line(world.version)
      return 0
    }
    if (name === undefined || name === 'help' || parsed.values.help === true) {
      const topic = name === 'help' ? rest[0] : name
      return help(output, topic === 'web' ? 'ui' : topic, mayView)
    }
    return await dispatch(name, rest, parsed.values, world)
  } catch (error) {
    if (error instanceof CommandRefusal) {
      output.error(error.message)
      return error.exitCode
    }
    if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
      output.error(error.message)
      return 1
    }
    throw error
  }
}

type Values = {
  [K in keyof typeof options]?: ((typeof options)[K]['type'] extends 'boolean' ? boolean : string) | undefined
}

async function dispatch(name: string, rest: readonly string[], values: Values, world: CommandWorld): Promise<number> {
  const { output } = world
  const folderSetting = world.environment['VIEWER_DIR']
  const build: BuildContext = {
    output,
    cwd: world.cwd,
    folderSetting,
    version: world.version,
    nowMs: world.nowMs,
    isQuiet: values.quiet === true,
    isJson: values.json === true,
    signal: world.signal,
    checked: world.checked,
  }
  const read = (given: string | undefined) => ({
    output,
    place: existingPlace({ cwd: world.cwd, folderSetting }, given),
    isJson: values.json === true,
  })
  const [first] = rest
  const required = (what: string): string => {
    if (first === undefined || first === '')
      throw new CommandRefusal(`${name} needs ${what}: indexer ${commands[name]?.usage ?? name}`)
    return first
  }
  const path = values.path ?? undefined
  switch (name) {
    case 'init':
      await (await builds()).initCommand(build, first, values.force === true)
      return 0
    case 'index':
      await (await builds()).indexCommand(build, first)
      return 0
    case 'sync':
      await (await builds()).syncCommand(build, first)
      return 0
    case 'prove':
      await (await proofs()).proveCommand({ ...read(first ?? path), isQuiet: build.isQuiet, signal: build.signal })
      return 0
    case 'unlock':
      ;(await builds()).unlockCommand(build, first)
      return 0
    case 'status':
      ;(await reads()).statusCommand(read(first))
      return 0
    case 'files':
      ;(await reads()).filesCommand(read(first))
      return 0
    case 'query':
      ;(await reads()).queryCommand(
        read(path),
        required('a name'),
        wholeNumber(values.limit, 'limit', 1, 1000, 10),
        values.kind,
      )
      return 0
    case 'callers':
    case 'callees':
      ;(await reads()).relationsCommand(read(path), required('a symbol'), name)
      return 0
    case 'impact':
      ;(await reads()).impactCommand(read(path), required('a symbol'), wholeNumber(values.depth, 'depth', 1, 10, 3))
      return 0
    case 'affected':
      ;(await changes()).affectedCommand(
        read(path),
        first ?? 'HEAD',
        values.tests === true,
        resolve(world.cwd, path ?? '.'),
      )
      return 0
    case 'review':
      return await world.review({
        path,
        range: first ?? 'HEAD',
        format: formatOf(values.format ?? (values.json === true ? 'json' : 'text')),
      })
    case 'export':
      if (values.scip === undefined)
        throw new CommandRefusal(`export needs a file: indexer ${commands['export']?.usage}`)
      ;(await scips()).exportCommand(read(first ?? path), values.scip, world.version)
      return 0
    case 'import':
      ;(await scips()).importCommand(read(path), required('a file'))
      return 0
    case 'mcp':
      if (values.port !== undefined && values.http !== true) throw new CommandRefusal('--port goes with --http')
      return await world.answer({
        path: first ?? path,
        http: values.http === true ? { port: portOf(values) } : undefined,
      })
    case 'ui':
    case 'web':
      return await world.view({
        path: first,
        port: portOf(values),
        isBrowserOpened: values['no-open'] !== true,
        isReadOnly: values['read-only'] === true,
      })
    default:
      throw new CommandRefusal(`no command "${name}"; "indexer help" lists them`)
  }
}

function portOf({ port }: Values): number | undefined {
  return port === undefined ? undefined : wholeNumber(port, 'port', 0, 65_535, 0)
}

function formatOf(text: string): ReviewFormat {
  const format = reviewFormats.find((one) => one === text)
  if (format === undefined) throw new CommandRefusal(`--format is ${reviewFormats.join(', ')}, not "${text}"`)
  return format
}

function wholeNumber(text: string | undefined, name: string, min: number, max: number, fallback: number): number {
  if (text === undefined) return fallback
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isInteger(value) || value < min || value > max)
    throw new CommandRefusal(`--${name} must be a whole number from ${min} to ${max}, not "${text}"`)
  return value
}

function help(output: Output, topic: string | undefined, mayView: boolean): number {
  const command = topic === undefined ? undefined : commands[topic]
  if (topic !== undefined && command === undefined) {
    output.error(`no command "${topic}"; "indexer help" lists them`)
    return 1
  }
  if (command !== undefined) {
    output.line(`indexer ${command.usage}\n  ${command.about}`)
    return 0
  }
  output.line("indexer: an index of a project's code\n")
  for (const one of Object.values(commands))
    if (one.isPreview !== true || mayView) output.line(`  ${one.usage.padEnd(52)}${one.about}`)
  output.line('\nEvery command takes --json and --quiet. Settings: VIEWER_DIR names the index folder (.indexer).')
  return 0
}
