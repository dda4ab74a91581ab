/** The agent for a command of its owner: through the server that holds the data folder, or in this process where none runs. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import packageFacts from '../../package.json' with { type: 'json' }
import { AgentClient } from './client/agent-client.ts'
import type { AgentServerOptions, HostParts } from './compose/options.ts'
import { openRuntime, ownCookie } from './compose.ts'
import { keepToOwner, takeCredentials } from './serve.ts'
import { readServer, type ServerAddress } from './server-address.ts'
import type { AgentStartFault } from './start-fault.ts'
import { type Environment, resolveStart, type StartFlags, startFaultOf } from './start-options.ts'

export interface OpenAgent {
  readonly client: AgentClient
  close(): Promise<void>
}

export async function openAgent(
  flags: StartFlags,
  given: Environment,
  parts: HostParts = {},
): Promise<Result<OpenAgent, AgentStartFault>> {
  const environment = takeCredentials(given)
  const resolved = await resolveStart(flags, environment, packageFacts.version)
  if (!resolved.ok) return resolved
  const options = resolved.value
  for (const notice of options.notices) process.stderr.write(`${notice}\n`)
  if (!keepToOwner(options.dataDir)) return failWith({ kind: 'data_folder', folder: options.dataDir })
  const running = readServer(options.dataDir)
  if (running !== undefined) return attach(running, options)
  try {
    // What waits in other sessions is the server's to go on with.
    const runtime = await openRuntime({ ...options, ...parts, resumeAtStart: false, keepsSchedules: false })
    return succeed({ client: new AgentClient('http://svc', runtime.answer), close: runtime.close })
  } catch (error) {
    return failWith(startFaultOf(error, 0))
  }
}

async function attach(server: ServerAddress, options: AgentServerOptions): Promise<Result<OpenAgent, AgentStartFault>> {
  const client = new AgentClient(server.address, fetch, entranceHeaders(server, options))
  const known = await client.ask('GET', '/api/location')
  if (known.ok) return succeed({ client, close: async () => undefined })
  if (known.failure.code !== 'unauthorized')
    return failWith({ kind: 'server_refused', address: server.address, reason: known.failure.message })
  return failWith({ kind: 'server_locked', address: server.address })
}

function entranceHeaders({ address, entrance }: ServerAddress, options: AgentServerOptions): Record<string, string> {
  const { credentials } = options
  if (entrance === 'password' && credentials !== undefined) {
    const pair = Buffer.from(`${credentials.username}:${credentials.password}`)
    return { authorization: `Basic ${pair.toString('base64')}` }
  }
  return entrance === 'cookie' ? { cookie: ownCookie(options, new URL(address).host), origin: address } : {}
}
