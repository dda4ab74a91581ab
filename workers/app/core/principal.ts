import type { PrincipalKind, Scope } from './vocabulary.ts'

/** Who is calling. `id` is what the audit log names: `session`, `token:<id>` or `device:<id>`. */
export interface Principal {
  readonly kind: PrincipalKind
  readonly id: string
  /** Name of the token or device; a session has none. */
  readonly name?: string
  readonly scopes: readonly Scope[]
}

/** Read does not follow from Operate: a token holds exactly what it was given. */
export function mayUse(principal: Principal, scope: Scope): boolean {
  return principal.scopes.includes(scope)
}
