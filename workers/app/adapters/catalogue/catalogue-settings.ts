import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ServiceFault } from '../../core/service-fault.ts'
import type { OwnerSettings, SecretsState } from '../../ports.ts'

/** Undefined for none. Without knowing whether there is one nothing may be asked. */
export async function readProxy(settings: OwnerSettings): Promise<Result<string | undefined, ServiceFault>> {
  const opened = await settings.openSecret('proxy')
  return opened.ok ? succeed(opened.value || undefined) : secretsFault(opened.failure)
}

function secretsFault(state: Exclude<SecretsState, 'ready'>) {
  return failWith<ServiceFault>({ kind: 'secrets', state })
}
