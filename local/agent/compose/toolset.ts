/** What calls of the model stand on, and leave running: its commands, its sandbox, its tool servers. */
import path from 'node:path'
import { findSandbox } from '../adapters/find-sandbox.ts'
import { openHostProxy } from '../adapters/host-proxy.ts'
import { listenForReturn } from '../adapters/return-listener.ts'
import { SignInClient } from '../adapters/sign-in-client.ts'
import { SignInVault } from '../adapters/sign-in-vault.ts'
import { connectToolServer } from '../adapters/tool-server.ts'
import {
  toolServerCallMsMax,
  toolServerIdleMs,
  toolServerMessageBytesMax,
  toolServerRetryMs,
  toolServerStartMsMax,
} from '../limits.ts'
import { BackgroundCommands } from '../runtime/background-commands.ts'
import { EditCare } from '../runtime/edit-care.ts'
import { CommandSandbox } from '../runtime/sandbox.ts'
import type { SandboxStatus } from '../runtime/sandbox-port.ts'
import { ToolServers } from '../runtime/tool-servers.ts'
import { ToolSignIns } from '../runtime/tool-sign-ins.ts'
import { OutputKeeper } from '../runtime/tools/output-keeper.ts'
import type { WorkTrees } from '../runtime/work-trees.ts'
import type { Ground } from './ground.ts'
import type { AgentOptions } from './options.ts'

export type Toolset = ReturnType<typeof composeToolset>

export function composeToolset(
  options: AgentOptions,
  { store, sql, clock, ids, streams, logger, data, withheld, folders, searchPath }: Ground,
  workTrees: WorkTrees,
) {
  const keeper = new OutputKeeper(folders.outputs, ids)
  const background = new BackgroundCommands({
    ...{ store, sql, clock, ids, streams, logger },
    environment: options.environment,
  })
  let sandboxStatus: Promise<SandboxStatus> | undefined
  const sandbox = new CommandSandbox({
    status: () => {
      sandboxStatus ??= options.sandbox?.() ?? findSandbox(searchPath, process.platform)
      return sandboxStatus
    },
    environment: options.environment,
    folder: path.join(data, 'sandbox'),
    withheld: [...withheld, options.places.userFolder],
    shown: [folders.outputs, folders.copies],
    workTrees: folders.workTrees,
    borrowed: (project) => workTrees.borrowedBy(project),
    openProxy: openHostProxy,
  })
  const care = new EditCare({
    ...{ sandbox, searchPath, senses: options.codeSenses },
    diagnoseMsMax: options.languageDiagnoseMsMax,
  })
  const signInClient = new SignInClient({ vault: new SignInVault(path.join(data, 'sign-ins')) })
  const signIns = new ToolSignIns({
    client: signInClient,
    listen: listenForReturn,
    onChanged: (server) => toolServers.forget(server),
  })
  const toolServers = new ToolServers({
    connect: (configuration, directory, told, name) =>
      connectToolServer(configuration, {
        ...connectionAuth(signInClient, signIns.serverOf(name, configuration)),
        directory,
        environment: options.environment,
        version: options.version,
        startMsMax: toolServerStartMsMax,
        callMsMax: toolServerCallMsMax,
        messageBytesMax: toolServerMessageBytesMax,
        ...told,
      }),
    keeper,
    idleMs: options.toolServerIdleMs ?? toolServerIdleMs,
    retryMs: options.toolServerRetryMs ?? toolServerRetryMs,
    onFault: (server, cause) => logger.error('tool_server_failed', { server, cause }),
    onToolsChanged: (server) => streams.notify({ type: 'mcp.tools.changed', data: { server } }),
  })
  return { keeper, background, sandbox, care, toolServers, signIns }
}

/** The sign-in of a server that takes one; elsewhere there is none to be renewed. */
function connectionAuth(client: SignInClient, server: ReturnType<ToolSignIns['serverOf']>) {
  if (!server.ok) return {}
  return {
    auth: client.authFor(server.value),
    onWanted: (scope: string | undefined) => client.noteWanted(server.value, scope),
  }
}
