/** What the model can call, beside the tools of its servers. */
import { createWebFetch } from '../adapters/web-fetch.ts'
import { createWebSearch } from '../adapters/web-search.ts'
import { webFetchBytesMax, webFetchMsMax, webFetchRedirectsMax } from '../limits.ts'
import type { DirectoryCatalogue } from '../runtime/catalogue.ts'
import type { Memories } from '../runtime/memories.ts'
import type { Tool } from '../runtime/tool-port.ts'
import { backgroundTools } from '../runtime/tools/background-tools.ts'
import { fileTools } from '../runtime/tools/file-tools.ts'
import { indexTools } from '../runtime/tools/index-tools.ts'
import { memoryTools } from '../runtime/tools/memory-tools.ts'
import { patchTool } from '../runtime/tools/patch-tool.ts'
import { searchTools } from '../runtime/tools/search-tools.ts'
import { sessionTools } from '../runtime/tools/session-tools.ts'
import { shellTool } from '../runtime/tools/shell-tool.ts'
import { type RunTask, taskTool } from '../runtime/tools/task-tool.ts'
import { ReadReceipts } from '../runtime/tools/tool-files.ts'
import { webTool } from '../runtime/tools/web-tool.ts'
import { webSearchTool } from '../runtime/tools/websearch-tool.ts'
import type { Ground } from './ground.ts'
import type { AgentOptions } from './options.ts'
import type { Toolset } from './toolset.ts'

export function composeTools(
  options: AgentOptions,
  { streams }: Ground,
  parts: {
    readonly catalogue: DirectoryCatalogue
    readonly memories: Memories
    readonly toolset: Toolset
    readonly runTask: RunTask
  },
): readonly Tool[] {
  const { keeper, background, sandbox, care } = parts.toolset
  const receipts = new ReadReceipts()
  return [
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
}
