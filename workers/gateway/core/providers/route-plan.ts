import { isRecord, textOf } from '#shared/kernel/json-record.ts'
import type { Failure } from '../failure.ts'
import type { GoOnReason, ModelRoute, RouteStep } from './model-route.ts'

/** What a step costs, to be compared with others. */
export type StepPrice = (step: RouteStep) => number

/**
 * The steps of a route in the order they are tried. Among those of one order the weights decide, by a number that stays
 * the same for a conversation, so that its caches stay warm; before them the price, where one is to be asked for.
 */
export function plannedSteps(
  { steps }: Pick<ModelRoute, 'steps'>,
  conversation: number,
  priceOf?: StepPrice,
): readonly RouteStep[] {
  return groupsBy(steps, ({ order }) => order)
    .flatMap((group) => (priceOf === undefined ? [group] : groupsBy(group, priceOf)))
    .flatMap((group) => drawn(group, conversation))
}

/** Those of the least number first. */
function groupsBy(steps: readonly RouteStep[], numberOf: StepPrice): readonly (readonly RouteStep[])[] {
  return [...Map.groupBy(steps, numberOf)].toSorted(([left], [right]) => left - right).map(([, group]) => group)
}

/** Each draws its place from what is left, so that the second choice is weighted too. */
function drawn(steps: readonly RouteStep[], conversation: number): readonly RouteStep[] {
  const left = [...steps]
  const order: RouteStep[] = []
  let number = conversation
  while (left.length > 0) {
    const all = left.reduce((sum, { weight }) => sum + weight, 0)
    let point = number % all
    const index = left.findIndex(({ weight }) => {
      point -= weight
      return point < 0
    })
    order.push(...left.splice(Math.max(0, index), 1))
    number = Math.floor(number / all) + 1
  }
  return order
}

/** A request of chat or messages, or of the inner form. */
interface Began {
  readonly system?: unknown
  readonly messages?: unknown
}

const systemRoles = ['system', 'developer']

/** What stays the same of a conversation: how it began, up to what its user said first. */
export function conversationOf({ system, messages }: Began): number {
  const said = Array.isArray(messages) ? messages : []
  const first = said.findIndex((one) => !(isRecord(one) && systemRoles.includes(textOf(one['role']) ?? '')))
  return numberOfText(JSON.stringify([system, first < 0 ? said : said.slice(0, first + 1)], withoutMarks))
}

/** Marks for the cache move on with each turn. */
function withoutMarks(name: string, value: unknown): unknown {
  if (name === 'cache_control' || name === 'prompt_cache_breakpoint') return undefined
  return Array.isArray(value) ? value.filter((one) => !(isRecord(one) && 'cachePoint' in one)) : value
}

/** FNV-1a, 32 bits. */
function numberOfText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}

/** Why another step may say something else; undefined: what is wrong with the request itself is wrong everywhere. */
export function reasonToGoOn({ code, isLate = false }: Pick<Failure, 'code' | 'isLate'>): GoOnReason | undefined {
  if (isLate) return 'slow'
  if (code === 'rate_limit_exceeded' || code === 'overloaded') return 'busy'
  if (code === 'upstream_error') return 'failed'
  if (code === 'context_length_exceeded') return 'too_long'
  return code === 'unauthorized' ? 'key_refused' : undefined
}

/** Whether the provider itself is in trouble. */
export function isTrouble(code: string): boolean {
  return code === 'rate_limit_exceeded' || code === 'upstream_error' || code === 'overloaded'
}

const failuresToOpen = 5
export const circuitOpenMs = 30_000

/** `open`: it is not asked until the time; `half_open`: the time is over, and the next call decides. */
export interface CircuitStatus {
  readonly state: 'closed' | 'open' | 'half_open'
  /** In a row. */
  readonly failures: number
  readonly untilMs: number | undefined
}

/** Keeps calls from a provider that fails again and again; when its time is over one call decides. */
export class Circuit {
  #failures = 0
  #openUntilMs = 0
  #isTrying = false

  /** Whether a call may be made now. How it went has to be recorded. */
  allows(nowMs: number): boolean {
    if (this.#failures < failuresToOpen) return true
    if (nowMs < this.#openUntilMs || this.#isTrying) return false
    this.#isTrying = true
    return true
  }

  status(nowMs: number): CircuitStatus {
    const isTripped = this.#failures >= failuresToOpen
    const isOpen = isTripped && nowMs < this.#openUntilMs
    return {
      state: isOpen ? 'open' : isTripped ? 'half_open' : 'closed',
      failures: this.#failures,
      untilMs: isOpen ? this.#openUntilMs : undefined,
    }
  }

  /** Ends the rest of one that is open: the next call decides. */
  endRest(): void {
    this.#openUntilMs = 0
  }

  record(isGood: boolean, nowMs: number): void {
    this.#isTrying = false
    this.#failures = isGood ? 0 : this.#failures + 1
    if (this.#failures >= failuresToOpen) this.#openUntilMs = nowMs + circuitOpenMs
  }
}
