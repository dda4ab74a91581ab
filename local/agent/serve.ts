/** `svc serve` once its flags are read: starts the server and says where it listens, until it is told to stop. */
import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { z } from '@hono/zod-openapi'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { installationRoot } from '../../bin/installation.mjs'
import packageFacts from '../../package.json' with { type: 'json' }
import type { AgentServerOptions, HostParts } from './compose/options.ts'
import { type RunningAgentServer, startAgentServer } from './compose.ts'
import { storageCopyAfterMs } from './limits.ts'
import { announceServer } from './server-address.ts'
import type { AgentStartFault } from './start-fault.ts'
import { type Environment, resolveStart, type StartFlags, startFaultOf } from './start-options.ts'

/** The variable that names the file in which the credentials lie while the program starts anew without them. */
const handOverVariable = 'SVC_SERVER_CREDENTIALS_FILE'
/** Where `npm run build` puts the page. */
const pagesFolder = path.join(installationRoot, 'dist', 'web', 'agent')
const handedOver = z.object({ password: z.string(), username: z.string().optional() })

export function takeCredentials(given: Environment): Environment {
  const file = given[handOverVariable]
  if (file === undefined) return given
  const { [handOverVariable]: _taken, ...environment } = given
  const { password, username } = handedOver.parse(JSON.parse(readFileSync(file, 'utf8')))
  rmSync(file)
  return { ...environment, SVC_SERVER_PASSWORD: password, SVC_SERVER_USERNAME: username }
}

/** Prints the address once the server listens. */
export async function serve(
  flags: StartFlags,
  environment: Environment,
  parts: HostParts = {},
): Promise<Result<RunningAgentServer, AgentStartFault>> {
  const resolved = await resolveStart(flags, takeCredentials(environment), packageFacts.version)
  if (!resolved.ok) return resolved
  const options = { ...resolved.value, ...parts, pagesFolder, goodCopyAfterMs: storageCopyAfterMs }
  for (const notice of options.notices) process.stderr.write(`${notice}\n`)
  if (!keepToOwner(options.dataDir)) return failWith({ kind: 'data_folder', folder: options.dataDir })
  let server: RunningAgentServer
  try {
    server = await startAgentServer(options)
  } catch (error) {
    return failWith(startFaultOf(error, options.port))
  }
  const takeBack = announceServer(options.dataDir, {
    address: server.address,
    pid: process.pid,
    entrance: entranceOf(options),
  })
  process.stdout.write(`svc listening on ${server.address}\n${entranceNote(server, options)}`)
  const close = async () => {
    takeBack()
    await server.close()
  }
  return succeed({ ...server, close })
}

function entranceOf({ credentials, hasBrowserAuth }: AgentServerOptions) {
  if (hasBrowserAuth === true) return 'cookie'
  return credentials === undefined ? 'none' : 'password'
}

/** Who can come in, and how. */
function entranceNote({ address, signInAddress }: RunningAgentServer, { credentials }: AgentServerOptions): string {
  if (signInAddress !== undefined)
    return `Open this once in a browser to sign in: ${signInAddress}\nThen the page is at ${address}/\n`
  return credentials === undefined ? 'No password is set: every user of this machine can reach the server.\n' : ''
}

export function keepToOwner(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
    return true
  } catch {
    return false
  }
}
