/** `svc doctor`: what the server would work with on this machine. It starts nothing; tool servers at addresses are reached once. */
import { access, constants, stat } from 'node:fs/promises'
import { runGit } from '../git/run-git.ts'
import type { RemoteServerConfiguration, ToolServerConfiguration } from './contract/configuration.ts'
import { sayConfigurationFault } from './core/configuration-fault.ts'
import { sandboxProbeMs, sqliteVersionMin } from './limits.ts'
import type { CheckedServer } from './runtime/check-tool-server.ts'
import { type ConfigurationPlaces, loadConfiguration, toolServersOf } from './runtime/configuration.ts'
import type { SandboxStatus } from './runtime/sandbox-port.ts'

export interface DoctorRequest {
  readonly directory: string
  readonly dataDir: string
  readonly searchPath: string
  readonly places: ConfigurationPlaces
  readonly sandbox: SandboxStatus
  readonly checkServer: (name: string, configuration: RemoteServerConfiguration) => Promise<CheckedServer>
}

/** Lines for the terminal, and whether anything is amiss. */
export async function examine(
  request: DoctorRequest,
): Promise<{ readonly lines: string[]; readonly isSound: boolean }> {
  const { dataDir, directory, places, searchPath, sandbox: status } = request
  const loaded = await loadConfiguration(places, directory)
  const isOff =
    loaded.ok && loaded.value.layers.reduce((found, { values }) => values.sandbox?.enabled ?? found, true) === false
  const asked = await runGit(['--version'], { cwd: '/', searchPath, msMax: sandboxProbeMs })
  const git = asked.ok ? asked.value.text.trim().replace(/^\w+ version /, '') : undefined
  const servers = loaded.ok ? await checkServers(toolServersOf(loaded.value), request.checkServer) : []
  const lines = [
    `sandbox: ${describeSandbox(status, isOff)}`,
    `git: ${git ?? 'not found: nothing that a session changes can be taken back'}`,
    `node: ${process.versions.node}, SQLite ${process.versions['sqlite']} (at least ${sqliteVersionMin})`,
    `data folder: ${dataDir}, ${await describeFolder(dataDir)}`,
    `configuration: ${loaded.ok ? describeLayers(loaded.value.layers.map(({ file }) => file)) : sayConfigurationFault(loaded.failure)}`,
    ...servers.map(({ name, message }) => `tool server ${name}: ${message}`),
    ...(loaded.ok ? loaded.value.notices : []),
  ]
  const areUsable = servers.every(({ isUsable }) => isUsable)
  return { lines, isSound: status.kind !== 'none' && !isOff && git !== undefined && loaded.ok && areUsable }
}

/** Programs are started by a turn alone. */
function checkServers(
  servers: Readonly<Record<string, ToolServerConfiguration>>,
  check: DoctorRequest['checkServer'],
): Promise<readonly (CheckedServer & { readonly name: string })[]> {
  const remote = Object.entries(servers).flatMap(([name, server]) =>
    server.type === 'remote' && server.enabled !== false ? [[name, server] as const] : [],
  )
  return Promise.all(remote.map(async ([name, server]) => ({ name, ...(await check(name, server)) })))
}

export function describeSandbox(status: SandboxStatus, isOff: boolean): string {
  if (isOff) return 'turned off by the configuration: every command of the model is asked for'
  if (status.kind === 'none')
    return `none, since ${status.reason}: every command of the model is asked for. ${status.remedy}`
  if (status.kind === 'seatbelt') return `${status.program}, which held when it was tried just now`
  const names = status.hasUserNamespaces ? 'with user namespaces' : 'without user namespaces'
  return `bubblewrap ${status.version} (${status.program}), ${names}`
}

function describeLayers(files: readonly string[]): string {
  return files.length === 0 ? 'none' : files.join(', ')
}

async function describeFolder(folder: string): Promise<string> {
  const facts = await stat(folder).catch(() => undefined)
  if (facts === undefined) return 'made by the first start'
  const isWritable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
  const mode = (facts.mode & 0o777).toString(8).padStart(4, '0')
  return `${isWritable ? 'writable' : 'not writable'}, mode ${mode}`
}
