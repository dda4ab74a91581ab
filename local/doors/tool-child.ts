/** A tool as a process of its own, which says on its first lines where it listens. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { guardProcess } from '../workerd/guard-child.ts'
import { askMsMax, endMsMax, startMsMax } from './limits.ts'
import type { ToolFault, ToolProcess, ToolTarget } from './tool-on-demand.ts'

export interface ToolChild {
  readonly program: string
  readonly nodeFlags?: readonly string[]
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where it listens, once a line says so. */
  readonly listening: (line: string) => ToolTarget | undefined
  /** A line by which it says that it goes on, asked by SIGUSR2. Without one it ends when it is told to. */
  readonly busyLine?: string
  readonly log: (line: string) => void
}

export async function startToolChild(tool: ToolChild): Promise<Result<ToolProcess, ToolFault>> {
  const child = spawn(process.execPath, [...(tool.nodeFlags ?? []), tool.program, ...tool.args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: tool.environment,
  })
  const guard = child.pid === undefined ? undefined : guardProcess(child.pid)
  const ended = once(child, 'exit').then(
    () => guard?.dismiss(),
    () => guard?.dismiss(),
  )
  let problem = ''
  let onBusy: (() => void) | undefined
  createInterface(child.stderr).on('line', (line) => {
    problem ||= line
    tool.log(line)
  })
  const target = await new Promise<ToolTarget | undefined>((resolve) => {
    const late = setTimeout(() => resolve(undefined), startMsMax)
    createInterface(child.stdout).on('line', (line) => {
      const found = tool.listening(line)
      if (found !== undefined) resolve(found)
      else if (line === tool.busyLine) onBusy?.()
      else tool.log(line)
    })
    void ended.then(() => resolve(undefined))
    void ended.finally(() => clearTimeout(late))
  })
  if (target === undefined) {
    child.kill('SIGKILL')
    return failWith(problem === '' ? { kind: 'silent' } : { kind: 'said', line: problem })
  }
  const close = async (): Promise<void> => {
    child.kill('SIGTERM')
    const insist = setTimeout(() => child.kill('SIGKILL'), endMsMax)
    await ended
    clearTimeout(insist)
  }
  return succeed({
    target,
    ended,
    close,
    async endIfQuiet() {
      if (tool.busyLine === undefined) {
        await close()
        return true
      }
      const answered = new Promise<boolean>((resolve) => {
        onBusy = () => resolve(false)
        setTimeout(() => resolve(false), askMsMax).unref()
      })
      child.kill('SIGUSR2')
      return Promise.race([answered, ended.then(() => true)])
    },
  })
}
