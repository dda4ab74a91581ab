/** Whether commands run in a sandbox in a folder, for whoever looks on. */
import { type Result, succeed } from '#shared/kernel/result.ts'
import type { WireSandbox } from '../contract/sandbox.ts'
import type { Failure } from '../core/failure.ts'
import { outsideReason } from '../core/outside-reason.ts'
import type { LocationInfo, Sandboxes } from '../ports.ts'
import type { DirectoryCatalogue } from './catalogue.ts'
import type { HumanRequests } from './human-requests.ts'
import type { CommandSandbox } from './sandbox.ts'

interface SandboxStateDeps {
  readonly catalogue: Pick<DirectoryCatalogue, 'resolve'>
  readonly asks: Pick<HumanRequests, 'savedRules'>
  readonly sandbox: Pick<CommandSandbox, 'unavailable' | 'wasTooLarge'>
}

export class SandboxStates implements Sandboxes {
  readonly #deps: SandboxStateDeps

  constructor(deps: SandboxStateDeps) {
    this.#deps = deps
  }

  async state({ directory, project }: LocationInfo): Promise<Result<WireSandbox, Failure>> {
    const { catalogue, asks, sandbox } = this.#deps
    const resolved = await catalogue.resolve(directory)
    if (!resolved.ok) return resolved
    const { agents, defaultAgent, sandbox: settings } = resolved.value
    // Before the machine is tried, which takes a while: when that is over the server may have ended, and its database with it.
    const saved = asks.savedRules(project.id)
    const lack =
      (await sandbox.unavailable({ sandbox: settings })) ??
      (sandbox.wasTooLarge(directory) ? outsideReason('too_large') : undefined)
    if (lack !== undefined) {
      const { kind, detail, words: reason } = lack
      return succeed({ state: 'off', kind, detail, reason })
    }
    const own = agents.find(({ id }) => id === defaultAgent)?.permissions ?? []
    const allowed = [...own.filter(({ effect }) => effect === 'allow'), ...saved]
    const hosts = allowed.filter(({ action }) => action === 'sandbox_network').map(({ resource }) => resource)
    return succeed({ state: 'on', hosts: [...new Set(hosts)] })
  }
}
