/** What the suites of the Worker and its sources import as `cloudflare:workers`, on the Node runtime. */
import { DurableObject } from '../../../local/runtime/cloudflare-workers.ts'

export { DurableObject }

/** Filled by the set-up file, before anything that reads it is loaded. */
export const env: Record<string, unknown> = {}

export const exports = {
  default: { fetch: (_: Request): Promise<Response> => Promise.reject(new Error('the script is not loaded')) },
}

let keepAlive: (work: Promise<unknown>) => void = () => undefined

export const waitUntil = (work: Promise<unknown>): void => keepAlive(work)

export function useWorkers(
  bindings: object,
  fetch: (request: Request) => Promise<Response>,
  wait: (work: Promise<unknown>) => void,
): void {
  Object.assign(env, bindings)
  exports.default = { fetch }
  keepAlive = wait
}
