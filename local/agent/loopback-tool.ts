/** The agent server as one of the tools that `npm start` and `node local/serve.ts` bring up together. */
import path from 'node:path'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import packageFacts from '../../package.json' with { type: 'json' }
import { startAgentServer } from './compose.ts'
import { describeStartFailure, type Environment, resolveStart } from './start-options.ts'

interface ToolOptions {
  readonly port: number
  readonly isPortAsked: boolean
  readonly dataFolder: string
  readonly environment: Environment
  readonly log: (line: string) => void
}

/** A default port that is taken gives way to a free one; a port that was asked for never moves. */
export async function startAgentTool(
  options: ToolOptions,
): Promise<Result<{ readonly address: string; close(): Promise<void> }, string>> {
  const { environment, log } = options
  const dataDir = path.join(options.dataFolder, 'agent')
  const resolved = await resolveStart({ port: options.port, dataDir }, environment, packageFacts.version)
  if (!resolved.ok) return resolved
  for (const notice of resolved.value.notices) log(notice)
  try {
    return succeed(await startAgentServer(resolved.value))
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    if (!isTaken || options.isPortAsked) return failWith(describeStartFailure(error, options.port))
    log(`Port ${options.port} is in use; the agent server takes another one`)
    return succeed(await startAgentServer({ ...resolved.value, port: 0 }))
  }
}
