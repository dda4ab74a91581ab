import { isRecord, type JsonRecord, listOf, numberOf, textOf } from '#shared/kernel/json-record.ts'

/**
 * Why a request leaves a step for the next one: its provider is busy, it failed, it was silent for too long, the request
 * is longer than its model reads, or it refuses the owner's key.
 */
export const goOnReasons = ['busy', 'failed', 'slow', 'too_long', 'key_refused'] as const
export type GoOnReason = (typeof goOnReasons)[number]

/** Routes of the settings, and as many that are kept; steps of one. */
export const routesMax = 100
export const routeStepsMax = 8
/** A client waits no longer for the first token of one step. */
export const firstTokenSecondsMax = 600

/** One way to answer a route. */
export interface RouteStep {
  readonly model: string
  /** Steps of the same order share the requests by weight. */
  readonly order: number
  readonly weight: number
  /** While its provider has so many calls under way, it is passed over. */
  readonly callsMax: number | undefined
}

export interface ModelRoute {
  readonly name: string
  readonly steps: readonly RouteStep[]
  readonly goOnWhen: readonly GoOnReason[]
  /** How long a step may be silent before a streamed answer; undefined: as long as its provider may be. */
  readonly firstTokenMs: number | undefined
  /** A conversation stays with its step, so that its caches stay warm. */
  readonly isSticky: boolean
  /** Steps of one order are tried by their price, and by weight only where that is the same. */
  readonly isCheapestFirst: boolean
}

const members = ['steps', 'go_on_when', 'first_token_seconds', 'sticky', 'cheapest_first']

/** A route as it is written: its steps alone, or with what is said of all of them. Undefined: it is none. */
export function routeOf(name: string, entry: unknown): ModelRoute | undefined {
  const said: JsonRecord | undefined = Array.isArray(entry) ? { steps: entry } : isRecord(entry) ? entry : undefined
  if (said === undefined || name === '' || Object.keys(said).some((member) => !members.includes(member)))
    return undefined
  const written = listOf(said['steps'])
  const steps = written.map(stepOf).filter((step) => step !== undefined)
  if (steps.length === 0 || steps.length !== written.length || steps.length > routeStepsMax) return undefined
  const wanted = said['go_on_when'] === undefined ? goOnReasons : listOf(said['go_on_when'])
  const goOnWhen = goOnReasons.filter((reason) => wanted.includes(reason))
  const seconds = wholeOf(said['first_token_seconds'] ?? undefined, 0, firstTokenSecondsMax)
  const { sticky: isSticky = true, cheapest_first: isCheapestFirst = false } = said
  if (goOnWhen.length !== wanted.length || seconds === undefined) return undefined
  if (typeof isSticky !== 'boolean' || typeof isCheapestFirst !== 'boolean') return undefined
  return { name, steps, goOnWhen, firstTokenMs: seconds === 0 ? undefined : seconds * 1_000, isSticky, isCheapestFirst }
}

function stepOf(entry: unknown, index: number): RouteStep | undefined {
  if (!isRecord(entry)) return undefined
  const model = textOf(entry['model'])
  const order = wholeOf(entry['order'], index + 1)
  const weight = wholeOf(entry['weight'], 1)
  const callsMax = wholeOf(entry['calls_at_once'] ?? undefined, 0)
  if (model === undefined || model === '' || order === undefined || weight === undefined || callsMax === undefined)
    return undefined
  return { model, order, weight, callsMax: callsMax === 0 ? undefined : callsMax }
}

/** A whole number above nothing; undefined: it is none. */
export function wholeOf(value: unknown, otherwise: number, most = 10_000): number | undefined {
  if (value === undefined) return otherwise
  const number = numberOf(value)
  return number !== undefined && Number.isInteger(number) && number >= 1 && number <= most ? number : undefined
}
