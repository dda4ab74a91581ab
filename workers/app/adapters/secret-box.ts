import { failWith, succeed } from '#shared/kernel/result.ts'
import { fromBase64, toBase64Url, toHex } from '../core/bytes.ts'
import { keyNameOf, keyNameSource, sealedStart } from '../core/sealed-text.ts'
import type { SecretBox, SecretsState } from '../ports/secrets.ts'
import { sha256 } from './web-crypto.ts'

const keyBytes = 32
const ivBytes = 12
const checkContext = 'key-check'
const checkText = 'wharf'

/** Where the text that tells whether the key is the one from before is kept. */
export interface KeyCheckStore {
  read(): Promise<string | undefined>
  /** Keeps the first one written; later ones change nothing. */
  writeFirst(sealed: string): Promise<void>
  replace(sealed: string): Promise<void>
}

/** With what only the owner's own doing changes. */
export interface OwnSecretBox extends SecretBox {
  /** How texts begin that the key at hand has sealed; undefined without one. */
  presentStart(): Promise<string | undefined>
  /** From now on the key at hand seals; what another one sealed stays shut. False without a key. */
  adoptKey(): Promise<boolean>
}

/**
 * AES-GCM under the owner's master key (32 bytes, base64). A sealed text is `v1.<key name>.<iv>.<ciphertext>`: the key's
 * name is 8 characters of its digest, so a text of another key is told apart from a damaged one. `context` is
 * authenticated, which keeps a sealed text from being moved to another row.
 */
export function createSecretBox(masterKey: string | undefined, keyCheck: KeyCheckStore): OwnSecretBox {
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
      return settled(stored !== undefined && (await openWith(key, stored, checkContext)) === checkText)
    }
    return settled((await openWith(key, check, checkContext)) === checkText)
  }

  /** A changed key may be adopted meanwhile, by another isolate too; the right one stays right. */
  function settled(isReady: boolean): SecretsState {
    if (isReady) known = 'ready'
    return isReady ? 'ready' : 'changed'
  }

  return {
    state,
    async presentStart() {
      const key = await load()
      return key === undefined ? undefined : sealedStart(key.name)
    },
    async adoptKey() {
      const key = await load()
      if (key === undefined) return false
      await keyCheck.replace(await sealWith(key, checkText, checkContext))
      return true
    },
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
  return { key, name: keyNameOf(toHex(sha256(keyNameSource(raw)))) }
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
  return `${sealedStart(name)}${toBase64Url(iv)}.${toBase64Url(new Uint8Array(sealed))}`
}

async function openWith(
  { key, name }: { key: CryptoKey; name: string },
  sealed: string,
  context: string,
): Promise<string | undefined> {
  if (!sealed.startsWith(sealedStart(name))) return undefined
  const [ivText, cipherText] = sealed.slice(sealedStart(name).length).split('.')
  if (ivText === undefined || cipherText === undefined) return undefined
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
