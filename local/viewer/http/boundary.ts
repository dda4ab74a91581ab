/**
 * Everything that is refused before a request is read, judged on the raw request: an adapter in between would
 * already have tidied the path and the host.
 */
import { hasControlCharacter } from '../core/file-gate.ts'

export interface RequestFacts {
  readonly method: string
  /** The request target exactly as it was sent. */
  readonly target: string
  readonly hosts: readonly string[]
  readonly origins: readonly string[]
  readonly contentType: string | undefined
  readonly contentLength: string | undefined
  readonly hasBody: boolean
  readonly marker: string | undefined
  readonly port: number
}

export interface Refusal {
  readonly status: 400 | 403 | 404 | 405
  readonly code: 'refused' | 'not-found' | 'bad-request'
  readonly message: string
  readonly allow?: string
  readonly isJson: boolean
}

const allowedMethods = new Set(['GET', 'HEAD', 'POST', 'DELETE'])
const hostNames = new Set(['localhost', '127.0.0.1', '[::1]'])
const decodeRoundsMax = 6

export function refuse(facts: RequestFacts, bodyBytesMax: number): Refusal | undefined {
  const path = facts.target.split(/[?#]/, 1)[0] ?? ''
  const isApi = path === '/api' || path.startsWith('/api/')
  const isWrite = facts.method === 'POST' || facts.method === 'DELETE'
  const no = (status: Refusal['status'], code: Refusal['code'], message: string, allow?: string): Refusal => ({
    status,
    code,
    message,
    isJson: isApi,
    ...(allow === undefined ? {} : { allow }),
  })
  if (!allowedMethods.has(facts.method))
    return no(405, 'refused', `${facts.method.slice(0, 20)} is not answered here`, 'GET, HEAD, POST, DELETE')
  if (!isOwnHost(facts.hosts, facts.port))
    return no(403, 'refused', 'this server answers only under its own loopback address')
  if (!isOwnOrigin(facts.origins, facts.port)) return no(403, 'refused', 'requests of other pages are not answered')
  if (isWrite && !isApi) return no(405, 'refused', 'nothing is written here', 'GET, HEAD')
  if (isWrite && facts.marker !== '1') return no(403, 'refused', 'a write needs the header x-viewer-ui: 1')
  if (isWrite && !isJsonType(facts)) return no(403, 'refused', 'a write takes JSON')
  if (!isPlainPath(path)) return no(404, 'not-found', 'there is nothing at this path')
  if (isWrite && facts.contentLength !== undefined && Number(facts.contentLength) > bodyBytesMax)
    return no(400, 'bad-request', `a body may have at most ${bodyBytesMax} bytes`)
  return undefined
}

/** Exactly one Host, one of our names, our port. A port may be left out only where it is the default of http. */
export function isOwnHost(hosts: readonly string[], port: number): boolean {
  const [host] = hosts
  if (host === undefined || hosts.length !== 1) return false
  const matched = /^(\[::1\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(host)
  const name = matched?.[1]?.toLowerCase()
  return name !== undefined && hostNames.has(name) && (matched?.[2] === undefined ? 80 : Number(matched[2])) === port
}

export function isOwnOrigin(origins: readonly string[], port: number): boolean {
  if (origins.length === 0) return true
  const [origin] = origins
  if (origin === undefined || origins.length !== 1) return false
  const matched = /^http:\/\/(.+)$/.exec(origin)
  return matched?.[1] !== undefined && isOwnHost([matched[1]], port)
}

function isJsonType(facts: RequestFacts): boolean {
  if (facts.contentType === undefined) return facts.method === 'DELETE' && !facts.hasBody
  return facts.contentType.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'
}

/** No `..` segment however encoded, no control byte, no backslash, no malformed escape, no address instead of a path. */
function isPlainPath(path: string): boolean {
  if (!path.startsWith('/')) return false
  let text = path
  for (let round = 0; round < decodeRoundsMax; round += 1) {
    if (text.includes('\\') || hasControlCharacter(text)) return false
    if (text.split('/').includes('..')) return false
    if (!text.includes('%')) return true
    let decoded: string
    try {
      decoded = decodeURIComponent(text)
    } catch {
      // A stray percent sign in a name is only malformed as it was sent, not as it reads once decoded.
      return round > 0
    }
    if (decoded === text) return true
    text = decoded
  }
  return false
}
