import { constantTimeEqual } from '#shared/http/constant-time-equal.ts'
import { isRecord, listOf, parseJson, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { base64UrlFromBytes, bytesFromBase64Url } from './base64.ts'
import { type Failure, failure } from './failure.ts'
import type { SettingFault } from './start-fault.ts'
import { readReasoningBlock } from './wire/converse-answer.ts'
import type { ReasoningBlock } from './wire/converse-request.ts'

/** Keys that sign capsules. Every key verifies; the active one signs. */
export interface Keyring {
  readonly activeKeyId: string | undefined
  readonly keys: ReadonlyMap<string, Uint8Array>
}

export type Mac = (key: Uint8Array, bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>

export interface KeyringSettings {
  /** Undefined: on, with the keys that are given or else one of the gateway's own. */
  readonly isEnabled: boolean | undefined
  readonly activeKeyId: string | undefined
  /** `id:key,id:key`, keys in base64url without padding. */
  readonly keys: string | undefined
}

const keyBytesMin = 16
const encoder = new TextEncoder()

/** Undefined: no keys are given, and the gateway makes its own. */
export function parseKeyring(settings: KeyringSettings): Result<Keyring | undefined, SettingFault> {
  const keys = new Map<string, Uint8Array>()
  for (const pair of (settings.keys ?? '').split(',')) {
    if (pair.trim() === '') continue
    const [keyId, encoded] = pair.trim().split(':', 2)
    const key = encoded === undefined ? undefined : bytesFromBase64Url(encoded)
    if (keyId === undefined || keyId === '' || key === undefined || key.length < keyBytesMin) {
      return failWith({ setting: 'CHAT_REASONING_CAPSULE_KEYS', must: 'keyring' })
    }
    keys.set(keyId, key)
  }
  if (settings.isEnabled === false) return succeed({ activeKeyId: undefined, keys })
  const [first] = keys.keys()
  if (settings.isEnabled === undefined && settings.activeKeyId === undefined) {
    return succeed(first === undefined ? undefined : { activeKeyId: first, keys })
  }
  if (settings.activeKeyId === undefined || !keys.has(settings.activeKeyId)) {
    return failWith({ setting: 'CHAT_REASONING_CAPSULE_ACTIVE_KID', must: 'key_of_ring' })
  }
  return succeed({ activeKeyId: settings.activeKeyId, keys })
}

const ownKeyLabel = 'reasoning in tool call ids'

/**
 * The keyring of a gateway that was given none, made of the key its clients sign in with: every instance that takes
 * the same key makes the same one, and nothing has to be kept. The capsules do not tell that key.
 */
export async function ownKeyring(clientKey: string, mac: Mac): Promise<Keyring> {
  const key = await mac(encoder.encode(clientKey), encoder.encode(ownKeyLabel))
  const mark = await mac(key, encoder.encode('name'))
  const keyId = `own-${base64UrlFromBytes(mark.slice(0, 6))}`
  return { activeKeyId: keyId, keys: new Map([[keyId, key]]) }
}

const providerPrefix = 'brtc_v1'
const itemsPrefix = 'rsc_v1'
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What travels inside a tool call id, so that a stateless client brings signed reasoning back. */
export interface Capsule {
  readonly toolUseId: string
  readonly modelId: string
  readonly blocks: readonly ReasoningBlock[]
}

/** The same for models behind the compatible endpoint, whose reasoning is whole items. */
export interface ItemsCapsule {
  readonly callId: string
  readonly modelId: string
  readonly items: readonly unknown[]
}

export function isCapsule(id: string): boolean {
  return id.startsWith(`${providerPrefix}.`) || id.startsWith(`${itemsPrefix}.`)
}

/** Undefined: the reasoning is longer than what an id can carry. */
export function sealCapsule(capsule: Capsule, keyring: Keyring, mac: Mac): Promise<string | undefined> {
  return seal(
    providerPrefix,
    { tool_use_id: capsule.toolUseId, model: capsule.modelId, reasoning: { version: 1, blocks: capsule.blocks } },
    keyring,
    mac,
  )
}

export function sealItemsCapsule(capsule: ItemsCapsule, keyring: Keyring, mac: Mac): Promise<string | undefined> {
  return seal(
    itemsPrefix,
    { call_id: capsule.callId, model: capsule.modelId, reasoning_items: capsule.items },
    keyring,
    mac,
  )
}

const bytesMax = 65_536

async function seal(
  prefix: string,
  content: Readonly<Record<string, unknown>>,
  keyring: Keyring,
  mac: Mac,
): Promise<string | undefined> {
  const keyId = keyring.activeKeyId
  const key = keyId === undefined ? undefined : keyring.keys.get(keyId)
  if (keyId === undefined || key === undefined) throw new Error('a capsule is sealed without an active key')
  const body = base64UrlFromBytes(encoder.encode(JSON.stringify({ version: 1, kid: keyId, ...content })))
  const signed = `${prefix}.${body}`
  const sealed = `${signed}.${base64UrlFromBytes(await mac(key, encoder.encode(signed)))}`
  return sealed.length > bytesMax ? undefined : sealed
}

export async function openCapsule(id: string, keyring: Keyring, mac: Mac): Promise<Result<Capsule, Failure>> {
  const content = await open(providerPrefix, id, keyring, mac)
  const toolUseId = textOf(content?.['tool_use_id'])
  const modelId = textOf(content?.['model'])
  const blocks: ReasoningBlock[] = []
  for (const block of listOf(recordOf(content?.['reasoning'])?.['blocks'])) {
    const reasoning = recordOf(recordOf(block)?.['reasoningContent'])
    const read = reasoning === undefined ? undefined : readReasoningBlock(reasoning)
    if (read === undefined) return failWith(badCapsule())
    blocks.push(read)
  }
  if (toolUseId === undefined || modelId === undefined) return failWith(badCapsule())
  return succeed({ toolUseId, modelId, blocks })
}

export async function openItemsCapsule(id: string, keyring: Keyring, mac: Mac): Promise<Result<ItemsCapsule, Failure>> {
  const content = await open(itemsPrefix, id, keyring, mac)
  const callId = textOf(content?.['call_id'])
  const modelId = textOf(content?.['model'])
  if (content === undefined || callId === undefined || modelId === undefined) return failWith(badCapsule())
  return succeed({ callId, modelId, items: listOf(content['reasoning_items']) })
}

/** The seal is judged before anything inside is believed; the key id only chooses which key judges. */
async function open(
  prefix: string,
  id: string,
  keyring: Keyring,
  mac: Mac,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (id.length > bytesMax) return undefined
  const parts = id.split('.')
  const [found, body, signature] = parts
  if (parts.length !== 3 || found !== prefix || body === undefined || signature === undefined) return undefined
  const bytes = bytesFromBase64Url(body)
  const presented = bytesFromBase64Url(signature)
  if (bytes === undefined || presented === undefined) return undefined
  const content = parseBytes(bytes)
  if (content === undefined || content['version'] !== 1) return undefined
  const key = keyring.keys.get(textOf(content['kid']) ?? '')
  if (key === undefined) return undefined
  const expected = await mac(key, encoder.encode(`${prefix}.${body}`))
  return constantTimeEqual(expected, presented) ? content : undefined
}

function parseBytes(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return undefined
  }
  const content = parseJson(text)
  return isRecord(content) ? content : undefined
}

function badCapsule(): Failure {
  return failure('bad_request', 'a tool call id carries reasoning that was changed or was sealed with an unknown key')
}
