/** Sign-ins at tool servers: begun by the owner, finished by his browser on this machine, or by the address it ended at. */
import { constantTimeEqual } from '#shared/http/constant-time-equal.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { RemoteServerConfiguration, ToolServerConfiguration } from '../contract/configuration.ts'
import { type SignInFault, saySignInFault } from '../core/sign-in-fault.ts'
import { signInMsMax } from '../limits.ts'

export interface SignInServer {
  readonly name: string
  readonly configuration: RemoteServerConfiguration
}

export interface BegunSignIn {
  /** Where the browser goes. */
  readonly address: string
  /** Comes back with it. */
  readonly state: string
  finish(answer: URLSearchParams): Promise<Result<void, SignInFault>>
}

export interface ToolSignInPort {
  isSignedIn(server: SignInServer): boolean
  portOf(server: SignInServer): number | undefined
  begin(server: SignInServer, redirectUrl: string): Promise<Result<BegunSignIn, SignInFault>>
  forget(server: SignInServer): Promise<void>
}

export interface ReturnPlace {
  readonly address: string
  close(): void
}

export interface ToolSignInsDeps {
  readonly client: ToolSignInPort
  readonly listen: (
    port: number,
    take: (answer: URLSearchParams) => Promise<string>,
  ) => Promise<ReturnPlace | undefined>
  /** Somebody signed in or out: what failed for the want of it may be tried again. */
  readonly onChanged: (server: string) => void
}

interface Waiting {
  readonly begun: BegunSignIn
  readonly place: ReturnPlace
  readonly timer: ReturnType<typeof setTimeout>
  isTaken: boolean
}

export class ToolSignIns {
  readonly #deps: ToolSignInsDeps
  readonly #waiting = new Map<string, Waiting>()
  #isClosed = false

  constructor(deps: ToolSignInsDeps) {
    this.#deps = deps
  }

  /** Where such a server can be signed in at: programs have no sign-in, and credentials of the configuration come first. */
  serverOf(
    name: string,
    configuration: ToolServerConfiguration | undefined,
  ): Result<SignInServer, Extract<SignInFault, { kind: 'unknown' | 'program' | 'has_credentials' }>> {
    if (configuration === undefined) return failWith({ kind: 'unknown' })
    if (configuration.type !== 'remote') return failWith({ kind: 'program' })
    return hasCredentials(configuration) ? failWith({ kind: 'has_credentials' }) : succeed({ name, configuration })
  }

  isSignedIn(server: SignInServer): boolean {
    return this.#deps.client.isSignedIn(server)
  }

  /** The address for the browser. A sign-in at the same server that still waits ends by it. */
  async begin(server: SignInServer): Promise<Result<string, SignInFault>> {
    const { name, configuration } = server
    const take = async (answer: URLSearchParams): Promise<string> => {
      const taken = await this.finish(name, answer)
      return taken.ok ? `${signedInText} (${name})` : saySignInFault(taken.failure)
    }
    this.#end(name)
    const { port } = configuration.oauth ?? {}
    const place =
      port === undefined
        ? ((await this.#deps.listen(this.#deps.client.portOf(server) ?? 0, take)) ?? (await this.#deps.listen(0, take)))
        : await this.#deps.listen(port, take)
    if (place === undefined) return failWith({ kind: 'no_port', port: port ?? 0 })
    const begun = await this.#deps.client.begin(server, place.address)
    if (!begun.ok || this.#isClosed) {
      place.close()
      return begun.ok ? failWith({ kind: 'not_waiting' }) : begun
    }
    // Somebody else may have begun one meanwhile.
    this.#end(name)
    const timer = setTimeout(() => this.#end(name), signInMsMax)
    timer.unref()
    this.#waiting.set(name, { begun: begun.value, place, timer, isTaken: false })
    return succeed(begun.value.address)
  }

  /** What the browser came back with. Only the sign-in that sent it there takes it, and once. */
  async finish(name: string, answer: URLSearchParams): Promise<Result<void, SignInFault>> {
    const waiting = this.#waiting.get(name)
    if (waiting === undefined || waiting.isTaken) return failWith({ kind: 'not_waiting' })
    const states = answer.getAll('state')
    const encoder = new TextEncoder()
    if (states.length !== 1 || !constantTimeEqual(encoder.encode(states[0]), encoder.encode(waiting.begun.state)))
      return failWith({ kind: 'wrong_answer' })
    waiting.isTaken = true
    try {
      const finished = await waiting.begun.finish(answer)
      if (finished.ok) this.#deps.onChanged(name)
      return finished
    } finally {
      if (this.#waiting.get(name) === waiting) this.#end(name)
    }
  }

  async forget(server: SignInServer): Promise<void> {
    this.#end(server.name)
    await this.#deps.client.forget(server)
    this.#deps.onChanged(server.name)
  }

  close(): void {
    this.#isClosed = true
    for (const name of [...this.#waiting.keys()]) this.#end(name)
  }

  #end(name: string): void {
    const waiting = this.#waiting.get(name)
    if (waiting === undefined) return
    this.#waiting.delete(name)
    clearTimeout(waiting.timer)
    waiting.place.close()
  }
}

/** Shown in the browser that came back, whose language is not known here. */
const signedInText = 'Signed in. This page can be closed. 已登录,可以关闭此页。'

export function hasCredentials({ headers = {} }: RemoteServerConfiguration): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}
