import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { composeGateway } from '../../workers/gateway/compose.ts'
import { bodiesInFlightBytesMaxNode, keptResponseCharactersMaxNode } from '../../workers/gateway/limits.ts'
import type { ClientEnd, GatewayRequest } from '../../workers/gateway/ports.ts'
import { type EnvironmentText, readSettings } from '../../workers/gateway/settings.ts'
import { openKeyBook } from './key-database.ts'
import { machineFiles, nodeDigests, sharedWatch } from './node-platform.ts'
import { providerPool, strangerPool } from './outgoing-pool.ts'
import { registryTexts } from './registry-files.ts'

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
  const { connectTimeoutMs } = settings.value
  const keys = openKeyBook(settings.value.dataFolder)
  if (!keys.ok) return keys
  const pool = providerPool(connectTimeoutMs)
  const strangers = strangerPool(connectTimeoutMs)
  const close = async () => {
    await Promise.all([pool.close(), strangers.close()])
    keys.value.close()
  }
  const gateway = composeGateway(environment, {
    keyBook: keys.value.book,
    registries: registryTexts(environment['CONFIG_DIR'] ?? 'config', log),
    outgoing: pool.outgoing,
    outgoingToStrangers: strangers.outgoing,
    digests: nodeDigests,
    timers: { watch: sharedWatch() },
    files: machineFiles,
    bodiesInFlightBytesMax: bodiesInFlightBytesMaxNode,
    keptResponseCharactersMax: keptResponseCharactersMaxNode,
    log,
  })
  const started = await gateway.start()
  if (!started.ok) {
    await close()
    return failWith(started.failure)
  }
  return succeed({ routePrefix: started.value.routePrefix, fetch: gateway.fetch, serve: gateway.serve, close })
}
