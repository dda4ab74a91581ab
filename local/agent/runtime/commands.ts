/** The commands of a directory, and prompts that name one. */
import type { CommandConfiguration } from '../contract/configuration.ts'
import { builtInCommands } from '../core/agent-catalogue.ts'
import { type CommandLine, expandTemplate } from '../core/command-text.ts'
import { present, splitModel } from '../core/fields.ts'
import type { ModelRef } from '../core/session/message.ts'
import type { LoadedConfiguration } from './configuration.ts'

export interface CommandInfo {
  readonly name: string
  readonly template: string
  readonly description?: string | undefined
  readonly agent?: string | undefined
  readonly model?: ModelRef | undefined
  readonly subtask?: boolean | undefined
}

export function resolveCommands(loaded: LoadedConfiguration): CommandInfo[] {
  const byName = new Map<string, CommandInfo>(builtInCommands.map((command) => [command.name, command]))
  const add = (name: string, { model, variant, ...facts }: CommandConfiguration) =>
    byName.set(name, { name, ...facts, ...(model === undefined ? {} : { model: splitModel(model, variant) }) })
  for (const { values } of loaded.layers) {
    for (const [name, command] of Object.entries(values.command ?? {})) add(name, command)
  }
  for (const { name, values, body } of loaded.commands) add(name, { ...values, template: body })
  return [...byName.values()]
}

export interface ExpandedPrompt {
  readonly text: string
  readonly agent?: string | undefined
  readonly model?: ModelRef | undefined
  readonly command: { readonly name: string; readonly arguments: string }
}

/** What a prompt that names a command stands for. A slash before anything else is only a slash. */
export function expandCommand(
  commands: readonly CommandInfo[],
  isForTasks: (agent: string) => boolean,
  line: CommandLine,
): ExpandedPrompt | undefined {
  const command = commands.find((candidate) => candidate.name === line.name)
  if (command === undefined) return undefined
  const expanded = expandTemplate(command.template, line.rest)
  const run = { name: line.name, arguments: line.rest }
  const isTask = command.subtask ?? (command.agent !== undefined && isForTasks(command.agent))
  if (isTask) {
    const agent = command.agent ?? 'general'
    return {
      text: `Hand this to the agent ${agent} with the task tool, word for word, and say what it reports:\n\n${expanded}`,
      ...present({ model: command.model }),
      command: run,
    }
  }
  return { text: expanded, ...present({ agent: command.agent, model: command.model }), command: run }
}
