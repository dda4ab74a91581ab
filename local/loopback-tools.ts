/** The tools of this machine: servers that only its own programs and browsers reach. */
import type { Result } from '#shared/kernel/result.ts'
import { startAgentTool } from './agent/loopback-tool.ts'

export interface LoopbackToolOptions {
  /** 0 means any free one. */
  readonly port: number
  /** A port that was asked for never moves; a default one may, where the tool's own rules say so. */
  readonly isPortAsked: boolean
  readonly dataFolder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly log: (line: string) => void
}

export interface RunningTool {
  readonly address: string
  close(): Promise<void>
}

export interface LoopbackTool {
  /** As it stands in the table of addresses. */
  readonly name: string
  /** The flag that moves its port, and the key in the parsed flags. */
  readonly portFlag: 'agent-port' | 'viewer-port'
  readonly defaultPort: number
  start(options: LoopbackToolOptions): Promise<Result<RunningTool, string>>
}

/** In the order in which they start and are listed. */
export const loopbackTools: readonly LoopbackTool[] = [
  { name: 'agent', portFlag: 'agent-port', defaultPort: 4096, start: startAgentTool },
]
