import { constantTimeEqual } from '#shared/http/constant-time-equal.ts'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { fromBase64, toBase64Url } from '../core/bytes.ts'
import { knownBrowserSeconds } from '../limits.ts'
import type { KnownBrowsers } from '../ports/account.ts'
import type { Identifiers } from '../ports/runtime.ts'

const purpose = new TextEncoder().encode('wharf known browser')
const markShape = /^([\w-]{12})\.([0-9]{1,12})\.([\w-]{43})$/

/** Marks are signed under a key of their own that comes from the master key; without that one no browser is known. */
export function createKnownBrowsers(
  masterKey: string | undefined,
  deps: { readonly clock: Clock; readonly identifiers: Identifiers },
): KnownBrowsers {
  const raw = masterKey === undefined ? undefined : fromBase64(masterKey)
  let loaded: Promise<CryptoKey | undefined> | undefined

  function key(): Promise<CryptoKey | undefined> {
    loaded ??= raw === undefined ? Promise.resolve(undefined) : deriveKey(raw)
    return loaded
  }

  async function seal(signing: CryptoKey, name: string, issuedUnix: number): Promise<Uint8Array> {
    const text = new TextEncoder().encode(`${name}.${issuedUnix}`)
    return new Uint8Array(await crypto.subtle.sign('HMAC', signing, text))
  }

  return {
    async mark() {
      const signing = await key()
      if (signing === undefined) return undefined
      const name = deps.identifiers.next()
      const issuedUnix = unixSeconds(deps.clock)
      return `${name}.${issuedUnix}.${toBase64Url(await seal(signing, name, issuedUnix))}`
    },

    async nameOf(mark) {
      const parts = markShape.exec(mark)
      const [, name, issued, sealed] = parts ?? []
      if (name === undefined || issued === undefined || sealed === undefined) return undefined
      const issuedUnix = Number(issued)
      const signing = await key()
      if (signing === undefined || unixSeconds(deps.clock) >= issuedUnix + knownBrowserSeconds) return undefined
      const wanted = await seal(signing, name, issuedUnix)
      return constantTimeEqual(fromBase64(sealed) ?? new Uint8Array(), wanted) ? name : undefined
    },
  }
}

async function deriveKey(raw: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', raw, 'HKDF', false, ['deriveKey'])
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: purpose },
    material,
    { name: 'HMAC', hash: 'SHA-256', length: 256 },
    false,
    ['sign'],
  )
}
