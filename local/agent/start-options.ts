/** From flags, environment and configuration to what a server is started with. */
import { lookup } from 'node:dns/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { AgentServerOptions } from './compose/options.ts'
import { secretsIn, toLogLine } from './core/log-line.ts'
import type { BasicCredentials } from './http/basic-credentials.ts'
import { logLineBytesMax, secretCharactersMin } from './limits.ts'
import type { Logger } from './ports.ts'
import { type ConfigurationPlaces, loadConfiguration } from './runtime/configuration.ts'
import { trustListOf } from './runtime/trusted-files.ts'
import type { AgentStartFault } from './start-fault.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface StartFlags {
  readonly hostname?: string | undefined
  readonly port?: number | undefined
  readonly dataDir: string
  readonly withheldFolder?: string | undefined
  readonly directory?: string | undefined
  readonly hasBrowserAuth?: boolean | undefined
}

const defaultUsername = 'svc'
const ownVariables = ['SVC_SERVER_PASSWORD', 'SVC_SERVER_USERNAME', 'SVC_SERVER_CREDENTIALS_FILE']

/** An empty password is none. The user name has a default only when the variable is absent. */
function credentialsOf(environment: Environment): BasicCredentials | undefined {
  const password = environment['SVC_SERVER_PASSWORD'] ?? ''
  if (password === '') return undefined
  return { username: environment['SVC_SERVER_USERNAME'] ?? defaultUsername, password }
}

/** What tools inherit: the server's own credentials are left out, in any spelling. */
function withoutCredentials(environment: Environment): Record<string, string> {
  const kept = Object.entries(environment).filter(([name]) => !ownVariables.includes(name.toUpperCase()))
  return onlyTexts(Object.fromEntries(kept))
}

function onlyTexts(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/** What a variable names wins over what the system has for everyone. */
export function placesOf(environment: Environment, dataDir: string): ConfigurationPlaces {
  const own = environment['SVC_CONFIG_DIR'] ?? ''
  const shared = environment['XDG_CONFIG_HOME'] ?? ''
  const extra = environment['SVC_CONFIG'] ?? ''
  return {
    userFolder:
      own === '' ? path.join(shared === '' ? path.join(homedir(), '.config') : shared, 'svc') : path.resolve(own),
    extraFile: extra === '' ? undefined : path.resolve(extra),
    inline: environment['SVC_CONFIG_CONTENT'] || undefined,
    trustList: trustListOf(dataDir),
    environment: withoutCredentials(environment),
  }
}

/** Flags win over configuration; without either the listener takes 127.0.0.1 and a port the system chooses. */
export async function resolveStart(
  flags: StartFlags,
  environment: Environment,
  version: string,
): Promise<Result<AgentServerOptions & { readonly notices: readonly string[] }, AgentStartFault>> {
  const directory = path.resolve(flags.directory ?? process.cwd())
  const places = placesOf(environment, flags.dataDir)
  const loaded = await loadConfiguration(places, directory)
  if (!loaded.ok) return failWith({ kind: 'configuration', fault: loaded.failure })
  const { layers, notices } = loaded.value
  const server = Object.assign({}, ...layers.map((layer) => dropUndefined(layer.values.server ?? {}))) as {
    hostname?: string
    port?: number
  }
  const resumeAtStart = layers.reduce((found, layer) => layer.values.resume ?? found, true)
  const hostname = flags.hostname ?? server.hostname ?? '127.0.0.1'
  if (hostname === '') return failWith({ kind: 'no_hostname' })
  return succeed({
    hostname,
    port: flags.port ?? server.port ?? 0,
    dataDir: flags.dataDir,
    withheldFolder: flags.withheldFolder,
    directory,
    version,
    credentials: credentialsOf(environment),
    hasBrowserAuth: flags.hasBrowserAuth === true,
    places,
    environment: withoutCredentials(environment),
    resumeAtStart,
    resolveHost: async (name) => (await lookup(name, { all: true })).map((entry) => entry.address),
    logger: stderrLog(secretsIn(onlyTexts(environment), secretCharactersMin)),
    notices,
  })
}

function dropUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** JSON lines on standard error. */
function stderrLog(secrets: readonly string[]): Logger {
  return {
    error(event, fields) {
      const line = toLogLine({ time: new Date().toISOString(), event, fields }, secrets, logLineBytesMax)
      process.stderr.write(`${line}\n`)
    },
  }
}

/** What kept the server from starting, by the error it threw. */
export function startFaultOf(error: unknown, port: number): AgentStartFault {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return { kind: 'port_taken', port }
  if (code === 'EACCES') return { kind: 'port_forbidden', port }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { kind: 'host_unknown' }
  return { kind: 'refused', reason: error instanceof Error ? error.message : String(error) }
}
