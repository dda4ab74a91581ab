import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { toHex } from '../../core/bytes.ts'
import { serviceReason } from '../../core/reason/of-fault.ts'
import { quoted } from '../../core/reason/quote.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { cutTo } from '../../core/redact.ts'
import type { ServiceFault } from '../../core/service-fault.ts'
import {
  reseedServiceBytesMax,
  reseedServiceCallMs,
  reseedServiceRestSeconds,
  reseedServiceWordsMax,
} from '../../limits.ts'
import type { ReseedService, ReseedServicePlace, ReseedServiceRefusal } from '../../ports/reseed-service.ts'
import { callService, jsonIn, type ServiceRuntime } from '../catalogue/call-service.ts'
import { readEnvelope, readFound, readSites, readTold } from './answers.ts'

/** Of its interface, which its documents name. */
const version = '8.2.0'

export function createReseedService(runtime: Pick<ServiceRuntime, 'fetch'>, clock: Clock): ReseedService {
  async function ask<T>(
    place: ReseedServicePlace,
    path: string,
    form: URLSearchParams | undefined,
    read: (data: unknown) => T | undefined,
  ): Promise<Result<T, ReseedServiceRefusal>> {
    const answer = await callService(runtime, {
      address: `${place.address}${path}`,
      headers: { token: place.token, accept: 'application/json' },
      ...(form === undefined ? {} : { form }),
      proxy: place.proxy,
      bytesMax: reseedServiceBytesMax,
      limitMs: reseedServiceCallMs,
      isRefusedInJson: true,
    })
    if (!answer.ok) return failWith(ofFault(answer.failure))
    const said = readEnvelope(jsonIn(answer.value))
    if (said === undefined) return failWith(ofFault({ kind: 'broken' }))
    if (!said.ok) {
      const { words, restSeconds, isThrottled } = said.failure
      return failWith({ reason: reasonOf(words, place), restSeconds, isThrottled })
    }
    const value = read(said.value)
    return value === undefined ? failWith(ofFault({ kind: 'broken' })) : succeed(value)
  }

  return {
    sites: (place) => ask(place, '/reseed/sites/index', undefined, readSites),
    tell: (place, sids) => ask(place, '/reseed/sites/reportExisting', listIn('sid_list', sids), readTold),
    async find(place, { infoHashes, sidSha1 }) {
      const hash = JSON.stringify(infoHashes.toSorted())
      const form = new URLSearchParams({
        hash,
        sha1: await sha1(hash),
        sid_sha1: sidSha1,
        timestamp: String(unixSeconds(clock)),
        version,
      })
      return ask(place, '/reseed/index/index', form, readFound)
    },
  }
}

/** As PHP writes a list into a form. */
function listIn(name: string, values: readonly number[]): URLSearchParams {
  return new URLSearchParams(values.map((value, at): [string, string] => [`${name}[${at}]`, String(value)]))
}

async function sha1(text: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text))))
}

function ofFault(fault: ServiceFault): ReseedServiceRefusal {
  return {
    reason: serviceReason('reseed', fault),
    restSeconds: fault.kind === 'rate_limited' ? fault.retryAfterSeconds : reseedServiceRestSeconds,
    isThrottled: fault.kind === 'rate_limited',
  }
}

/** A token is no word of the service, wherever it says it. */
function reasonOf(said: string, { token }: ReseedServicePlace): Reason {
  const { words } = quoted(cutTo(said.replaceAll(token, '***'), reseedServiceWordsMax))
  return words === '' ? serviceReason('reseed', { kind: 'refused' }) : { kind: 'reseed.refused', quoted: words }
}
