/** What a program and all it starts cost: counted by the shell when it ends, and by looking while it runs. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface MeasuredRun {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  /** Of a processor, of the program and of what it started and waited for. */
  readonly cpuMs: number
  /** Of all its processes together, at the moment when they had most. */
  readonly residentBytesMax: number
}

const lookMs = 10
const pageBytes = 4096

export async function measuredRun(
  command: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv; readonly timeoutMs: number },
): Promise<MeasuredRun> {
  // The last line says what its children took: `0m0.123s 0m0.045s`, in user and in kernel.
  const child = spawn('sh', ['-c', '"$@"; status=$?; times >&2; exit $status', 'sh', ...command], {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const texts = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text))
  let residentBytesMax = 0
  const look = setInterval(() => {
    residentBytesMax = Math.max(residentBytesMax, residentBytes(child.pid ?? 0))
  }, lookMs)
  const end = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), options.timeoutMs)
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
  clearInterval(look)
  clearTimeout(end)
  const counted = /(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/.exec(texts.stderr)
  const [userMinutes = 0, user = 0, kernelMinutes = 0, kernel = 0] = counted?.slice(1).map(Number) ?? []
  return {
    ...{ status, ...texts, residentBytesMax },
    cpuMs: Math.round(((userMinutes + kernelMinutes) * 60 + user + kernel) * 1000),
  }
}

function residentBytes(pid: number): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1])
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim()
    const below = children === '' ? [] : children.split(' ').map(Number)
    return pages * pageBytes + below.reduce((sum, one) => sum + residentBytes(one), 0)
  } catch {
    return 0
  }
}
