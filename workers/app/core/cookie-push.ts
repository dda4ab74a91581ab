/**
 * What a browser's extension pushes: the cookies of all that it was told to send. Protocol: `easychen/CookieCloud` at
 * 79bea927, `api/app.js` and `ext/utils/functions.ts`; names of fields and the derivation of keys are theirs.
 */
import { toHex } from './bytes.ts'
import { type Cookie, cookieOf } from './cookies.ts'
import { md5 } from './md5.ts'
import type { CookieOrigin } from './vocabulary.ts'

/** How a push is sealed: as the library's passphrase form does it, or with a key alone. */
export const pushSeals = ['legacy', 'aes-128-cbc-fixed'] as const
export type PushSeal = (typeof pushSeals)[number]

const keyCharacters = 16

/** Sixteen letters, which stand for the password from then on: it need not be kept. */
export function pushKey(uuid: string, password: string): string {
  return toHex(md5(new TextEncoder().encode(`${uuid}-${password}`))).slice(0, keyCharacters)
}

const saltMark = 'Salted__'
const saltBytes = 8

/** With what a sealed text opens: key and first block from the passphrase and the salt before the text. */
export function openingOf(
  seal: PushSeal,
  sealed: Uint8Array<ArrayBuffer>,
  passphrase: string,
): { key: Uint8Array<ArrayBuffer>; iv: Uint8Array<ArrayBuffer>; text: Uint8Array<ArrayBuffer> } | undefined {
  const pass = new TextEncoder().encode(passphrase)
  if (seal === 'aes-128-cbc-fixed') return { key: Uint8Array.from(pass), iv: new Uint8Array(16), text: sealed }
  const head = saltMark.length + saltBytes
  if (sealed.length <= head || String.fromCharCode(...sealed.subarray(0, saltMark.length)) !== saltMark)
    return undefined
  const salt = sealed.subarray(saltMark.length, head)
  const made = new Uint8Array(48)
  let last = new Uint8Array()
  for (let filled = 0; filled < made.length; filled += last.length) {
    last = md5(Uint8Array.from([...last, ...pass, ...salt]))
    made.set(last, filled)
  }
  return { key: made.slice(0, 32), iv: made.slice(32), text: sealed.subarray(head) }
}

/** As our own extension calls itself within what it seals; the protocol knows no such field. */
const ownSender = 'wharf'

/** Undefined for what is no push, whatever it was sealed with. */
export function cookiesInPush(
  text: string,
  cookiesMax: number,
): { readonly from: CookieOrigin; readonly cookies: Cookie[] } | undefined {
  let pushed: unknown
  try {
    pushed = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof pushed !== 'object' || pushed === null || !('cookie_data' in pushed)) return undefined
  const { cookie_data: byDomain } = pushed
  if (typeof byDomain !== 'object' || byDomain === null) return undefined
  return {
    from: 'sender' in pushed && pushed.sender === ownSender ? 'extension' : 'endpoint',
    cookies: Object.values(byDomain)
      .flatMap((list: unknown) => (Array.isArray(list) ? list : []))
      .slice(0, cookiesMax)
      .flatMap(cookieOf),
  }
}

const lastingName = /pass|uid|auth|remember/i
const sessionName = /sess|token|login/i

export type Renewal = 'renewed' | 'same' | 'signed_out'

/**
 * Whether what a browser holds now takes the place of what is stored. A browser that was signed out still holds cookies
 * for the site; what opens the account is gone, and then the stored ones stay.
 */
export function renewalOf(stored: string, pushed: string): Renewal {
  if (stored === pushed) return 'same'
  const [before, now] = [namesIn(stored), new Set(namesIn(pushed))]
  for (const pattern of [lastingName, sessionName]) {
    const opening = before.filter((name) => pattern.test(name))
    if (opening.length > 0) return opening.some((name) => now.has(name)) ? 'renewed' : 'signed_out'
  }
  return 'renewed'
}

function namesIn(header: string): string[] {
  return header.split(';').map((part) => part.split('=', 1)[0]?.trim() ?? '')
}

/** A browser says so at the beginning of its name; a program that pushes has one that would only draw attention. */
export function isBrowserName(userAgent: string): boolean {
  return /^Mozilla\/5\.0 \([\x20-\x7e]+$/.test(userAgent)
}
