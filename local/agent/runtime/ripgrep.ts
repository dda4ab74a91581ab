/** ripgrep as a program beside: it knows the ignore rules, does not follow links, and can be ended at any time. */
import { spawn } from 'node:child_process'
import { rgPath } from '@vscode/ripgrep'
import { loosenPipes } from '../../git/loosen-pipes.ts'
import { searchKibMax, searchMsMax } from '../limits.ts'

export interface Found {
  readonly lines: readonly string[]
  readonly isCut: boolean
  /** Everything was looked at: nothing was unreadable, and neither number nor time ended it. */
  readonly isWhole: boolean
  readonly problem: string | undefined
}

interface Search {
  readonly limit: number
  readonly signal: AbortSignal
  readonly take?: (line: string) => string | undefined
  /** What stands between two lines. */
  readonly end?: '\n' | '\0'
}

/**
 * A list of ignored files may be a link to something without an end, which is read until the memory is used up. A search
 * that this ended is made again without such lists.
 */
export async function runRipgrep(args: readonly string[], directory: string, search: Search): Promise<Found> {
  const found = await runOnce(args, directory, search)
  if (found !== 'out of memory') return found
  const again = await runOnce(['--no-ignore', '--glob=!node_modules', ...args], directory, search)
  if (again !== 'out of memory') return again
  return { lines: [], isCut: false, isWhole: false, problem: 'The search took too much memory' }
}

/** Of the system's own shell, which takes the program's place. Where memory cannot be bounded it is not. */
const bounded = `ulimit -v ${searchKibMax} 2>/dev/null; exec "$0" "$@"`

function runOnce(
  args: readonly string[],
  directory: string,
  { limit, signal, take = (line) => line, end = '\n' }: Search,
): Promise<Found | 'out of memory'> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', bounded, rgPath, '--no-config', ...args], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {},
      timeout: searchMsMax,
      signal,
      killSignal: 'SIGKILL',
    })
    const stopLoosening = loosenPipes(directory)
    const lines: string[] = []
    let rest = ''
    let problem = ''
    let isCut = false
    child.stdout.setEncoding('utf8')
    child.stdout.on('data', (text: string) => {
      if (isCut) return
      const pieces = (rest + text).split(end)
      rest = pieces.pop() ?? ''
      for (const piece of pieces) {
        const line = take(piece)
        if (line === undefined) continue
        if (lines.length >= limit) {
          isCut = true
          child.kill('SIGKILL')
          break
        }
        lines.push(line)
      }
    })
    child.stderr.setEncoding('utf8')
    child.stderr.on('data', (text: string) => {
      if (problem.length < 1_000) problem += text
    })
    child.on('error', (error) => {
      stopLoosening()
      reject(error)
    })
    child.on('close', (code) => {
      stopLoosening()
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
