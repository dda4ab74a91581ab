import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { composeGateway } from '../../workers/gateway/compose.ts'
import type { ClientEnd, GatewayRequest } from '../../workers/gateway/ports.ts'
import { type EnvironmentText, readSettings } from '../../workers/gateway/settings.ts'
import { nodeParts } from './node-parts.ts'
import { machineFiles } from './node-platform.ts'
import { registryTexts } from './registry-files.ts'
import { openStorage } from './storage.ts'

export interface ComposedGateway {
  readonly routePrefix: string
  fetch(request: Request): Promise<Response>
  serve(request: GatewayRequest, client: ClientEnd): Promise<Response>
  close(): Promise<void>
}

/** The gateway with all that Node offers, its key and catalogue read; what hands it requests is up to the host. */
export async function startComposed(
  environment: EnvironmentText,
  log: (line: string) => void,
): Promise<Result<ComposedGateway, string>> {
  const settings = readSettings(environment)
  if (!settings.ok) return settings
  const storage = openStorage(settings.value.dataFolder)
  if (!storage.ok) return storage
  const made = nodeParts(settings.value.connectTimeoutMs)
  const close = async () => {
    await made.close()
    storage.value.close()
  }
  const gateway = composeGateway(environment, {
    ...made.parts,
    keyBook: storage.value.keyBook,
    responseStore: storage.value.responseStore,
    registries: registryTexts(environment['CONFIG_DIR'] ?? 'config', log),
    files: machineFiles,
    log,
  })
  const started = await gateway.start()
  if (!started.ok) {
    await close()
    return failWith(started.failure)
  }
  return succeed({ routePrefix: started.value.routePrefix, fetch: gateway.fetch, serve: gateway.serve, close })
}
