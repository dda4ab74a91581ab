/** Signs what goes to a webhook, by the Standard Webhooks specification (1.0): its receivers have libraries for it. */
import { fromBase64, toBase64 } from '../core/bytes.ts'

const prefix = 'whsec_'

/** Over the message's id, the second it is sent in, and its body as it goes out. The key was judged when it was stored. */
export async function signatureHeaders(
  key: string,
  id: string,
  nowUnix: number,
  body: string,
): Promise<Readonly<Record<string, string>>> {
  const bytes = fromBase64(key.slice(prefix.length))
  if (bytes === undefined) throw new Error('a stored signing key is no Base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(nowUnix),
    'webhook-signature': `v1,${await hmacSha256(bytes, `${id}.${nowUnix}.${body}`)}`,
  }
}

/** In Base64. */
export async function hmacSha256(key: string | Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  const encoder = new TextEncoder()
  const raw = typeof key === 'string' ? encoder.encode(key) : key
  const secret = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return toBase64(new Uint8Array(await crypto.subtle.sign('HMAC', secret, encoder.encode(text))))
}
