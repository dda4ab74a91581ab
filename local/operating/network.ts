/** Whether this machine has a network: those who ask others tell how it went. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { MachineProblem } from '../../workers/app/core/operating/machine.ts'
import { isPrivateAddress } from '../../workers/gateway/core/address-guard.ts'
import { lostHostsMin, networkLookMs } from './limits.ts'

export interface NetworkWatchOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Whether this machine has an address beside its own loopback one. */
  readonly hasAddress?: () => boolean
  /** Whether a name leads anywhere. */
  readonly isFound?: (host: string) => Promise<boolean>
  readonly lookEveryMs?: number
}

/**
 * One site that cannot be reached is that site's. The network is lost where no name is found, or nothing can be sent, for
 * several of them with nobody reached in between, or for one where the machine has no address at all. It is back with the
 * first answer of anybody, and with the first name that is found again, for which it looks by itself.
 */
export class NetworkWatch {
  readonly #options: Required<NetworkWatchOptions>
  readonly #unreached = new Set<string>()
  #sinceUnix: number | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: NetworkWatchOptions) {
    this.#options = { hasAddress, isFound, lookEveryMs: networkLookMs, ...options }
  }

  reached(host: string): void {
    if (isOutside(host)) this.#back()
  }

  failed(host: string, error: unknown): void {
    if (!isOutside(host) || !codesOf(error).some((code) => lostCodes.has(code))) return
    this.#unreached.add(host)
    if (this.#sinceUnix !== undefined) return
    if (this.#unreached.size < lostHostsMin && this.#options.hasAddress()) return
    this.#sinceUnix = Math.floor(this.#options.now() / 1000)
    this.#timer = setInterval(() => void this.#look(), this.#options.lookEveryMs).unref()
  }

  problem(): MachineProblem | undefined {
    return this.#sinceUnix === undefined ? undefined : { kind: 'machine.network_lost', since: this.#sinceUnix }
  }

  close(): void {
    this.#back()
  }

  async #look(): Promise<void> {
    const names = [...this.#unreached].filter((host) => isIP(host) === 0).slice(-lostHostsMin)
    const found = await Promise.all(names.map((host) => this.#options.isFound(host)))
    if (found.includes(true)) this.#back()
  }

  #back(): void {
    this.#unreached.clear()
    this.#sinceUnix = undefined
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** No way out, or nobody who knows names. What a name does not lead to (`ENOTFOUND`) may be a wrong name. */
const lostCodes: ReadonlySet<string> = new Set(['ENETUNREACH', 'ENETDOWN', 'EAI_AGAIN'])
const causesMax = 4

/** Of an error, of what caused it, and of each address that was tried. */
function codesOf(error: unknown, depth = 0): string[] {
  if (!(error instanceof Error) || depth > causesMax) return []
  const own = 'code' in error ? [String(error.code)] : []
  const tried = error instanceof AggregateError ? error.errors : []
  return [...own, ...[error.cause, ...tried].flatMap((one) => codesOf(one, depth + 1))]
}

/** What lies on this machine, or beside it, is reached without a network. */
function isOutside(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '')
  return isIP(name) === 0 ? name !== 'localhost' && !name.endsWith('.localhost') : !isPrivateAddress(name)
}

function hasAddress(): boolean {
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal) === true)
}

async function isFound(host: string): Promise<boolean> {
  try {
    await lookup(host)
    return true
  } catch {
    return false
  }
}
