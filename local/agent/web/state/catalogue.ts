/** Agents, models and commands of a folder, read once for each while the page is open. */
import { type Signal, signal } from '@preact/signals'
import type { WireAgent, WireCommand, WireModel } from '../../contract/catalogue.ts'
import { routes } from '../api/routes.ts'

export interface Catalogue {
  readonly agents: readonly WireAgent[]
  readonly models: readonly WireModel[]
  readonly commands: readonly WireCommand[]
}

const known = new Map<string, Signal<Catalogue | undefined>>()

export function catalogueOf(directory: string): Catalogue | undefined {
  let found = known.get(directory)
  if (found === undefined) {
    found = signal<Catalogue | undefined>(undefined)
    known.set(directory, found)
    void read(directory, found)
  }
  return found.value
}

async function read(directory: string, into: Signal<Catalogue | undefined>): Promise<void> {
  const [agents, models, commands] = await Promise.all([
    routes.agents(directory),
    routes.models(directory),
    routes.commands(directory),
  ])
  if (agents.ok && models.ok && commands.ok) {
    const chosen = agents.value.data.filter(({ mode, hidden }) => mode !== 'subagent' && !hidden)
    into.value = { agents: chosen, models: models.value.data, commands: commands.value.data }
  } else known.delete(directory)
}
