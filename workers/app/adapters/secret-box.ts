import { failWith, succeed } from '#shared/kernel/result.ts'
import type { SecretBox, SecretsState } from '../ports.ts'
import { fromBase64, sha256, toBase64Url, toHex } from './web-crypto.ts'

const keyBytes = 32
const ivBytes = 12
const format = 'v1'
const checkContext = 'key-check'
const checkText = 'wharf'

/** Where the text that tells whether the key is the one from before is kept. */
export interface KeyCheckStore {
  read(): Promise<string | undefined>
  /** Keeps the first one written; later ones change nothing. */
  writeFirst(sealed: string): Promise<void>
}

/**
 * AES-GCM under the owner's master key (32 bytes, base64). A sealed text is `v1.<key name>.<iv>.<ciphertext>`: the key's
 * name is 8 characters of its digest, so a text of another key is told apart from a damaged one. `context` is
 * authenticated, which keeps a sealed text from being moved to another row.
 */
export function createSecretBox(masterKey: string | undefined, keyCheck: KeyCheckStore): SecretBox {
  const raw = masterKey === undefined ? undefined : fromBase64(masterKey)
  let loaded: Promise<{ key: CryptoKey; name: string } | undefined> | undefined
  const load = () => {
    loaded ??= importKey(raw)
    return loaded
  }
  let known: SecretsState | undefined

  async function state(): Promise<SecretsState> {
    if (known !== undefined) return known
    const key = await load()
    if (key === undefined) return 'missing'
    const check = await keyCheck.read()
    if (check === undefined) {
      await keyCheck.writeFirst(await sealWith(key, checkText, checkContext))
      const stored = await keyCheck.read()
      known = stored !== undefined && (await openWith(key, stored, checkContext)) === checkText ? 'ready' : 'changed'
    } else known = (await openWith(key, check, checkContext)) === checkText ? 'ready' : 'changed'
    return known
  }

  return {
    state,
    async seal(plain, context) {
      const key = await load()
      if (key === undefined || (await state()) !== 'ready')
        throw new Error('nothing can be sealed without the master key')
      return sealWith(key, plain, context)
    },
    async open(sealed, context) {
      const key = await load()
      if (key === undefined) return failWith('missing')
      const plain = await openWith(key, sealed, context)
      return plain === undefined ? failWith('changed') : succeed(plain)
    },
  }
}

async function importKey(
  raw: Uint8Array<ArrayBuffer> | undefined,
): Promise<{ key: CryptoKey; name: string } | undefined> {
  if (raw === undefined || raw.length !== keyBytes) return undefined
  const key = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt'])
  return { key, name: toHex(await sha256(`wharf key name ${toHex(raw)}`)).slice(0, 8) }
}

async function sealWith(
  { key, name }: { key: CryptoKey; name: string },
  plain: string,
  context: string,
): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(context) },
    key,
    new TextEncoder().encode(plain),
  )
  return [format, name, toBase64Url(iv), toBase64Url(new Uint8Array(sealed))].join('.')
}

async function openWith(
  { key, name }: { key: CryptoKey; name: string },
  sealed: string,
  context: string,
): Promise<string | undefined> {
  const [version, keyName, ivText, cipherText] = sealed.split('.')
  if (version !== format || keyName !== name || ivText === undefined || cipherText === undefined) return undefined
  const iv = fromBase64(ivText)
  const cipher = fromBase64(cipherText)
  if (iv === undefined || cipher === undefined) return undefined
  try {
    const plain = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(context) },
      key,
      cipher,
    )
    return new TextDecoder().decode(plain)
  } catch {
    return undefined
  }
}
