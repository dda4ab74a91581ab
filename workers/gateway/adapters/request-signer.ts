import type { Clock } from '#shared/kernel/clock.ts'
import { isPending } from '../core/eventually.ts'
import { Kept } from '../core/kept.ts'
import { keptTexts } from '../limits.ts'
import type { Digests } from '../ports.ts'

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
  /** Undefined: they do not end. */
  readonly expiresAtMs?: number
}

export interface SignableRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

const encoder = new TextEncoder()
const keptKeysMax = 16

/** Signs requests with AWS Signature Version 4. The daily key of each (secret, region, service) is kept. */
export class RequestSigner {
  readonly #digests: Digests
  readonly #clock: Clock
  readonly #keys = new Map<string, Uint8Array>()
  /** The few addresses of the provider are asked again and again. */
  readonly #addresses = new Kept(canonicalAddress, keptTexts)
  readonly #names = new Kept((all) => {
    const names = [...all.split(';'), 'host'].sort()
    return { names, signed: names.join(';') }
  }, keptTexts)
  #second = 0
  #time = ''

  constructor(digests: Digests, clock: Clock) {
    this.#digests = digests
    this.#clock = clock
  }

  /** The headers to send: those given, and the signature's own. */
  async sign(
    request: SignableRequest,
    credentials: Credentials,
    region: string,
    service: string,
  ): Promise<Record<string, string>> {
    const time = this.#timeNow()
    const day = time.slice(0, 8)
    const address = this.#addresses.of(request.url)
    const bodyRead = this.#digests.sha256Hex(request.body)
    const bodyDigest = isPending(bodyRead) ? await bodyRead : bodyRead
    const headers: Record<string, string> = {
      ...request.headers,
      'x-amz-date': time,
      'x-amz-content-sha256': bodyDigest,
    }
    if (credentials.sessionToken !== undefined) headers['x-amz-security-token'] = credentials.sessionToken
    const { names, signed } = this.#names.of(Object.keys(headers).join(';'))
    let canonical = `${request.method}\n${address.path}\n${address.query}\n`
    for (const name of names) canonical += `${name}:${canonicalValue(headers[name] ?? address.host)}\n`
    canonical += `\n${signed}\n${bodyDigest}`
    const scope = `${day}/${region}/${service}/aws4_request`
    const asked = this.#digests.sha256Hex(canonical)
    const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${isPending(asked) ? await asked : asked}`
    const keyName = `${scope}/${credentials.secretAccessKey}`
    const key =
      this.#keys.get(keyName) ??
      (await this.#newKey(keyName, `AWS4${credentials.secretAccessKey}`, [day, region, service, 'aws4_request']))
    const coded = this.#digests.hmacSha256Hex(key, toSign)
    const signature = isPending(coded) ? await coded : coded
    headers['authorization'] =
      `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`
    return headers
  }

  #timeNow(): string {
    const second = Math.floor(this.#clock.nowMs() / 1_000)
    if (second !== this.#second) {
      this.#second = second
      this.#time = new Date(second * 1_000).toISOString().replace(/[-:]|\.\d{3}/g, '')
    }
    return this.#time
  }

  async #newKey(name: string, secret: string, scope: readonly string[]): Promise<Uint8Array> {
    let key: Uint8Array = encoder.encode(secret)
    for (const part of scope) {
      key = await this.#digests.hmacSha256(key, encoder.encode(part))
    }
    if (this.#keys.size >= keptKeysMax) this.#keys.clear()
    this.#keys.set(name, key)
    return key
  }
}

function canonicalValue(value: string): string {
  const trimmed = value.trim()
  return trimmed.includes('  ') ? trimmed.replace(/ +/g, ' ') : trimmed
}

function canonicalAddress(text: string) {
  const url = new URL(text)
  return { host: url.host, path: canonicalPath(url), query: canonicalQuery(url) }
}

/** Every segment is encoded once more than it is sent: the service does the same before it compares. */
function canonicalPath(url: URL): string {
  return url.pathname.split('/').map(encodeStrictly).join('/')
}

function canonicalQuery(url: URL): string {
  if (url.search === '') return ''
  return [...url.searchParams]
    .map(([name, value]) => [encodeStrictly(name), encodeStrictly(value)] as const)
    .sort(([left, leftValue], [right, rightValue]) => compare(left, right) || compare(leftValue, rightValue))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** Percent-encodes all but the unreserved characters. */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
