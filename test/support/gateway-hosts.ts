/** The gateway on each of its hosts, reached over real sockets. */
import { startNodeGateway } from '../../local/gateway/node-server.ts'
import type { FakeBedrock } from './fake-bedrock.ts'
import { environmentFor } from './gateway-under-test.ts'
import { startOwnHost } from './own-host.ts'
import { runtimeUnderTest } from './process-host.ts'
import { unwrap } from './unwrap.ts'

export interface GatewayHostUnderTest {
  /** Address of the gateway, prefix included. */
  readonly url: string
  /** The events of its log, in order. */
  readonly events: readonly string[]
  close(): Promise<void>
}

type Start = (bedrock: FakeBedrock, more?: Readonly<Record<string, string>>) => Promise<GatewayHostUnderTest>

const settings = { MAX_BODY_SIZE_MB: '1', AWS_MAX_RETRY_ATTEMPTS: '2', MODEL_CATALOG_REFRESH_SECS: '0' }

/** Keeps the events of a log whose lines are JSON, as the gateway's are. */
function eventLog() {
  const events: string[] = []
  const log = (line: string) => {
    const event = /"event":"([a-z-]+)"/.exec(line)?.[1]
    if (event !== undefined) events.push(event)
  }
  return { events, log }
}

const onNode: Start = async (bedrock, more = {}) => {
  const { events, log } = eventLog()
  const environment = { ...environmentFor(bedrock), ...settings, ...more }
  const started = unwrap(await startNodeGateway({ environment, port: 0, hostname: '127.0.0.1', log }))
  return { url: started.url, events, close: () => started.stop() }
}

export const onWorker: Start = async (bedrock, more = {}) => {
  const { events, log } = eventLog()
  const host = await startOwnHost({ ...environmentFor(bedrock), ...settings, ...more }, log)
  return { url: `${host.address}/api/v1`, events, close: () => host.close() }
}

export const gatewayHosts = [
  ['Node', onNode],
  ['the Worker', onWorker],
] as const satisfies readonly (readonly [string, Start])[]

/** Whether that host has a machine's memory and not an isolate's. */
export const isOnNode = (name: (typeof gatewayHosts)[number][0]): boolean =>
  name === 'Node' || runtimeUnderTest === 'node'
