/** ripgrep as a program beside: bounded in time, memory and lines, and ended at any time. */
import { rgPath } from '@vscode/ripgrep'
import { loosenPipes } from '../git/loosen-pipes.ts'
import { startProgram } from '../starter/start-program.ts'

export interface Found {
  readonly lines: readonly string[]
  readonly isCut: boolean
  /** Everything was looked at: nothing was unreadable, and neither number nor time ended it. */
  readonly isWhole: boolean
  readonly problem: string | undefined
}

export interface Search {
  readonly limit: number
  readonly signal: AbortSignal
  readonly msMax: number
  readonly kibMax: number
  /** What is kept of a line; undefined leaves it out, and it does not count. */
  readonly take?: (line: string) => string | undefined
  /** What stands between two lines. */
  readonly end?: '\n' | '\0'
}

/** Of the system's own shell, which takes the program's place. Where memory cannot be bounded it is not. */
const bounded = (kibMax: number): string => `ulimit -v ${kibMax} 2>/dev/null; exec "$0" "$@"`

export function runRipgrep(
  args: readonly string[],
  directory: string,
  { limit, signal, msMax, kibMax, take = (line) => line, end = '\n' }: Search,
): Promise<Found | 'out of memory'> {
  return new Promise((resolve, reject) => {
    const child = startProgram('/bin/sh', ['-c', bounded(kibMax), rgPath, '--no-config', ...args], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {},
      detached: false,
    })
    const stop = (): void => void child.kill('SIGKILL')
    const late = setTimeout(stop, msMax)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    const stopLoosening = loosenPipes(directory)
    const settle = (): void => {
      clearTimeout(late)
      signal.removeEventListener('abort', stop)
      stopLoosening()
    }
    const lines: string[] = []
    let rest = ''
    let problem = ''
    let isCut = false
    child.stdout?.setEncoding('utf8')
    child.stdout?.on('data', (text: string) => {
      if (isCut) return
      const pieces = (rest + text).split(end)
      rest = pieces.pop() ?? ''
      for (const piece of pieces) {
        const line = take(piece)
        if (line === undefined) continue
        if (lines.length >= limit) {
          isCut = true
          stop()
          break
        }
        lines.push(line)
      }
    })
    child.stderr?.setEncoding('utf8')
    child.stderr?.on('data', (text: string) => {
      if (problem.length < 1_000) problem += text
    })
    child.on('error', (error: Error) => {
      settle()
      reject(error)
    })
    child.on('close', (code: number | null) => {
      settle()
      if (signal.aborted) return reject(signal.reason as Error)
      if (problem.includes('memory allocation of ')) return resolve('out of memory')
      // 1 is "nothing found"; 2 may also be one unreadable file among many.
      const isWhole = !isCut && (code === 0 || code === 1)
      if (isWhole || isCut || lines.length > 0) resolve({ lines, isCut, isWhole, problem: undefined })
      else
        resolve({
          lines,
          isCut,
          isWhole,
          problem: code === null ? 'The search took too long' : problem.trim().slice(0, 500),
        })
    })
  })
}
