/** Finds out what keeps a command of the model apart from the rest of the machine. */
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { startProgram } from '../../starter/start-program.ts'
import { sandboxLack } from '../core/outside-reason.ts'
import { bubblewrapArguments, systemFolders } from '../core/sandbox.ts'
import type { Sandbox } from '../core/sandbox-start.ts'
import { sandboxProbeMs } from '../limits.ts'
import type { SandboxStatus } from '../runtime/sandbox-port.ts'
import { hearOut, trySandbox } from '../runtime/try-sandbox.ts'

/** Before any folder that somebody may have put first. */
const systemPath = '/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin'

/** Looks once, and tries what it found: a boundary that does not hold on this machine is none. */
export async function findSandbox(
  searchPath: string,
  platform: string,
  before = systemPath,
  probeMs = sandboxProbeMs,
): Promise<SandboxStatus> {
  const find = finders[platform]
  if (find === undefined) return sandboxLack('no_system', platform)
  const found = await find(`${before}:${searchPath}`, probeMs)
  if (found.kind === 'none') return found
  const problem = await trySandbox(found, probeMs)
  if (problem === undefined) return found
  return sandboxLack('does_not_hold', `${path.basename(found.program)} was tried on this machine, and ${problem}`)
}

type Find = (searchPath: string, probeMs: number) => Promise<SandboxStatus>

const finders: Readonly<Record<string, Find>> = {
  async darwin(searchPath) {
    const program = findProgram('sandbox-exec', searchPath)
    if (program !== undefined) return { kind: 'seatbelt', program }
    return sandboxLack('no_seatbelt')
  },

  async linux(searchPath, probeMs) {
    const program = findProgram('bwrap', searchPath)
    if (program === undefined) return sandboxLack('no_bubblewrap')
    const asked = await hear(program, ['--version'], probeMs)
    const version = asked.isDone ? (asked.said.trim().split(' ').at(-1) ?? '') : ''
    let problem = ''
    for (const hasUserNamespaces of [true, false]) {
      const sandbox: Sandbox = { kind: 'bubblewrap', program, version, hasUserNamespaces }
      const mounts = systemFolders.map((at) => ({ kind: 'read' as const, at }))
      const tried = bubblewrapArguments(mounts, '/', { PATH: systemPath }, hasUserNamespaces)
      const { isDone, said } = await hear(program, [...tried, '--', 'true'], probeMs)
      if (isDone) return sandbox
      problem = said.trim()
    }
    const [line = ''] = problem.split('\n')
    return sandboxLack('does_not_start', `${version} does not start here (${line})`)
  },
}

function hear(program: string, args: readonly string[], msMax: number) {
  const stdio = ['ignore' as const, 'pipe' as const, 'pipe' as const]
  return hearOut(startProgram(program, args, { cwd: '/', env: { PATH: systemPath }, stdio, detached: true }), msMax)
}

function findProgram(name: string, searchPath: string): string | undefined {
  for (const folder of searchPath.split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue
    const candidate = path.join(folder, name)
    try {
      accessSync(candidate, constants.X_OK)
      return candidate
    } catch {
      // Not in this folder: the next one may have it.
    }
  }
  return undefined
}
