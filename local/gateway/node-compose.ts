import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { composeGateway } from '../../workers/gateway/compose.ts'
import type { ClientEnd, GatewayRequest } from '../../workers/gateway/ports.ts'
import { type EnvironmentText, readSettings, type Settings } from '../../workers/gateway/settings.ts'
import { nodeParts } from './node-parts.ts'
import { machineFiles } from './node-platform.ts'
import type { NodeStartFault } from './node-start-fault.ts'
import { registryTexts } from './registry-files.ts'
import { type OpenStorage, openStorage } from './storage.ts'

/** What a process has that is one of several, in place of its own. */
export interface SharedParts extends Pick<OpenStorage, 'keyStore' | 'responseStore' | 'routeStore'> {
  readonly metricsOfOthers: () => Promise<readonly string[]>
}

export interface ComposedGateway {
  readonly settings: Settings
  metrics(): string
  fetch(request: Request): Promise<Response>
  serve(request: GatewayRequest, client: ClientEnd): Promise<Response>
  close(): Promise<void>
}

/** The gateway with all that Node offers, its key and catalogue read; what hands it requests is up to the host. */
export async function startComposed(
  environment: EnvironmentText,
  log: (line: string) => void,
  shared?: SharedParts,
): Promise<Result<ComposedGateway, NodeStartFault>> {
  const settings = readSettings(environment)
  if (!settings.ok) return failWith({ kind: 'gateway', fault: { kind: 'settings', faults: settings.failure } })
  const opened = shared === undefined ? openStorage(settings.value.dataFolder) : undefined
  if (opened?.ok === false) return opened
  const storage = shared ?? opened?.value
  if (storage === undefined) throw new Error('there is no storage')
  const made = nodeParts(settings.value)
  const close = async () => {
    await made.close()
    opened?.value.close()
  }
  const gateway = composeGateway(environment, {
    ...made.parts,
    keyStore: storage.keyStore,
    responseStore: storage.responseStore,
    routeStore: storage.routeStore,
    ...(shared === undefined ? {} : { metricsOfOthers: shared.metricsOfOthers }),
    registries: registryTexts(environment['CONFIG_DIR'] ?? 'config', log),
    files: machineFiles,
    log,
  })
  const started = await gateway.start()
  if (!started.ok) {
    await close()
    return failWith({ kind: 'gateway', fault: started.failure })
  }
  const { fetch, serve, metrics } = gateway
  const end = async () => {
    await gateway.close()
    await close()
  }
  return succeed({ settings: started.value, fetch, serve, metrics, close: end })
}
