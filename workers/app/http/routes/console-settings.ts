import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  changeFreeEndSettings,
  changeLocaleSettings,
  changeMetadataSettings,
  changeProxySettings,
  changeUpdateSettings,
  getFreeEndSettings,
  getLocaleSettings,
  getMetadataSettings,
  getProxySettings,
  getUpdateSettings,
  type MetadataSettingsBody,
  testMetadataKey,
  type WireFreeEndSettings,
  type WireLocaleSettings,
  type WireMetadataSettings,
  type WireProxySettings,
  type WireUpdateSettings,
} from '../../contract/console-settings.ts'
import type { SettingValue } from '../../contract/owner-settings.ts'
import { type Failure, failure, wrongField } from '../../core/failure.ts'
import { isTimeZone } from '../../core/local-day.ts'
import { metadataAddresses } from '../../core/metadata-provider.ts'
import { serviceReason } from '../../core/reason/of-fault.ts'
import { isSameOrigin, parseServiceAddress } from '../../core/service-address.ts'
import { parseProxySetting, proxyHost } from '../../core/site-proxy.ts'
import type { OwnerSetting } from '../../ports/settings.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { explained } from '../explained.ts'

const keyStays = failure('invalid_argument', { kind: 'field.fill_in_again', field: 'api_key', changed: 'address' })
const cannotSeal = failure('unavailable', { kind: 'cannot_seal', what: 'key' })

export function consoleSettingRoutes(
  deps: Pick<AppDeps, 'settings' | 'locale' | 'catalogue' | 'canUseProxies'>,
): BoundRoute[] {
  const toWireProxy = ({ value }: OwnerSetting<'proxy'>): WireProxySettings => ({
    ...(value.host === '' ? {} : { proxy_host: value.host }),
    available: deps.canUseProxies,
  })

  async function presentLocale(): Promise<WireLocaleSettings> {
    const [{ value }, { timeZone, language }] = await Promise.all([deps.settings.read('locale'), deps.locale.read()])
    return { time_zone: timeZone, chosen: value.timeZone !== '', language }
  }

  /** A stored key goes only where it was meant to go: a form must not be able to fetch it from elsewhere. */
  async function wouldMoveKey(wanted: SettingValue<'metadata'>): Promise<boolean> {
    const present = await deps.settings.read('metadata')
    return present.hasSecret && !isSameApi(wanted, present.value)
  }

  return [
    bind(getMetadataSettings, async () => succeed({ body: toWireMetadata(await deps.settings.read('metadata')) })),
    bind(changeMetadataSettings, async ({ body }) => {
      const value = metadataOf(body)
      if (!value.ok) return value
      if (body.api_key === undefined && (await wouldMoveKey(value.value))) return failWith(keyStays)
      const stored = await deps.settings.write('metadata', value.value, body.api_key)
      return stored.ok ? succeed({ body: toWireMetadata(stored.value) }) : failWith(cannotSeal)
    }),
    bind(testMetadataKey, async ({ body, say }) => {
      const value = metadataOf({ ...body, image_address: '' })
      if (!value.ok) return value
      if (body.api_key === undefined && (await wouldMoveKey(value.value))) return failWith(keyStays)
      const key = body.api_key === undefined ? await deps.settings.openSecret('metadata') : succeed(body.api_key)
      const tried = !key.ok
        ? failWith({ kind: 'secrets', state: key.failure } as const)
        : key.value === ''
          ? failWith({ kind: 'not_set_up' } as const)
          : await deps.catalogue.tryMetadataKey(metadataAddresses(value.value).api, key.value)
      return succeed({
        body: tried.ok
          ? { works: true }
          : { works: false, ...explained(say, serviceReason('metadata', tried.failure)) },
      })
    }),
    bind(getLocaleSettings, async () => succeed({ body: await presentLocale() })),
    bind(changeLocaleSettings, async ({ body }) => {
      const timeZone = body.time_zone
      if (timeZone !== '' && !isTimeZone(timeZone)) return failWith(wrongField('time_zone', { kind: 'rule.time_zone' }))
      const language = body.language ?? (await deps.settings.read('locale')).value.language
      const stored = await deps.settings.write('locale', { timeZone, language })
      deps.locale.forget()
      return stored.ok ? succeed({ body: await presentLocale() }) : failWith(cannotSeal)
    }),
    bind(getFreeEndSettings, async () => succeed({ body: toWireFreeEnd(await deps.settings.read('freeEnd')) })),
    bind(changeFreeEndSettings, async ({ body }) => {
      const stored = await deps.settings.write('freeEnd', { action: body.action, unknownEnd: body.unknown_end })
      return stored.ok ? succeed({ body: toWireFreeEnd(stored.value) }) : failWith(cannotSeal)
    }),
    bind(getUpdateSettings, async () => succeed({ body: toWireUpdates(await deps.settings.read('updates')) })),
    bind(changeUpdateSettings, async ({ body }) => {
      const apiUrl = parseServiceAddress(body.api_address)
      if (!apiUrl.ok) return failWith(wrongField('api_address', apiUrl.failure))
      const stored = await deps.settings.write('updates', { repository: body.repository, apiUrl: apiUrl.value })
      return stored.ok ? succeed({ body: toWireUpdates(stored.value) }) : failWith(cannotSeal)
    }),
    bind(getProxySettings, async () => succeed({ body: toWireProxy(await deps.settings.read('proxy')) })),
    bind(changeProxySettings, async ({ body }) => {
      const proxy = parseProxySetting(body.proxy, deps.canUseProxies)
      if (!proxy.ok) return failWith(wrongField('proxy', proxy.failure))
      const host = proxy.value === '' ? '' : proxyHost(proxy.value)
      const stored = await deps.settings.write('proxy', { host }, proxy.value)
      return stored.ok ? succeed({ body: toWireProxy(stored.value) }) : failWith(cannotSeal)
    }),
  ]
}

function metadataOf(body: MetadataSettingsBody): Result<SettingValue<'metadata'>, Failure> {
  const apiUrl = parseServiceAddress(body.api_address)
  if (!apiUrl.ok) return failWith(wrongField('api_address', apiUrl.failure))
  const imageUrl = parseServiceAddress(body.image_address)
  if (!imageUrl.ok) return failWith(wrongField('image_address', imageUrl.failure))
  return succeed({ apiUrl: apiUrl.value, imageUrl: imageUrl.value })
}

function isSameApi(one: SettingValue<'metadata'>, other: SettingValue<'metadata'>): boolean {
  return isSameOrigin(metadataAddresses(one).api, metadataAddresses(other).api)
}

function toWireUpdates({ value }: OwnerSetting<'updates'>): WireUpdateSettings {
  return { repository: value.repository, api_address: value.apiUrl }
}

function toWireMetadata({ value, hasSecret }: OwnerSetting<'metadata'>): WireMetadataSettings {
  return { api_address: value.apiUrl, image_address: value.imageUrl, has_api_key: hasSecret }
}

function toWireFreeEnd({ value }: OwnerSetting<'freeEnd'>): WireFreeEndSettings {
  return { action: value.action, unknown_end: value.unknownEnd }
}
