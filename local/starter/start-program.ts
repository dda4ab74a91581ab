/**
 * Starts a program. To start one copies this process, which holds it up for as long as it is large; a service that starts many has a
 * small one do it (`useStarter`). On macOS the system starts programs without copying.
 */
import { spawn } from 'node:child_process'
import { toldBytesMax } from './limits.ts'
import type { ProgramOptions, StartedProgram } from './started-program.ts'
import type { Starter } from './starter.ts'

/** There is one process. */
let starter: Starter | undefined

export function startProgram(program: string, args: readonly string[], options: ProgramOptions): StartedProgram {
  const told = starter !== undefined && canBeTold(args, options) ? starter.start(program, args, options) : undefined
  return told ?? spawn(program, args, { ...options })
}

/** From now on, where it helps; until the answer is called. */
export async function useStarter(platform: string = process.platform): Promise<() => void> {
  if (platform !== 'linux') return () => undefined
  const { Starter } = await import('./starter.ts')
  const used = new Starter()
  starter = used
  used.begin()
  return () => {
    if (starter === used) starter = undefined
    used.close()
  }
}

/** What the system refuses is refused here, at once, as without a starter. */
function canBeTold(args: readonly string[], { env }: ProgramOptions): boolean {
  let length = 0
  for (const text of [...args, ...Object.values(env)]) {
    if (text.includes('\0')) return false
    length += text.length
  }
  return length <= toldBytesMax
}
