import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  changeMetadataSettings,
  changeProxySettings,
  changeUpdateSettings,
  getMetadataSettings,
  getProxySettings,
  getUpdateSettings,
  type MetadataSettingsBody,
  type WireMetadataSettings,
  type WireProxySettings,
  type WireUpdateSettings,
} from '../../contract/console-settings.ts'
import type { SettingValue } from '../../contract/owner-settings.ts'
import { type Failure, failure } from '../../core/failure.ts'
import { usualMetadataAddresses } from '../../core/metadata-provider.ts'
import { isSameOrigin, parseServiceAddress } from '../../core/service-address.ts'
import { parseProxySetting, proxyHost } from '../../core/site-proxy.ts'
import type { AppDeps, OwnerSetting } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

const cannotSeal = failure('unavailable', '主密钥丢失或已更换，无法保存密钥')

export function consoleSettingRoutes(deps: Pick<AppDeps, 'settings' | 'canUseProxies'>): BoundRoute[] {
  const toWireProxy = ({ value }: OwnerSetting<'proxy'>): WireProxySettings => ({
    ...(value.host === '' ? {} : { proxy_host: value.host }),
    available: deps.canUseProxies,
  })

  return [
    bind(getMetadataSettings, async () => succeed({ body: toWireMetadata(await deps.settings.read('metadata')) })),
    bind(changeMetadataSettings, async ({ body }) => {
      const value = metadataOf(body)
      if (!value.ok) return value
      const present = await deps.settings.read('metadata')
      // A stored key goes only where it was meant to go: a form must not be able to fetch it from elsewhere.
      if (present.hasSecret && body.api_key === undefined && !isSameApi(value.value, present.value))
        return failWith(failure('invalid_argument', '地址已改变，请重新填写字段 api_key'))
      const stored = await deps.settings.write('metadata', value.value, body.api_key)
      return stored.ok ? succeed({ body: toWireMetadata(stored.value) }) : failWith(cannotSeal)
    }),
    bind(getUpdateSettings, async () => succeed({ body: toWireUpdates(await deps.settings.read('updates')) })),
    bind(changeUpdateSettings, async ({ body }) => {
      const apiUrl = parseServiceAddress(body.api_address)
      if (!apiUrl.ok) return failWith(failure('invalid_argument', `字段 api_address 不正确：${apiUrl.failure}`))
      const stored = await deps.settings.write('updates', { repository: body.repository, apiUrl: apiUrl.value })
      return stored.ok ? succeed({ body: toWireUpdates(stored.value) }) : failWith(cannotSeal)
    }),
    bind(getProxySettings, async () => succeed({ body: toWireProxy(await deps.settings.read('proxy')) })),
    bind(changeProxySettings, async ({ body }) => {
      const proxy = parseProxySetting(body.proxy, deps.canUseProxies)
      if (!proxy.ok) return failWith(failure('invalid_argument', `字段 proxy 不正确：${proxy.failure}`))
      const host = proxy.value === '' ? '' : proxyHost(proxy.value)
      const stored = await deps.settings.write('proxy', { host }, proxy.value)
      return stored.ok ? succeed({ body: toWireProxy(stored.value) }) : failWith(cannotSeal)
    }),
  ]
}

function metadataOf(body: MetadataSettingsBody): Result<SettingValue<'metadata'>, Failure> {
  const apiUrl = parseServiceAddress(body.api_address)
  if (!apiUrl.ok) return failWith(failure('invalid_argument', `字段 api_address 不正确：${apiUrl.failure}`))
  const imageUrl = parseServiceAddress(body.image_address)
  if (!imageUrl.ok) return failWith(failure('invalid_argument', `字段 image_address 不正确：${imageUrl.failure}`))
  return succeed({ apiUrl: apiUrl.value, imageUrl: imageUrl.value })
}

function isSameApi(one: SettingValue<'metadata'>, other: SettingValue<'metadata'>): boolean {
  return isSameOrigin(one.apiUrl || usualMetadataAddresses.api, other.apiUrl || usualMetadataAddresses.api)
}

function toWireUpdates({ value }: OwnerSetting<'updates'>): WireUpdateSettings {
  return { repository: value.repository, api_address: value.apiUrl }
}

function toWireMetadata({ value, hasSecret }: OwnerSetting<'metadata'>): WireMetadataSettings {
  return { api_address: value.apiUrl, image_address: value.imageUrl, has_api_key: hasSecret }
}
