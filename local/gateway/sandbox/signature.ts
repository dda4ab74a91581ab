// Follows version 4 of the provider's published signing process. A test compares it with the signer of the AWS SDK.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export interface SignedRequest {
  readonly method: string
  /** As it came over the wire. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const clockSkewMsMax = 5 * 60_000

/**
 * Judges a signature by version 4 of the provider's published signing process, the way the service does. Undefined when
 * it holds, else what is wrong.
 */
export function signatureFault(
  request: SignedRequest,
  secret: string,
  service: string,
  nowMs: number,
): string | undefined {
  const authorization = request.headers.authorization ?? ''
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    )
  if (match === null) return 'no signature'
  const [, , day = '', region = '', signedService = '', signedHeaders = '', signature = ''] = match
  if (signedService !== service) return `signed for ${signedService}`
  const time = String(request.headers['x-amz-date'])
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!time.startsWith(day)) return 'Credential should be scoped to the day of the signature'
  if (at < nowMs - clockSkewMsMax) return `Signature expired: ${time} is too long ago`
  if (at > nowMs + clockSkewMsMax) return `Signature not yet current: ${time} is still to come`
  const names = signedHeaders.split(';')
  if (!names.includes('host')) return 'host is not signed'
  const [path = '', query = ''] = request.target.split('?', 2)
  const canonical = [
    request.method,
    path.split('/').map(strictly).join('/'),
    query
      .split('&')
      .filter((pair) => pair !== '')
      .sort()
      .join('&'),
    ...names.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    signedHeaders,
    createHash('sha256').update(request.body).digest('hex'),
  ].join('\n')
  const toSign = [
    'AWS4-HMAC-SHA256',
    time,
    `${day}/${region}/${service}/aws4_request`,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n')
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), service), 'aws4_request')
  const expected = hmac(key, toSign)
  return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? undefined : 'the signature does not match'
}

function strictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
