/** What the published client does: one call an operation, over `fetch` alone. */

/** All that there are; put in where this is bundled. */
declare const OPERATIONS: Readonly<Record<string, Operation>>

export interface Operation {
  readonly method: string
  /** From the root of the service, with `{name}` for parameters. */
  readonly path: string
  /** Bytes rather than JSON. */
  readonly isBinary?: true
}

interface ClientOptions {
  /** Of the service, as https://wharf.example. */
  readonly address: string
  readonly token: string
  /** Of messages: `en` or `zh`. */
  readonly language?: string
  readonly fetch?: typeof globalThis.fetch
}

interface Input {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
}

interface Said {
  readonly error?: string
  readonly message?: string
  readonly reason?: unknown
}

export class WharfError extends Error {
  readonly status: number
  readonly code: string
  readonly reason: unknown

  constructor(status: number, said: Said) {
    super(said.message ?? `The service answered ${status}`)
    this.name = 'WharfError'
    this.status = status
    this.code = said.error ?? ''
    this.reason = said.reason
  }
}

type CallOf = (input?: Input, init?: { readonly signal?: AbortSignal }) => Promise<unknown>

export function createClient(options: ClientOptions) {
  const { address, token, language = 'en', fetch = globalThis.fetch } = options
  const call =
    ({ method, path, isBinary }: Operation): CallOf =>
    async ({ params = {}, query = {}, body } = {}, init = {}) => {
      const place = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
      const url = new URL(`${address.replace(/\/+$/, '')}${place}`)
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) url.searchParams.set(name, String(value))
      const answer = await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'accept-language': language,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...init,
      })
      if (answer.ok) return isBinary ? answer.blob() : answer.json()
      // Whoever stands in front may answer something else than the service.
      throw new WharfError(answer.status, (await answer.json().catch(() => ({}))) as Said)
    }
  return Object.fromEntries(Object.entries(OPERATIONS).map(([name, operation]) => [name, call(operation)]))
}
