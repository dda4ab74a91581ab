import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  type AssistantSettingsBody,
  changeAssistantSettings,
  getAssistantSettings,
  testAssistant,
  type WireAssistantSettings,
  type WireModelTrial,
} from '../../contract/console-settings.ts'
import type { SettingValue } from '../../contract/owner-settings.ts'
import { describeModelFault, explainModelFault } from '../../core/assistant/model-fault.ts'
import { type Failure, failure } from '../../core/failure.ts'
import { isSameOrigin, parseServiceAddress } from '../../core/service-address.ts'
import type { AppDeps, ModelSettings, OwnerSetting } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

const keyStays = failure('invalid_argument', '地址已改变，请重新填写字段 api_key')
const cannotSeal = failure('unavailable', '主密钥丢失或已更换，无法保存密钥')

export function consoleAssistantRoutes(deps: Pick<AppDeps, 'settings' | 'chatModel'>): BoundRoute[] {
  /** A stored key goes only where it was meant to go: a form must not be able to fetch it from elsewhere. */
  async function wouldMoveKey(wanted: SettingValue<'assistant'>): Promise<boolean> {
    const present = await deps.settings.read('assistant')
    return present.hasSecret && !isSameService(wanted, present.value)
  }

  /** What to try: the given settings, with the stored key where none is given. */
  async function modelToTry(body: Omit<AssistantSettingsBody, 'enabled'>): Promise<Result<ModelSettings, Failure>> {
    const value = assistantOf({ ...body, enabled: true })
    if (!value.ok) return value
    const { endpoint, address, model } = value.value
    if (endpoint === 'own') return succeed({ address: undefined, model, apiKey: '' })
    if (body.api_key !== undefined) return succeed({ address, model, apiKey: body.api_key })
    if (await wouldMoveKey(value.value)) return failWith(keyStays)
    const key = await deps.settings.openSecret('assistant')
    if (key.ok) return succeed({ address, model, apiKey: key.value })
    return failWith(failure('unavailable', describeModelFault({ kind: 'secrets', state: key.failure })))
  }

  return [
    bind(getAssistantSettings, async () => succeed({ body: toWireAssistant(await deps.settings.read('assistant')) })),
    bind(changeAssistantSettings, async ({ body }) => {
      const value = assistantOf(body)
      if (!value.ok) return value
      if (body.api_key === undefined && (await wouldMoveKey(value.value))) return failWith(keyStays)
      const stored = await deps.settings.write('assistant', value.value, body.api_key)
      return stored.ok ? succeed({ body: toWireAssistant(stored.value) }) : failWith(cannotSeal)
    }),
    bind(testAssistant, async ({ body }) => {
      const settings = await modelToTry(body)
      if (!settings.ok) return settings
      const tried = await deps.chatModel.tryOut(settings.value)
      const trial: WireModelTrial = tried.ok
        ? { works: true, calls_tools: tried.value.callsTools }
        : { works: false, error: explainModelFault(tried.failure) }
      return succeed({ body: trial })
    }),
  ]
}

/** The address stays while the own gateway answers, so that going back needs no typing. */
function assistantOf(body: AssistantSettingsBody): Result<SettingValue<'assistant'>, Failure> {
  const { enabled, endpoint, model } = body
  const address = parseServiceAddress(body.address ?? '')
  if (!address.ok) return failWith(failure('invalid_argument', `字段 address 不正确：${address.failure}`))
  if (endpoint === 'address' && address.value === '') return failWith(failure('invalid_argument', '缺少字段 address'))
  if (enabled && model === '') return failWith(failure('invalid_argument', '缺少字段 model'))
  return succeed({ enabled, endpoint, address: address.value, model })
}

/** A key belongs to the address it was typed for; where there is none any more it goes nowhere. */
function isSameService(one: SettingValue<'assistant'>, other: SettingValue<'assistant'>): boolean {
  return one.address === '' || (other.address !== '' && isSameOrigin(one.address, other.address))
}

function toWireAssistant({ value, hasSecret }: OwnerSetting<'assistant'>): WireAssistantSettings {
  const { enabled, endpoint, address, model } = value
  return { enabled, endpoint, address, model, has_api_key: hasSecret }
}
