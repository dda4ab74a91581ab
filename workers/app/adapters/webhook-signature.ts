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
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const secret = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
  const signed = await crypto.subtle.sign('HMAC', secret, new TextEncoder().encode(`${id}.${nowUnix}.${body}`))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(nowUnix),
    'webhook-signature': `v1,${toBase64(new Uint8Array(signed))}`,
  }
}
