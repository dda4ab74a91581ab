/** `svc` alone: a session in the terminal, as it happens, with what it asks and a line to write in. */
import { statSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Editor, matchesKey, type Terminal, Text, TuiMainScreen } from '@earendil-works/pi-tui'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import type { AgentClient, ToldEvent } from '../client/agent-client.ts'
import { type Asked, followSession, type TurnListener } from '../client/prompt-turn.ts'
import { filesNamed } from '../core/named-files.ts'
import type { StampedEvent } from '../core/session/event.ts'
import type { Message, SessionRecord } from '../core/session/message.ts'
import { projectMessage, projectRecord, untitledPrefix } from '../core/session/project.ts'
import type { WaitingPrompt } from '../ports.ts'
import { readClientCommand } from './client-commands.ts'
import { completionsFor } from './completions.ts'
import { Dialogs } from './dialogs.ts'
import { type CommandHost, runClientCommand } from './session-commands.ts'
import type { Styles } from './styles.ts'
import { TranscriptView } from './transcript-view.ts'

export interface TerminalOptions {
  readonly client: AgentClient
  readonly directory: string
  readonly terminal: Terminal
  readonly styles: Styles
}

interface MessagePage {
  readonly data: readonly Message[]
  readonly seq: number
}

const messagesShownMax = 100
/** A second Ctrl+C within this leaves. */
const leaveWithinMs = 2_000

export class TerminalClient implements TurnListener {
  readonly #options: TerminalOptions
  readonly #tui: TuiMainScreen
  readonly #editor: Editor
  readonly #status = new Text('', 1, 0)
  readonly #dialogs: Dialogs
  #transcript: TranscriptView
  #record: SessionRecord | undefined
  #following: AbortController | undefined
  readonly #messages = new Map<string, Message>()
  readonly #progress = new Map<string, string>()
  /** Prompts that were accepted and not taken in yet. */
  readonly #waiting = new Set<string>()
  readonly #asks: Asked[] = []
  #shownAsk: string | undefined
  #isRunning = false
  #interruptedAtMs = 0
  readonly #left = Promise.withResolvers<void>()

  constructor(options: TerminalOptions) {
    this.#options = options
    const { styles } = options
    this.#tui = new TuiMainScreen(options.terminal)
    this.#transcript = new TranscriptView(styles)
    this.#editor = new Editor(this.#tui, styles.editor)
    this.#editor.onSubmit = (text) => this.#submit(text.trim())
    this.#dialogs = new Dialogs(this.#tui, this.#editor, styles)
    for (const part of [this.#transcript, this.#dialogs, this.#editor, this.#status]) this.#tui.addChild(part)
    this.#tui.setFocus(this.#editor)
    this.#tui.addInputListener((data) => this.#takeKey(data))
  }

  /** Resolves when its owner leaves. */
  async run(record: SessionRecord): Promise<void> {
    this.#tui.start()
    try {
      this.#editor.setAutocompleteProvider(await completionsFor(this.#options.client, this.#options.directory))
      await this.#open(record)
      await this.#left.promise
    } finally {
      this.#following?.abort()
      this.#tui.stop()
    }
  }

  stored(event: ToldEvent): void {
    const { timestamp, sessionID, ...data } = event.data as { timestamp: number; sessionID: string }
    const stamped = { type: event.type, data: { ...data, sessionID }, timestamp, sessionID } as unknown as StampedEvent
    this.#record = projectRecord(stamped, this.#record)
    const change = projectMessage(stamped, (id) => this.#messages.get(id))
    if (change.kind === 'put') this.#put(change.message)
    if (change.kind === 'drop_from') this.#transcript.dropFrom(change.messageId)
    if (stamped.type === 'session.next.prompt.admitted') this.#waiting.add(stamped.data.messageID)
    else this.#waiting.delete('messageID' in stamped.data ? stamped.data.messageID : '')
    if (event.type === 'session.next.prompt.withdrawn') this.#transcript.note('A prompt was withdrawn')
    if (event.type === 'session.next.retried') this.#transcript.note('The provider is asked again')
    this.#refresh()
  }

  told({ type, data }: ToldEvent): void {
    if (data['sessionID'] !== this.#record?.id) return
    if (type === 'session.status') this.#isRunning = (data['status'] as { type?: string }).type === 'busy'
    if (type === 'session.tool.progress') {
      const message = this.#messages.get(String(data['assistantMessageID']))
      this.#progress.set(String(data['callID']), String(data['output']))
      if (message !== undefined) this.#put(message)
    }
    this.#refresh()
  }

  asked(asked: Asked): void {
    this.#asks.push(asked)
    this.#showAsk()
  }

  settled(requestID: string): void {
    const at = this.#asks.findIndex(({ request }) => request.id === requestID)
    if (at < 0) return
    this.#asks.splice(at, 1)
    // Answered elsewhere, on the page or in an editor.
    if (this.#shownAsk === requestID) {
      this.#shownAsk = undefined
      this.#dialogs.close()
    }
    this.#showAsk()
  }

  async #open(record: SessionRecord): Promise<void> {
    this.#following?.abort()
    this.#dialogs.close()
    this.#asks.length = 0
    this.#messages.clear()
    this.#progress.clear()
    this.#waiting.clear()
    const fresh = new TranscriptView(this.#options.styles)
    this.#tui.children[this.#tui.children.indexOf(this.#transcript)] = fresh
    this.#transcript = fresh
    this.#record = record
    const { client } = this.#options
    const [page, active] = await Promise.all([
      client.ask<MessagePage>('GET', `/api/session/${record.id}/message?limit=${messagesShownMax}`),
      client.ask<{ data: Readonly<Record<string, unknown>> }>('GET', '/api/session/active'),
    ])
    if (!page.ok) return this.#say(page.failure.message, 'problem')
    this.#isRunning = active.ok && Object.hasOwn(active.value.data, record.id)
    if (page.value.data.length === 0) this.#say('Write what is to be done. /help says what else there is.')
    for (const message of page.value.data.toReversed()) this.#put(message)
    const waiting = await client.ask<{ data: readonly WaitingPrompt[] }>('GET', `/api/session/${record.id}/prompt`)
    for (const { id } of waiting.ok ? waiting.value.data : []) this.#waiting.add(id)
    const following = new AbortController()
    this.#following = following
    void followSession(client, record, page.value.seq, this, following.signal)
    this.#refresh(true)
  }

  #put(message: Message): void {
    this.#messages.set(message.id, message)
    this.#transcript.put(message, this.#progress)
  }

  #say(text: string, tone: 'note' | 'problem' = 'note'): void {
    this.#transcript.note(showUnseen(text), tone)
    this.#refresh()
  }

  #refresh(isWhole = false): void {
    const { dim, warning } = this.#options.styles
    const { agent = 'build', model, cost = 0, title = '' } = this.#record ?? {}
    const state = this.#asks.length > 0 ? warning('waits for you') : this.#isRunning ? 'works, Esc stops it' : 'rests'
    const waits = this.#waiting.size === 0 ? '' : `${this.#waiting.size} waits, /withdraw takes it back`
    const named = model === undefined ? [] : [`${model.providerID}/${model.id}`]
    // Nothing is said of what no price is known for: it need not be free.
    const spent = cost > 0 ? `$${cost.toFixed(4)}` : ''
    const facts = [
      state,
      waits,
      agent,
      ...named,
      spent,
      title.startsWith(untitledPrefix) ? '' : showUnseen(title).slice(0, 60),
    ]
    this.#status.setText(facts.filter((fact) => fact !== '').join(dim(' · ')))
    this.#tui.requestRender(isWhole)
  }

  #takeKey(data: string) {
    if (matchesKey(data, 'ctrl+c')) {
      this.#stopOrLeave()
      return { consume: true }
    }
    if (matchesKey(data, 'ctrl+d') && this.#editor.getText() === '') {
      this.#left.resolve()
      return { consume: true }
    }
    if (
      matchesKey(data, 'escape') &&
      this.#isRunning &&
      this.#dialogs.isClosed &&
      !this.#editor.getText().startsWith('/')
    ) {
      this.#interrupt()
      return { consume: true }
    }
    return undefined
  }

  #stopOrLeave(): void {
    const nowMs = Date.now()
    if (nowMs - this.#interruptedAtMs < leaveWithinMs) {
      this.#left.resolve()
      return
    }
    this.#interruptedAtMs = nowMs
    if (this.#editor.getText() !== '') this.#editor.setText('')
    else if (this.#isRunning) this.#interrupt()
    this.#say('Once more Ctrl+C leaves')
  }

  #interrupt(): void {
    void this.#ask('POST', `/api/session/${this.#record?.id}/interrupt`)
  }

  #submit(text: string): void {
    if (text === '') return
    this.#editor.addToHistory(text)
    if (this.#dialogs.takeWords(text)) return
    const command = readClientCommand(text)
    if (command !== undefined) return void runClientCommand(this.#commandHost(), command.name, command.rest)
    const { directory } = this.#options
    const files = filesNamed(text)
      .map((name) => path.resolve(directory, name))
      .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
      .map((file) => ({ uri: pathToFileURL(file).href }))
    const prompt = { text, ...(files.length === 0 ? {} : { files }) }
    void this.#ask('POST', `/api/session/${this.#record?.id}/prompt`, { prompt })
  }

  async #ask<T>(method: string, target: string, body?: unknown): Promise<T | undefined> {
    const answer = await this.#options.client.ask<T>(method, target, body)
    if (answer.ok) return answer.value
    this.#say(answer.failure.message, 'problem')
    return undefined
  }

  #commandHost(): CommandHost {
    return {
      directory: this.#options.directory,
      sessionId: () => this.#record?.id ?? '',
      ask: (method, target, body) => this.#ask(method, target, body),
      say: (text, tone) => this.#say(text, tone),
      show: (lines) => {
        this.#transcript.show(lines)
        this.#refresh()
      },
      choose: (title, items, take) =>
        this.#dialogs.choose([{ tone: 'call', text: title }], items, take, () => this.#showAsk()),
      // Below what was begun meanwhile.
      edit: (text) => this.#editor.setText([this.#editor.getText(), text].filter((part) => part !== '').join('\n')),
      open: (record) => this.#open(record),
      leave: () => this.#left.resolve(),
    }
  }

  /** The oldest of what is asked, unless something else is being chosen or answered. */
  #showAsk(): void {
    this.#refresh()
    const [asked] = this.#asks
    if (asked === undefined || !this.#dialogs.isClosed) return
    const { id, sessionID } = asked.request
    const target = `/api/session/${sessionID}/${asked.kind}/${id}`
    this.#shownAsk = id
    const answer = (body: object) => void this.#ask('POST', `${target}/reply`, body)
    const refuse = () =>
      void (asked.kind === 'question' ? this.#ask('POST', `${target}/reject`) : answer({ reply: 'reject' }))
    if (asked.kind === 'permission') this.#dialogs.permission(asked.request, answer, refuse)
    else this.#dialogs.question(asked.request, answer, refuse)
  }
}
