/** Agents, commands and skills as Markdown files: a head of YAML between two `---` lines, and a body. */
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { z } from '@hono/zod-openapi'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  type AgentConfiguration,
  agentConfiguration,
  type CommandConfiguration,
  commandConfiguration,
  isVariantOfModel,
  skillHead,
  variantOfNothing,
} from '../contract/configuration.ts'
import { type ConfigurationFault, sayConfigurationFault } from '../core/configuration-fault.ts'
import { markdownFileBytesMax, markdownFilesMax } from '../limits.ts'
import { readText } from './text-file.ts'

interface NamedFile<V> {
  readonly name: string
  readonly file: string
  readonly values: V
  readonly body: string
}

type AgentFile = NamedFile<Omit<AgentConfiguration, 'prompt'>>
type CommandFile = NamedFile<Omit<CommandConfiguration, 'template'>>
export type SkillFile = NamedFile<z.output<typeof skillHead>>

// What a head says beyond what is known here may be meant for another program.
const agentHead = agentConfiguration
  .omit({ prompt: true })
  .extend({ name: z.string().min(1).max(80).optional() })
  .strip()
const commandHead = commandConfiguration.omit({ template: true }).strip().refine(isVariantOfModel, variantOfNothing)

/** A folder is found under either of its names. A file in a folder of its own has that folder in its name. */
export async function agentsIn(
  folder: string,
  root: string | undefined,
): Promise<Result<AgentFile[], ConfigurationFault>> {
  const found = await allIn([path.join(folder, 'agent'), path.join(folder, 'agents')], agentHead, root)
  if (!found.ok) return found
  return succeed(found.value.map((agent) => ({ ...agent, name: agent.values.name ?? agent.name })))
}

export function commandsIn(
  folder: string,
  root: string | undefined,
): Promise<Result<CommandFile[], ConfigurationFault>> {
  return allIn([path.join(folder, 'command'), path.join(folder, 'commands')], commandHead, root)
}

async function allIn<S extends z.ZodType>(
  folders: readonly string[],
  head: S,
  root: string | undefined,
): Promise<Result<NamedFile<z.output<S>>[], ConfigurationFault>> {
  const found: NamedFile<z.output<S>>[] = []
  for (const folder of folders) {
    for (const name of await markdownNamesIn(folder)) {
      const file = path.join(folder, name)
      const parsed = await readMarkdown(file, head, root)
      if (!parsed.ok) return parsed
      if (parsed.value !== undefined) found.push({ ...parsed.value, name: name.slice(0, -'.md'.length), file })
    }
  }
  return succeed(found)
}

async function markdownNamesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.name.endsWith('.md') && !entry.isDirectory())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
      .sort()
      .slice(0, markdownFilesMax)
  } catch {
    return []
  }
}

/**
 * A skill is a folder with a SKILL.md that has a name like the folder and says what it is for. Skills come from many
 * places, so one that is not well made is left out with a notice and costs the others nothing.
 */
export async function skillsIn(folder: string, root: string | undefined, notices: string[]): Promise<SkillFile[]> {
  const skills: SkillFile[] = []
  const names = await readdir(folder).catch(() => [])
  for (const name of names.sort().slice(0, markdownFilesMax)) {
    const file = path.join(folder, name, 'SKILL.md')
    const parsed = await readMarkdown(file, skillHead, root)
    if (!parsed.ok) notices.push(sayConfigurationFault(parsed.failure))
    else if (parsed.value === undefined) continue
    else if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) || name.length > 64) {
      notices.push(`${file}: a skill's folder is named with small letters, digits and single hyphens, at most 64`)
    } else if ((parsed.value.values.name ?? name) !== name) {
      notices.push(`${file}: name: must be ${JSON.stringify(name)}, like the folder`)
    } else skills.push({ ...parsed.value, name, file })
  }
  return skills
}

async function readMarkdown<S extends z.ZodType>(
  file: string,
  head: S,
  root: string | undefined,
): Promise<Result<{ readonly values: z.output<S>; readonly body: string } | undefined, ConfigurationFault>> {
  const read = await readText(file, markdownFileBytesMax, root)
  if (!read.ok) return read
  if (read.value === undefined) return succeed(undefined)
  const match = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(read.value)
  const parsed = match === null ? succeed({ value: {}, lineOf: () => 1 }) : await parseHead(file, match[1] ?? '')
  if (!parsed.ok) return parsed
  const checked = head.safeParse(parsed.value.value ?? {})
  const body = read.value.slice(match?.[0].length ?? 0).trim()
  if (checked.success) return succeed({ values: checked.data, body })
  const issue = checked.error.issues[0]
  const keys = issue?.path ?? []
  const [name, reason] = [keys.map(String).join('.'), issue?.message ?? 'not known']
  return failWith({ kind: 'value', file, line: parsed.value.lineOf(keys), name, reason })
}

interface Head {
  readonly value: unknown
  readonly lineOf: (keys: readonly PropertyKey[]) => number
}

/** The head starts on the second line of the file. */
async function parseHead(file: string, text: string): Promise<Result<Head, ConfigurationFault>> {
  const { isNode, LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const lineAt = (offset: number) => lines.linePos(offset).line + 1
  const [error] = document.errors
  if (error !== undefined) {
    const reason = error.message.split('\n')[0] ?? error.code
    return failWith({ kind: 'syntax', file, line: lineAt(error.pos[0]), reason })
  }
  try {
    return succeed({
      value: document.toJS({ maxAliasCount: 10 }),
      lineOf(keys) {
        const node = keys.length === 0 ? undefined : document.getIn(keys, true)
        return isNode(node) && node.range != null ? lineAt(node.range[0]) : 2
      },
    })
  } catch {
    return failWith({ kind: 'repeats', file, line: 2 })
  }
}
