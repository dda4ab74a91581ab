/**
 * Fetches pages whose address a model chose. The name is resolved once, every address is judged, and the connection
 * goes to the judged address: a name that answers differently a moment later changes nothing.
 */
import { lookup } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { BlockList, isIP } from 'node:net'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { FetchedPage, WebFault, WebFetch } from '../runtime/tools/web-tool.ts'

const forbidden = new BlockList()
const ranges: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]
for (const [network, prefix] of ranges) forbidden.addSubnet(network, prefix, 'ipv4')

const globalIpv6 = new BlockList()
globalIpv6.addSubnet('2000::', 3, 'ipv6')
// Tunnels and translations that carry an IPv4 address, and documentation.
const carriers: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]
const carryingIpv6 = new BlockList()
for (const [network, prefix] of carriers) carryingIpv6.addSubnet(network, prefix, 'ipv6')

/** True for an address on the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !forbidden.check(address, 'ipv4')
  return isIP(address) === 6 && globalIpv6.check(address, 'ipv6') && !carryingIpv6.check(address, 'ipv6')
}

export interface WebFetchOptions {
  readonly resolve?: (hostname: string) => Promise<readonly string[]>
  readonly isAllowed?: (address: string, port: number) => boolean
  readonly msMax: number
  readonly bytesMax: number
  readonly redirectsMax: number
}

export function createWebFetch(options: WebFetchOptions): WebFetch {
  const resolve = options.resolve ?? (async (name) => (await lookup(name, { all: true })).map((entry) => entry.address))
  const isAllowed = options.isAllowed ?? ((address, port) => isPublicAddress(address) && (port === 80 || port === 443))
  return async function fetchPage(address, signal, msMax = options.msMax) {
    let current = address
    const stop = AbortSignal.any([signal, AbortSignal.timeout(msMax)])
    for (let hop = 0; hop <= options.redirectsMax; hop += 1) {
      const url = URL.parse(current)
      if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return failWith({ kind: 'scheme' })
      if (url.username !== '' || url.password !== '') return failWith({ kind: 'credentials' })
      const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
      const hostname = url.hostname.replace(/^\[|\]$/g, '')
      let addresses: readonly string[]
      try {
        addresses = isIP(hostname) === 0 ? await resolve(hostname) : [hostname]
      } catch {
        return failWith({ kind: 'unresolved', host: hostname })
      }
      const [pinned] = addresses
      if (pinned === undefined || !addresses.every((one) => isAllowed(one, port))) {
        return failWith({ kind: 'not_public', host: hostname })
      }
      const answer = await request(url, pinned, stop, options.bytesMax)
      if (!answer.ok) return answer
      if (answer.value.location === undefined) return succeed(answer.value.page)
      const next = URL.parse(answer.value.location, url.href)
      if (next === null) return failWith({ kind: 'nowhere' })
      current = next.href
    }
    return failWith({ kind: 'redirects' })
  }
}

function request(
  url: URL,
  address: string,
  signal: AbortSignal,
  bytesMax: number,
): Promise<Result<{ readonly location: string | undefined; readonly page: FetchedPage }, WebFault>> {
  return new Promise((resolve) => {
    const fail = () => resolve(failWith({ kind: signal.aborted ? 'slow' : 'unreachable' }))
    const sent = (url.protocol === 'https:' ? https : http).get(
      url,
      {
        signal,
        agent: false,
        headers: {
          accept: 'text/html, text/plain, application/json, */*',
          'accept-encoding': 'identity',
          'user-agent': 'svc',
        },
        lookup: (_name, wanted, done) => {
          const family = isIP(address)
          if (wanted.all === true) done(null, [{ address, family }])
          else done(null, address, family)
        },
      },
      (response) => {
        const status = response.statusCode ?? 0
        const location = status >= 300 && status < 400 ? response.headers.location : undefined
        const chunks: Buffer[] = []
        let bytes = 0
        const finish = (isCut: boolean) =>
          resolve(
            succeed({
              location,
              page: {
                status,
                contentType: response.headers['content-type'] ?? '',
                bytes: Buffer.concat(chunks),
                isCut,
                url: url.href,
              },
            }),
          )
        if (location !== undefined) {
          finish(false)
          sent.destroy()
          return
        }
        response.on('data', (chunk: Buffer) => {
          const room = bytesMax - bytes
          chunks.push(chunk.subarray(0, room))
          bytes += chunk.length
          if (chunk.length <= room) return
          finish(true)
          sent.destroy()
        })
        response.on('end', () => finish(false))
        response.on('error', fail)
      },
    )
    sent.on('error', fail)
  })
}
