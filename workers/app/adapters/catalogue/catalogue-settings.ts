import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { ownerLanguageOf } from '../../contract/owner-settings.ts'
import { metadataAddresses } from '../../core/metadata-provider.ts'
import type { ServiceFault } from '../../core/service-fault.ts'
import type { SecretsState } from '../../ports/secrets.ts'
import type { OwnerSettings } from '../../ports/settings.ts'
import type { MetadataAccess } from './metadata-provider.ts'

/** Undefined for none. Without knowing whether there is one nothing may be asked. */
export async function readProxy(settings: OwnerSettings): Promise<Result<string | undefined, ServiceFault>> {
  const opened = await settings.openSecret('proxy')
  return opened.ok ? succeed(opened.value || undefined) : secretsFault(opened.failure)
}

/** What opens the provider, or why it stays shut. */
export async function readMetadataAccess(settings: OwnerSettings): Promise<Result<MetadataAccess, ServiceFault>> {
  const [{ value, hasSecret }, key, proxy, locale] = await Promise.all([
    settings.read('metadata'),
    settings.openSecret('metadata'),
    readProxy(settings),
    settings.read('locale'),
  ])
  if (!hasSecret) return failWith({ kind: 'not_set_up' })
  if (!key.ok) return secretsFault(key.failure)
  if (!proxy.ok) return proxy
  return succeed({
    apiUrl: metadataAddresses(value).api,
    key: key.value,
    proxy: proxy.value,
    language: ownerLanguageOf(locale.value),
  })
}

function secretsFault(state: Exclude<SecretsState, 'ready'>) {
  return failWith<ServiceFault>({ kind: 'secrets', state })
}
