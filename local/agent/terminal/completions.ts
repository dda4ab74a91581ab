/** What is suggested while one types: commands after a slash, and files of the project after `@`. */
import { type AutocompleteItem, type AutocompleteProvider, CombinedAutocompleteProvider } from '@earendil-works/pi-tui'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import type { AgentClient } from '../client/agent-client.ts'
import { clientCommands } from './client-commands.ts'

interface Named {
  readonly name: string
  readonly description?: string
}

const filesShownMax = 20

export async function completionsFor(client: AgentClient, directory: string): Promise<AutocompleteProvider> {
  const place = new URLSearchParams({ directory })
  const known = await client.ask<{ data: readonly Named[] }>('GET', `/api/command?${place}`)
  const own = Object.entries(clientCommands).map(([name, description]) => ({ name, description }))
  const commands = [...own, ...(known.ok ? known.value.data : [])].map(({ name, description }) => ({
    name,
    ...(description === undefined ? {} : { description: showUnseen(description) }),
  }))
  const ofCommands = new CombinedAutocompleteProvider(commands, directory)
  return {
    triggerCharacters: ['@'],
    async getSuggestions(lines, cursorLine, cursorCol, options) {
      const before = (lines[cursorLine] ?? '').slice(0, cursorCol)
      const [prefix, query] = /(?:^|\s)(@([^\s"]*))$/.exec(before)?.slice(1) ?? []
      if (prefix === undefined || query === undefined) {
        // Paths are named with @ alone: a slash within a sentence is none.
        return before.startsWith('/') ? ofCommands.getSuggestions(lines, cursorLine, cursorCol, options) : null
      }
      const wanted = new URLSearchParams({ directory, query, limit: String(filesShownMax) })
      const found = await client.ask<{ data: readonly { path: string }[] }>('GET', `/api/fs/find?${wanted}`)
      if (!found.ok || options.signal.aborted || found.value.data.length === 0) return null
      return { prefix, items: found.value.data.map(({ path }) => ({ value: path, label: showUnseen(path) })) }
    },
    applyCompletion(lines, cursorLine, cursorCol, item, prefix) {
      if (!prefix.startsWith('@')) return ofCommands.applyCompletion(lines, cursorLine, cursorCol, item, prefix)
      return withFile(lines, cursorLine, cursorCol, item, prefix)
    },
  }
}

function withFile(lines: string[], cursorLine: number, cursorCol: number, { value }: AutocompleteItem, prefix: string) {
  const line = lines[cursorLine] ?? ''
  const name = /\s/.test(value) ? `@"${value}"` : `@${value}`
  // Below a folder one goes on typing.
  const named = value.endsWith('/') ? name : `${name} `
  const start = cursorCol - prefix.length
  const changed = line.slice(0, start) + named + line.slice(cursorCol)
  return { lines: lines.with(cursorLine, changed), cursorLine, cursorCol: start + named.length }
}
