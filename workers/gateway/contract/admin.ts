import * as z from '#shared/schema/deferred.ts'
import { isNetworkText } from '../core/keys/allowed-addresses.ts'
import type { TokenCount } from '../core/keys/call-record.ts'
import type { GoOnReason } from '../core/providers/model-route.ts'
import { budgetDollarsMax, keyAddressesMax, keyModelsMax, keyNameCharactersMax, perMinuteMax } from '../limits.ts'

const dollars = z.number().positive().max(budgetDollarsMax)
const perMinute = z.int().min(1).max(perMinuteMax)

const fields = {
  name: z.string().trim().min(1).max(keyNameCharactersMax),
  /** Ids and short names, `*` at an end; empty: every model. */
  models: z.array(z.string().trim().min(1).max(200)).max(keyModelsMax),
  /** Addresses and networks that it opens for; empty: every one. */
  addresses: z.array(z.string().trim().refine(isNetworkText, 'not an address or a network')).max(keyAddressesMax),
  requests_per_minute: perMinute.nullable(),
  tokens_per_minute: perMinute.nullable(),
  budget_day_usd: dollars.nullable(),
  budget_month_usd: dollars.nullable(),
  /** Unix seconds. */
  expires_at: z.int().positive().nullable(),
  /** Whether what requests and answers say is kept, for a day each; it turns itself off. */
  keep_bodies: z.boolean(),
}

export const makeKeyBody = z.strictObject(fields).partial().required({ name: true })
export const changeKeyBody = z.strictObject(fields).partial()
export type KeyBody = z.infer<typeof changeKeyBody>

/** Unix seconds and dollars; null: none. */
export interface KeyObject {
  readonly object: 'gateway.key'
  readonly id: string
  readonly name: string
  readonly models: readonly string[]
  readonly addresses: readonly string[]
  readonly requests_per_minute: number | null
  readonly tokens_per_minute: number | null
  readonly budget_day_usd: number | null
  readonly budget_month_usd: number | null
  readonly expires_at: number | null
  /** Until then what requests and answers say is kept; null: it is not. */
  readonly keeps_bodies_until: number | null
  readonly created_at: number
  readonly last_used_at: number | null
  readonly revoked_at: number | null
  readonly secret_end: string
  readonly old_secret_until: number | null
  readonly used: {
    readonly day_usd: number
    readonly month_usd: number
    readonly reserved_usd: number
    readonly requests_this_minute: number
    readonly tokens_this_minute: number
    readonly calls_under_way: number
  }
}

/** Tokens by kind: cache reads and writes stand beside `input`, reasoning is part of `output`. */
interface WireTokens {
  readonly input: number
  readonly cache_read: number
  readonly cache_write: number
  readonly output: number
  readonly reasoning: number
}

export interface UsageObject {
  readonly key: string
  readonly key_name: string
  readonly day: string
  readonly provider: string
  readonly model: string
  readonly requests: number
  readonly failed: number
  readonly refused: number
  readonly tokens: WireTokens
  readonly cost_usd: number
  /** Requests whose price is not known, which cost nothing here. */
  readonly unpriced: number
  /** Of streamed answers, the time to the first piece: how many waited how long. */
  readonly first_token: { readonly bounds_ms: readonly number[]; readonly counts: readonly number[] }
}

export interface CallObject {
  readonly key: string
  readonly key_name: string
  readonly request_id: string
  readonly at: number
  readonly route: string
  readonly provider: string
  readonly model: string
  readonly outcome: 'answered' | 'failed' | 'left' | 'refused'
  readonly code: string | null
  readonly tokens: WireTokens
  readonly is_estimated: boolean
  readonly cost_usd: number | null
  readonly first_token_ms: number | null
  readonly took_ms: number
  /** What was said is kept, see `/admin/bodies`. */
  readonly has_body: boolean
  readonly attempts: readonly {
    readonly provider: string
    readonly model: string
    readonly ms: number
    readonly code: string | null
  }[]
}

/** What a request and its answer say. */
export interface BodiesObject {
  readonly object: 'gateway.bodies'
  readonly status: number
  readonly request: string
  readonly answer: string
  /** One of them was longer. */
  readonly is_cut: boolean
}

/** Providers beside the account's, and the routes over all of them. */
export interface RoutingObject {
  readonly object: 'gateway.routing'
  readonly providers: readonly {
    readonly name: string
    readonly dialect: string
    readonly host: string
    readonly calls_at_once: number
    readonly calls_under_way: number
    readonly circuit: 'closed' | 'open' | 'half_open'
    readonly failures_in_a_row: number
    /** Unix seconds; null: it is not open. */
    readonly open_until: number | null
  }[]
  /** Calls of the last two hours by when they ended, the account's own provider included. */
  readonly recent: {
    /** Unix seconds in which the first step begins. */
    readonly from: number
    readonly step_seconds: number
    readonly steps: number
    /** Where there were any. */
    readonly calls: readonly {
      readonly provider: string
      readonly at: number
      readonly answered: number
      readonly failed: number
    }[]
  }
  readonly routes: readonly {
    readonly name: string
    /** What a change of it is made on; null: it is in the settings, and changed there. */
    readonly revision: number | null
    readonly go_on_when: readonly GoOnReason[]
    readonly first_token_seconds: number | null
    readonly sticky: boolean
    readonly cheapest_first: boolean
    readonly steps: readonly {
      /** As the route says it. */
      readonly name: string
      /** As its provider calls it. */
      readonly model: string
      /** Whose the model is; `bedrock` is the account's own. */
      readonly provider: string
      readonly order: number
      readonly weight: number
      readonly calls_at_once: number | null
      readonly context_window: number | null
      /** Dollars a million tokens; null: not known. */
      readonly input_usd: number | null
      readonly cache_read_usd: number | null
      readonly output_usd: number | null
    }[]
  }[]
}

export function wireTokens(tokens: TokenCount): WireTokens {
  const { input, cacheRead, cacheWrite, output, reasoning } = tokens
  return { input, cache_read: cacheRead, cache_write: cacheWrite, output, reasoning }
}
