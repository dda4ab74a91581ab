import type { Result } from '#shared/kernel/result.ts'
import type { ServiceFault } from '../../core/service-fault.ts'
import { metadataMs, metadataPauseMs, metadataWaitingMax } from '../../limits.ts'
import type { ServiceRuntime } from './call-service.ts'
import type { MetadataAccess } from './metadata-provider.ts'
import { Pace } from './pace.ts'

/** One call to the metadata provider, within a time. */
type ProviderCall<T> = (runtime: Pick<ServiceRuntime, 'fetch'>, limitMs: number) => Promise<Result<T, ServiceFault>>

/** Asks the metadata provider for all who want something of it, at one pace. */
export class PacedProvider {
  readonly #runtime: ServiceRuntime
  /** Of one place and one key: another one begins afresh. */
  #pace: { readonly of: string; readonly pace: Pace } | undefined

  constructor(runtime: ServiceRuntime) {
    this.#runtime = runtime
  }

  nowUnix(): number {
    return Math.floor(this.#runtime.nowMs() / 1000)
  }

  /** When an answer that is begun now has to be there, with all the calls it takes. */
  endMs(): number {
    return this.#runtime.nowMs() + metadataMs
  }

  async ask<T>(access: MetadataAccess, endMs: number, call: ProviderCall<T>): Promise<Result<T, ServiceFault>> {
    const pace = this.#paceFor(access)
    const turn = await pace.turn()
    if (!turn.ok) return turn
    const answer = await call(this.#runtime, Math.max(1, endMs - this.#runtime.nowMs()))
    if (!answer.ok && answer.failure.kind === 'rate_limited') pace.beQuiet(answer.failure.retryAfterSeconds)
    return answer
  }

  #paceFor({ apiUrl, key }: MetadataAccess): Pace {
    const of = `${apiUrl} ${key}`
    if (this.#pace?.of !== of) {
      const pace = new Pace(this.#runtime, { pauseMs: metadataPauseMs, waitingMax: metadataWaitingMax })
      this.#pace = { of, pace }
    }
    return this.#pace.pace
  }
}
