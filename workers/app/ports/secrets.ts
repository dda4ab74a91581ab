import type { Result } from '#shared/kernel/result.ts'

/** How the owner's key stands to what it sealed: `changed` and `missing` are said plainly on the console. */
export type SecretsState = 'ready' | 'missing' | 'changed'

/** Seals secrets at rest. `context` binds a sealed text to its place, so that it cannot be moved to another row. */
export interface SecretBox {
  state(): Promise<SecretsState>
  seal(plain: string, context: string): Promise<string>
  /** Fails when the key is missing or another one than the text was sealed with. */
  open(sealed: string, context: string): Promise<Result<string, Exclude<SecretsState, 'ready'>>>
}
