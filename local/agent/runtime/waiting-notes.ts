/**
 * Tells the owner, who is elsewhere, that a session waits: once for all that waits in it, and only when it stayed
 * unanswered for a while. What is asked is said by its kind alone: a command, a path or a question may hold a secret.
 */
import path from 'node:path'
import { notifyAfterSeconds } from '../limits.ts'
import type { Logger } from '../ports.ts'
import type { DirectoryCatalogue } from './catalogue.ts'
import type { WaitingRequest } from './human-requests.ts'
import type { SessionStore } from './session-store.ts'

/** As the service takes it. */
export interface Note {
  readonly title: string
  readonly text: string
  readonly link?: string
}

export type NoteOutcome =
  | { readonly kind: 'sent' | 'slow' | 'unreachable' }
  | { readonly kind: 'status'; readonly status: number }

export interface WaitingNotesDeps {
  readonly store: Pick<SessionStore, 'find'>
  readonly catalogue: Pick<DirectoryCatalogue, 'resolve'>
  readonly logger: Logger
  readonly send: (url: string, token: string, note: Note) => Promise<NoteOutcome>
  /** Where the page is; undefined where there is none. */
  readonly page: () => string | undefined
}

const asked: Readonly<Record<string, string>> = {
  bash: 'It asks whether it may run a command.',
  bash_outside: 'It asks whether it may run a command outside of the sandbox.',
  edit: 'It asks whether it may change a file.',
  read: 'It asks whether it may read a file.',
  external_directory: 'It asks whether it may go outside of the project.',
  webfetch: 'It asks whether it may read a page of the web.',
  websearch: 'It asks whether it may search the web.',
}
const otherwiseAsked = 'It asks whether it may use a tool.'
const question = 'It has a question.'
/** Of a folder's name, which may have any length. */
const nameCharactersMax = 60

export class WaitingNotes {
  readonly #deps: WaitingNotesDeps
  /** By session, what of it waits, and whether that was told. */
  readonly #waiting = new Map<string, { readonly requests: Set<string>; isTold: boolean }>()

  constructor(deps: WaitingNotesDeps) {
    this.#deps = deps
  }

  begin(kind: 'permission' | 'question', request: WaitingRequest): () => void {
    const { id, sessionID } = request
    const waiting = this.#waiting.get(sessionID) ?? { requests: new Set<string>(), isTold: false }
    waiting.requests.add(id)
    this.#waiting.set(sessionID, waiting)
    let timer: NodeJS.Timeout | undefined
    this.#whenLate(sessionID, (tell, afterMs) => {
      if (!waiting.requests.has(id)) return
      timer = setTimeout(() => {
        if (waiting.isTold) return
        waiting.isTold = true
        void tell(kind === 'question' ? question : (asked[request.action ?? ''] ?? otherwiseAsked))
      }, afterMs).unref()
    }).catch((cause: unknown) => this.#deps.logger.error('notice_not_sent', { cause }))
    return () => {
      clearTimeout(timer)
      waiting.requests.delete(id)
      if (waiting.requests.size === 0) this.#waiting.delete(sessionID)
    }
  }

  async #whenLate(
    sessionId: string,
    wait: (tell: (text: string) => Promise<void>, afterMs: number) => void,
  ): Promise<void> {
    const { store, catalogue, logger, send, page } = this.#deps
    const directory = store.find(sessionId)?.location.directory
    const resolved = directory === undefined ? undefined : await catalogue.resolve(directory)
    const settings = resolved?.ok === true ? resolved.value.notify : undefined
    if (directory === undefined || settings === undefined) return
    wait(
      async (text) => {
        const name = [...path.basename(directory)]
          .slice(0, nameCharactersMax)
          .join('')
          .replaceAll(/\p{Cc}/gu, ' ')
        const link = settings.page ?? page()
        const note = { title: `${name}: the agent waits for you`, text, ...(link === undefined ? {} : { link }) }
        const outcome = await send(settings.url, settings.token, note)
        if (outcome.kind !== 'sent') logger.error('notice_not_sent', { ...outcome })
      },
      (settings.after ?? notifyAfterSeconds) * 1_000,
    )
  }
}
