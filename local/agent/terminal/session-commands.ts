/** What the lines do that the terminal client answers itself. */
import type { SelectItem } from '@earendil-works/pi-tui'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import type { FileDiff, ModelRef, SessionRecord } from '../core/session/message.ts'
import type { WaitingPrompt } from '../ports.ts'
import { type ClientCommand, clientCommands } from './client-commands.ts'
import { diffLines, type ShownBlock } from './message-blocks.ts'

export interface CommandHost {
  readonly directory: string
  sessionId(): string
  /** Says why where it fails, and answers undefined. */
  ask<T>(method: string, target: string, body?: unknown): Promise<T | undefined>
  say(text: string, tone?: 'note' | 'problem'): void
  show(lines: ShownBlock['lines']): void
  choose(title: string, items: readonly SelectItem[], take: (value: string) => void): void
  /** Puts a text into the line, to be changed and sent. */
  edit(text: string): void
  open(record: SessionRecord): Promise<void>
  leave(): void
}

interface Page<T> {
  readonly data: readonly T[]
}

type Handler = (host: CommandHost, rest: string) => Promise<void> | void

const sessionsShownMax = 50

const handlers: Readonly<Record<ClientCommand, Handler>> = {
  quit: (host) => host.leave(),
  help: (host) => host.say(helpText),
  async compact(host) {
    await host.ask('POST', `/api/session/${host.sessionId()}/compact`)
  },
  async new(host) {
    const body = { location: { directory: host.directory } }
    const made = await host.ask<{ data: SessionRecord }>('POST', '/api/session', body)
    if (made !== undefined) await host.open(made.data)
  },
  async sessions(host) {
    const page = await host.ask<Page<SessionRecord>>('GET', `/api/session?${place(host)}&limit=${sessionsShownMax}`)
    const own = (page?.data ?? []).filter(({ parentID }) => parentID === undefined)
    const items = own.map(({ id, title, time }) => ({
      value: id,
      label: showUnseen(title),
      description: new Date(time.updated).toLocaleString(),
    }))
    host.choose('Sessions of this folder', items, (id) => {
      const record = own.find((one) => one.id === id)
      if (record !== undefined) void host.open(record)
    })
  },
  async model(host, rest) {
    const page = await host.ask<Page<ModelRef & { readonly name: string }>>('GET', `/api/model?${place(host)}`)
    const items = (page?.data ?? []).map(({ providerID, id, name }) => {
      const value = `${providerID}/${id}`
      return { value, label: value, description: showUnseen(name) }
    })
    chooseOrTake(host, 'Models', items, rest, (value) => {
      const slash = value.indexOf('/')
      const model = { providerID: value.slice(0, slash), id: value.slice(slash + 1) }
      void host.ask('POST', `/api/session/${host.sessionId()}/model`, { model })
    })
  },
  async agent(host, rest) {
    const page = await host.ask<Page<AgentEntry>>('GET', `/api/agent?${place(host)}`)
    const items = (page?.data ?? [])
      .filter(({ mode, hidden }) => mode !== 'subagent' && !hidden)
      .map(({ id, description = '' }) => ({ value: id, label: id, description: showUnseen(description) }))
    chooseOrTake(host, 'Agents', items, rest, (agent) => {
      void host.ask('POST', `/api/session/${host.sessionId()}/agent`, { agent })
    })
  },
  async withdraw(host) {
    const target = `/api/session/${host.sessionId()}/prompt`
    const waiting = await host.ask<Page<WaitingPrompt>>('GET', target)
    if (waiting === undefined) return
    if (waiting.data.length === 0) return host.say('No prompt waits')
    const items = waiting.data.map(({ id, text }) => ({ value: id, label: showUnseen(text.replaceAll('\n', ' ')) }))
    host.choose('Prompts that wait', items, async (id) => {
      const withdrawn = await host.ask<{ data: { prompt: { text: string } } }>('DELETE', `${target}/${id}`)
      if (withdrawn !== undefined) host.edit(withdrawn.data.prompt.text)
    })
  },
  async changes(host) {
    const page = await host.ask<Page<FileDiff>>('GET', `/api/session/${host.sessionId()}/changes`)
    if (page === undefined) return
    if (page.data.length === 0) return host.say('No file was changed')
    for (const { path, patch, additions, deletions } of page.data)
      host.show([{ tone: 'call', text: `${showUnseen(path)} +${additions} -${deletions}` }, ...diffLines(patch)])
  },
}

interface AgentEntry {
  readonly id: string
  readonly mode: string
  readonly hidden: boolean
  readonly description?: string
}

export async function runClientCommand(host: CommandHost, name: ClientCommand, rest: string): Promise<void> {
  await handlers[name](host, rest)
}

function place({ directory }: CommandHost): URLSearchParams {
  return new URLSearchParams({ directory })
}

function chooseOrTake(
  host: CommandHost,
  title: string,
  items: readonly SelectItem[],
  named: string,
  take: (value: string) => void,
): void {
  if (named === '') host.choose(title, items, take)
  else if (items.some(({ value }) => value === named)) take(named)
  else host.say(`There is no ${named} among: ${items.map(({ value }) => value).join(', ')}`, 'problem')
}

const helpText = [
  'Enter sends, Shift+Enter or \\ and Enter begins a new line. What is sent while it works reaches it at its next step.',
  'Esc stops what it does; Ctrl+C twice or Ctrl+D leaves. @ names a file, / a command:',
  ...Object.entries(clientCommands).map(([name, about]) => `  /${name.padEnd(9)} ${about}`),
].join('\n')
