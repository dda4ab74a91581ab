import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  changeMetadataSettings,
  getMetadataSettings,
  type MetadataSettingsBody,
  type WireMetadataSettings,
} from '../../contract/console-settings.ts'
import type { SettingValue } from '../../contract/owner-settings.ts'
import { type Failure, failure } from '../../core/failure.ts'
import { usualMetadataAddresses } from '../../core/metadata-provider.ts'
import { isSameOrigin, parseServiceAddress } from '../../core/service-address.ts'
import type { AppDeps, OwnerSetting } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

const cannotSeal = failure('unavailable', '主密钥丢失或已更换，无法保存密钥')

export function consoleSettingRoutes(deps: Pick<AppDeps, 'settings'>): BoundRoute[] {
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

function toWireMetadata({ value, hasSecret }: OwnerSetting<'metadata'>): WireMetadataSettings {
  return { api_address: value.apiUrl, image_address: value.imageUrl, has_api_key: hasSecret }
}
