/** Finds out what keeps a command of the model apart from the rest of the machine, and starts commands in it. */
import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { bubblewrapArguments, systemFolders } from '../core/sandbox.ts'
import { sandboxProbeMs } from '../limits.ts'
import type { SandboxStatus } from '../runtime/sandbox-port.ts'

const run = promisify(execFile)

const bubblewrapRemedy = 'apt-get install --no-install-recommends bubblewrap'

/** Before any folder that somebody may have put first. */
const systemPath = '/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin'

/** Looks once: starts something in it and sees whether that works here. */
export async function findSandbox(
  searchPath: string,
  platform: string,
  before = systemPath,
  probeMs = sandboxProbeMs,
): Promise<SandboxStatus> {
  if (platform !== 'linux') {
    return { kind: 'none', reason: `there is none for ${platform}`, remedy: 'run the server in Linux' }
  }
  const program = findProgram('bwrap', `${before}:${searchPath}`)
  if (program === undefined) {
    return { kind: 'none', reason: 'bubblewrap is not installed', remedy: bubblewrapRemedy }
  }
  const version = await run(program, ['--version'], { timeout: probeMs }).then(
    ({ stdout }) => stdout.trim().split(' ').at(-1) ?? '',
    () => '',
  )
  let problem = ''
  for (const hasUserNamespaces of [true, false]) {
    const mounts = systemFolders.map((at) => ({ kind: 'read' as const, at }))
    const tried = bubblewrapArguments(mounts, '/', { PATH: systemPath }, hasUserNamespaces)
    try {
      await run(program, [...tried, '--', 'true'], { timeout: probeMs })
      return { kind: 'bubblewrap', program, version, hasUserNamespaces }
    } catch (error) {
      problem = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error)
    }
  }
  const [line = ''] = problem.split('\n')
  return {
    kind: 'none',
    reason: `bubblewrap ${version} does not start here (${line})`,
    remedy: 'allow unprivileged user namespaces on this machine, or in its container',
  }
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
