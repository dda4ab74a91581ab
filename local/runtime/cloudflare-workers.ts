/** What the script imports as `cloudflare:workers`: one of these for each script that this process runs. */
import type { ObjectContext } from './durable-objects.ts'

export class DurableObject<Env = unknown> {
  protected readonly ctx: ObjectContext
  protected readonly env: Env

  constructor(ctx: ObjectContext, env: Env) {
    this.ctx = ctx
    this.env = env
  }
}

export interface WorkersModule {
  readonly DurableObject: typeof DurableObject
  readonly env: object
  /** Work that goes on after the answer. */
  readonly waitUntil: (work: Promise<unknown>) => void
}

export function createWorkersModule(env: object, onFailure: (cause: unknown) => void): WorkersModule {
  return { DurableObject, env, waitUntil: (work) => void work.catch((cause: unknown) => onFailure(cause)) }
}
