/** The tool servers of a directory's configuration, and the owner's sign-ins at them. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { WireToolServer } from '../contract/tool-server.ts'
import { type Failure, signInFailure } from '../core/failure.ts'
import type { LocationRef } from '../core/session/message.ts'
import type { ConfiguredToolServers } from '../ports.ts'
import type { DirectoryCatalogue } from './catalogue.ts'
import type { ToolServers } from './tool-servers.ts'
import type { SignInServer, ToolSignIns } from './tool-sign-ins.ts'

export interface ConfiguredServersDeps {
  readonly catalogue: Pick<DirectoryCatalogue, 'resolve'>
  readonly servers: ToolServers
  readonly signIns: ToolSignIns
}

export class ConfiguredServers implements ConfiguredToolServers {
  readonly #deps: ConfiguredServersDeps

  constructor(deps: ConfiguredServersDeps) {
    this.#deps = deps
  }

  async list({ directory }: LocationRef): Promise<Result<readonly WireToolServer[], Failure>> {
    const { catalogue, servers, signIns } = this.#deps
    const resolved = await catalogue.resolve(directory)
    if (!resolved.ok) return resolved
    const states = await servers.states(resolved.value.toolServers, directory)
    return succeed(
      states.map((state) => {
        const server = signIns.serverOf(state.name, resolved.value.toolServers[state.name])
        return { ...state, takesSignIn: server.ok, signedIn: server.ok && signIns.isSignedIn(server.value) }
      }),
    )
  }

  async beginSignIn(location: LocationRef, name: string): Promise<Result<string, Failure>> {
    const server = await this.#serverOf(location, name)
    if (!server.ok) return server
    const begun = await this.#deps.signIns.begin(server.value)
    return begun.ok ? begun : failWith(signInFailure(begun.failure))
  }

  async finishSignIn(location: LocationRef, name: string, answer: URLSearchParams): Promise<Result<void, Failure>> {
    const server = await this.#serverOf(location, name)
    if (!server.ok) return server
    const finished = await this.#deps.signIns.finish(name, answer)
    return finished.ok ? finished : failWith(signInFailure(finished.failure))
  }

  async forgetSignIn(location: LocationRef, name: string): Promise<Result<void, Failure>> {
    const server = await this.#serverOf(location, name)
    if (!server.ok) return server
    await this.#deps.signIns.forget(server.value)
    return succeed(undefined)
  }

  async #serverOf({ directory }: LocationRef, name: string): Promise<Result<SignInServer, Failure>> {
    const resolved = await this.#deps.catalogue.resolve(directory)
    if (!resolved.ok) return resolved
    const known = Object.hasOwn(resolved.value.toolServers, name) ? resolved.value.toolServers[name] : undefined
    const server = this.#deps.signIns.serverOf(name, known)
    return server.ok ? server : failWith(signInFailure(server.failure))
  }
}
