/** What the script imports as `cloudflare:workers`, in this process. Filled before the script is loaded. */
import type { ObjectContext } from './durable-objects.ts'

export class DurableObject<Env = unknown> {
  protected readonly ctx: ObjectContext
  protected readonly env: Env

  constructor(ctx: ObjectContext, env: Env) {
    this.ctx = ctx
    this.env = env
  }
}

export const env: Record<string, unknown> = {}

/** The script's own handler, as another client would find it. */
export const exports: { default: { fetch(request: Request): Promise<Response> } } = {
  default: {
    fetch: () => Promise.reject(new Error('the script is not loaded')),
  },
}

let onFailure: (cause: unknown) => void = () => undefined

/** Work that goes on after the answer. */
export function waitUntil(work: Promise<unknown>): void {
  work.catch((cause: unknown) => onFailure(cause))
}

/** One script a process. */
export function fillModule(
  bindings: Readonly<Record<string, unknown>>,
  fetch: (request: Request) => Promise<Response>,
  told: (cause: unknown) => void,
): void {
  for (const name of Object.keys(env)) delete env[name]
  Object.assign(env, bindings)
  exports.default = { fetch }
  onFailure = told
}
