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
import { type Failure, failure, wrongField } from '../../core/failure.ts'
import { modelReason, modelReasonInFull } from '../../core/reason/of-fault.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { Say } from '../../core/reason/say.ts'
import { isSameOrigin, parseServiceAddress } from '../../core/service-address.ts'
import type { ModelSettings } from '../../ports/assistant.ts'
import type { OwnerSetting } from '../../ports/settings.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { explained } from '../explained.ts'

const keyStays = failure('invalid_argument', { kind: 'field.fill_in_again', field: 'api_key', changed: 'address' })
const modelMissing: Reason = { kind: 'field.missing', field: 'model', part: 'field' }
const cannotSeal = failure('unavailable', { kind: 'cannot_seal', what: 'key' })

export function consoleAssistantRoutes(deps: Pick<AppDeps, 'settings' | 'chatModel'>): BoundRoute[] {
  /** A stored key goes only where it was meant to go: a form must not be able to fetch it from elsewhere. */
  async function wouldMoveKey(wanted: SettingValue<'assistant'>): Promise<boolean> {
    const present = await deps.settings.read('assistant')
    return present.hasSecret && !isSameService(wanted, present.value)
  }

  /** What to try: the given settings, with the stored key where none is given. */
  async function modelToTry(body: Omit<AssistantSettingsBody, 'enabled'>): Promise<Result<ModelSettings, Failure>> {
    const value = assistantOf({ ...body, enabled: false })
    if (!value.ok) return value
    const { endpoint, address, model } = value.value
    if (endpoint === 'own') return succeed({ address: undefined, model, apiKey: '' })
    if (body.api_key !== undefined) return succeed({ address, model, apiKey: body.api_key })
    if (await wouldMoveKey(value.value)) return failWith(keyStays)
    const key = await deps.settings.openSecret('assistant')
    if (key.ok) return succeed({ address, model, apiKey: key.value })
    return failWith(failure('unavailable', modelReason({ kind: 'secrets', state: key.failure })))
  }

  async function outcomeOf(settings: ModelSettings, say: Say): Promise<WireModelTrial> {
    if (settings.model === '') return { works: false, ...explained(say, modelMissing) }
    const tried = await deps.chatModel.tryOut(settings)
    return tried.ok
      ? { works: true, calls_tools: tried.value.callsTools }
      : { works: false, ...explained(say, modelReasonInFull(tried.failure)) }
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
    bind(testAssistant, async ({ body, say }) => {
      const settings = await modelToTry(body)
      if (!settings.ok) return settings
      const [outcome, models] = await Promise.all([
        outcomeOf(settings.value, say),
        deps.chatModel.models(settings.value),
      ])
      return succeed({ body: { ...outcome, ...(models.length === 0 ? {} : { models: [...models] }) } })
    }),
  ]
}

/** The address stays while the own gateway answers, so that going back needs no typing. */
function assistantOf(body: AssistantSettingsBody): Result<SettingValue<'assistant'>, Failure> {
  const { enabled, endpoint, model } = body
  const address = parseServiceAddress(body.address ?? '')
  if (!address.ok) return failWith(wrongField('address', address.failure))
  if (endpoint === 'address' && address.value === '')
    return failWith(failure('invalid_argument', { kind: 'field.missing', field: 'address', part: 'field' }))
  if (enabled && model === '') return failWith(failure('invalid_argument', modelMissing))
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
