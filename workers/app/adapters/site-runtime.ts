import { type OutgoingFault, outgoingFaults, outgoingHeaders } from '../core/site-proxy.ts'
import { siteAnswerBytesMax, siteCallMs, siteQueueMax } from '../limits.ts'
import { OutgoingFailure, type SiteRuntime } from './sites/site-driver.ts'

/** The host's ways out, where there are any. */
export type OutgoingSide = Pick<Cloudflare.Env, 'OUTGOING' | 'OUTGOING_CODE' | 'SITE_NETWORK'>

/** Network, time and waiting as the Worker's runtime gives them. */
export function siteRuntimeOf(outgoing: OutgoingSide): SiteRuntime {
  return {
    bounds: { callMs: siteCallMs, answerBytesMax: siteAnswerBytesMax, queueMax: siteQueueMax },
    fetch: (address, init, proxy) =>
      proxy === undefined
        ? (outgoing.SITE_NETWORK ?? globalThis).fetch(address, init)
        : fetchThrough(outgoing, proxy, address, init),
    nowMs: () => Date.now(),
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          signal.removeEventListener('abort', stop)
          resolve()
        }, ms)
        const stop = () => {
          clearTimeout(timer)
          reject(signal.reason)
        }
        signal.addEventListener('abort', stop, { once: true })
      }),
  }
}

/** Never around the proxy: who set one does not want the site to see this machine. */
async function fetchThrough(
  { OUTGOING: host, OUTGOING_CODE: code }: OutgoingSide,
  proxy: string,
  address: string,
  init: RequestInit,
): Promise<Response> {
  if (host === undefined || code === undefined) throw new OutgoingFailure('proxy_unsupported')
  const headers = new Headers(init.headers)
  headers.set(outgoingHeaders.proxy, proxy)
  headers.set(outgoingHeaders.code, code)
  const answer = await host.fetch(address, { ...init, headers })
  const fault = answer.headers.get(outgoingHeaders.fault)
  if (fault !== null) throw new OutgoingFailure(outgoingFaultOf(fault))
  return answer
}

function outgoingFaultOf(text: string): OutgoingFault {
  return outgoingFaults.find((fault) => fault === text) ?? 'proxy_unreachable'
}
