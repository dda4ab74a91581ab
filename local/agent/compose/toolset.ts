/** What the model can call, and what such calls leave running. */
import path from 'node:path'
import { findSandbox } from '../adapters/find-sandbox.ts'
import { openHostProxy } from '../adapters/host-proxy.ts'
import { listenForReturn } from '../adapters/return-listener.ts'
import { SignInClient } from '../adapters/sign-in-client.ts'
import { SignInVault } from '../adapters/sign-in-vault.ts'
import { connectToolServer } from '../adapters/tool-server.ts'
import { createWebFetch } from '../adapters/web-fetch.ts'
import { createWebSearch } from '../adapters/web-search.ts'
import {
  toolServerCallMsMax,
  toolServerIdleMs,
  toolServerMessageBytesMax,
  toolServerRetryMs,
  toolServerStartMsMax,
  webFetchBytesMax,
  webFetchMsMax,
  webFetchRedirectsMax,
} from '../limits.ts'
import { BackgroundCommands } from '../runtime/background-commands.ts'
import type { DirectoryCatalogue } from '../runtime/catalogue.ts'
import { EditCare } from '../runtime/edit-care.ts'
import type { Memories } from '../runtime/memories.ts'
import { CommandSandbox } from '../runtime/sandbox.ts'
import type { SandboxStatus } from '../runtime/sandbox-port.ts'
import type { Tool } from '../runtime/tool-port.ts'
import { ToolServers } from '../runtime/tool-servers.ts'
import { ToolSignIns } from '../runtime/tool-sign-ins.ts'
import { backgroundTools } from '../runtime/tools/background-tools.ts'
import { fileTools } from '../runtime/tools/file-tools.ts'
import { indexTools } from '../runtime/tools/index-tools.ts'
import { memoryTools } from '../runtime/tools/memory-tools.ts'
import { OutputKeeper } from '../runtime/tools/output-keeper.ts'
import { patchTool } from '../runtime/tools/patch-tool.ts'
import { searchTools } from '../runtime/tools/search-tools.ts'
import { sessionTools } from '../runtime/tools/session-tools.ts'
import { shellTool } from '../runtime/tools/shell-tool.ts'
import { type RunTask, taskTool } from '../runtime/tools/task-tool.ts'
import { ReadReceipts } from '../runtime/tools/tool-files.ts'
import { webTool } from '../runtime/tools/web-tool.ts'
import { webSearchTool } from '../runtime/tools/websearch-tool.ts'
import type { WorkTrees } from '../runtime/work-trees.ts'
import type { Ground } from './ground.ts'
import type { AgentOptions } from './options.ts'

export function composeToolset(
  options: AgentOptions,
  { store, sql, clock, ids, streams, logger, data, withheld, folders, searchPath }: Ground,
  parts: {
    readonly catalogue: DirectoryCatalogue
    readonly memories: Memories
    readonly workTrees: WorkTrees
    readonly runTask: RunTask
  },
) {
  const keeper = new OutputKeeper(folders.outputs, ids)
  const background = new BackgroundCommands({
    ...{ store, sql, clock, ids, streams, logger },
    environment: options.environment,
  })
  const receipts = new ReadReceipts()
  let sandboxStatus: Promise<SandboxStatus> | undefined
  const sandbox = new CommandSandbox({
    status: () => {
      sandboxStatus ??=
        options.sandbox === undefined ? findSandbox(searchPath, process.platform) : Promise.resolve(options.sandbox)
      return sandboxStatus
    },
    environment: options.environment,
    folder: path.join(data, 'sandbox'),
    withheld: [...withheld, options.places.userFolder],
    shown: [folders.outputs, folders.copies],
    workTrees: folders.workTrees,
    borrowed: (project) => parts.workTrees.borrowedBy(project),
    openProxy: openHostProxy,
  })
  const care = new EditCare({
    ...{ sandbox, searchPath, senses: options.codeSenses },
    diagnoseMsMax: options.languageDiagnoseMsMax,
  })
  const tools: readonly Tool[] = [
    ...fileTools(receipts, keeper, care),
    patchTool(receipts, care),
    taskTool(parts.runTask),
    shellTool({ keeper, background, sandbox, environment: options.environment }),
    ...backgroundTools(background, keeper),
    ...searchTools(),
    webTool(
      options.webFetch ??
        createWebFetch({ msMax: webFetchMsMax, bytesMax: webFetchBytesMax, redirectsMax: webFetchRedirectsMax }),
      keeper,
    ),
    webSearchTool(createWebSearch(options.modelFetch ?? fetch), keeper),
    ...sessionTools({
      catalogue: parts.catalogue,
      onTodos: (sessionID, directory, todos) =>
        streams.notify({ type: 'todo.updated', data: { sessionID, todos }, directory }),
    }),
    ...memoryTools(parts.memories),
    ...(options.codeSenses === undefined ? [] : indexTools(options.codeSenses)),
  ]
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
  return { tools, background, sandbox, care, toolServers, signIns }
}

/** The sign-in of a server that takes one; elsewhere there is none to be renewed. */
function connectionAuth(client: SignInClient, server: ReturnType<ToolSignIns['serverOf']>) {
  if (!server.ok) return {}
  return {
    auth: client.authFor(server.value),
    onWanted: (scope: string | undefined) => client.noteWanted(server.value, scope),
  }
}
