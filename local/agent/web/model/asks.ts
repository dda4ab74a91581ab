/** What waits for the owner, read folder by folder while the server goes on telling what is asked and what is answered. */
import type { PermissionRequest, QuestionRequest } from '../../core/session/event.ts'

export type Ask =
  | { readonly kind: 'permission'; readonly request: PermissionRequest }
  | { readonly kind: 'question'; readonly request: QuestionRequest }

/** What was told since a reading began: it may be newer than what is read. */
export class AsksMeanwhile {
  readonly #added: Ask[] = []
  readonly #gone = new Set<string>()

  add(ask: Ask): void {
    this.#added.push(ask)
  }

  drop(id: string): void {
    this.#gone.add(id)
  }

  /** What is open now, of what was read. */
  settle(found: readonly Ask[]): readonly Ask[] {
    const known = new Set(found.map(({ request }) => request.id))
    return [...found, ...this.#added.filter(({ request }) => !known.has(request.id))].filter(
      ({ request }) => !this.#gone.has(request.id),
    )
  }
}
