import type { PrincipalKind, Scope } from './vocabulary.ts'

/** Who is calling. `id` is what the audit log names: `session`, `token:<id>`, `device:<id>` or `chat:<id>`. */
export interface Principal {
  readonly kind: PrincipalKind
  readonly id: string
  /** Name of the token or device; a session has none. */
  readonly name?: string
  readonly scopes: readonly Scope[]
}

/** Whose conversations somebody takes part in. A paired chat is the owner's: what is said there is found on the page as well. */
export function conversationsOf({ kind, id }: Pick<Principal, 'kind' | 'id'>): string {
  return kind === 'chatops' ? 'session' : id
}

/** Read does not follow from Operate: a token holds exactly what it was given. */
export function mayUse(principal: Principal, scope: Scope): boolean {
  return principal.scopes.includes(scope)
}
