/** What may be asked about code, as tools for programs that read and write it. */
import { deadTool } from './dead-tool.ts'
import { impactTool, testsForTool } from './reach-tools.ts'
import { calleesTool, callersTool } from './relations.ts'
import { reliesTool } from './relies-tool.ts'
import { reviewTool } from './review-tool.ts'
import { searchTool, symbolTool } from './symbol-tool.ts'
import { textTool } from './text-tool.ts'
import type { SenseTool } from './tool.ts'
import { flowTool, mapTool } from './wide-tools.ts'

export const senseTools: readonly SenseTool[] = [
  searchTool,
  symbolTool,
  callersTool,
  calleesTool,
  impactTool,
  flowTool,
  testsForTool,
  reliesTool,
  deadTool,
  mapTool,
  textTool,
  reviewTool,
]
