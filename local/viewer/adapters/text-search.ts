/** Looks into the files it is given, by ripgrep. What it says of a file is checked against the file itself by whoever asks. */
import { succeed } from '#shared/kernel/result.ts'
import { runRipgrep } from '../../ripgrep/run-ripgrep.ts'
import { type Answer, badRequest } from '../core/failure.ts'
import { sourceBytesMax, textKibMax, textLinesPerFileMax, textMsMax, textSearchesMax } from '../limits.ts'
import type { TextHit, TextHits, TextQuestion, TextSearch } from '../ports.ts'

/** What a program may be given as its words, by a wide margin. */
const argumentBytesMax = 400_000
const spansPerLineMax = 20

export function createTextSearch(root: string): TextSearch {
  const turn = createTurns(textSearchesMax)
  return { find: (files, question, limit, signal) => turn(() => findIn(root, files, question, limit, signal)) }
}

async function findIn(
  root: string,
  files: readonly string[],
  question: TextQuestion,
  limit: number,
  signal: AbortSignal,
): Promise<Answer<TextHits>> {
  const options = optionsOf(question)
  const hits: TextHit[] = []
  for (const some of batches(files)) {
    // A search whose reader is gone ends here.
    signal.throwIfAborted()
    const found = await runRipgrep([...options, '--', ...some], root, {
      limit: limit - hits.length,
      signal,
      msMax: textMsMax,
      kibMax: textKibMax,
      take: takeMatch,
    })
    if (found === 'out of memory') return badRequest('the search took too much memory')
    if (found.problem !== undefined && found.problem !== '') return refusalOf(found.problem)
    for (const one of found.lines) hits.push(JSON.parse(one) as TextHit)
    if (found.isCut) return succeed({ hits, isCut: true })
  }
  return succeed({ hits, isCut: false })
}

function optionsOf({ text, isRegex, isCaseKept, isWord }: TextQuestion): string[] {
  return [
    '--json',
    // One after another, so that a search that is cut has the first files and not any.
    '--threads=1',
    '--no-messages',
    '--no-ignore',
    '--hidden',
    '--no-follow',
    `--max-count=${textLinesPerFileMax + 1}`,
    `--max-filesize=${sourceBytesMax}`,
    isCaseKept ? '--case-sensitive' : '--ignore-case',
    ...(isRegex ? [] : ['--fixed-strings']),
    ...(isWord ? ['--word-regexp'] : []),
    `--regexp=${text}`,
  ]
}

function* batches(files: readonly string[]): Iterable<readonly string[]> {
  let some: string[] = []
  let bytes = 0
  for (const file of files) {
    const size = Buffer.byteLength(file) + 9
    if (bytes + size > argumentBytesMax && some.length > 0) {
      yield some
      some = []
      bytes = 0
    }
    some.push(file)
    bytes += size
  }
  if (some.length > 0) yield some
}

interface RipgrepText {
  readonly text?: string
  readonly bytes?: string
}

interface RipgrepMatch {
  readonly type: string
  readonly data: {
    readonly path?: RipgrepText
    readonly lines?: RipgrepText
    readonly line_number?: number | null
    readonly submatches?: readonly { readonly start: number; readonly end: number }[]
  }
}

/** As a hit in JSON; a name or a line that is no text is none. */
function takeMatch(row: string): string | undefined {
  if (!row.startsWith('{"type":"match"')) return undefined
  const { data } = JSON.parse(row) as RipgrepMatch
  const file = data.path?.text
  const line = data.line_number
  const text = data.lines?.text
  if (file === undefined || text === undefined || line === undefined || line === null) return undefined
  const bytes = Buffer.from(text)
  // Plain letters are one byte and one character each.
  const at = (offset: number): number =>
    bytes.length === text.length ? offset : bytes.subarray(0, offset).toString('utf8').length
  const spans = (data.submatches ?? []).slice(0, spansPerLineMax).map(({ start, end }) => [at(start), at(end)] as const)
  return JSON.stringify({ file, line, spans } satisfies TextHit)
}

function refusalOf(problem: string): Answer<never> {
  const [, reason] = /error: (.+)/.exec(problem.replaceAll('\n', ' ').replace(/.*\berror:/, 'error:')) ?? []
  return problem.includes('regex') || problem.includes('error parsing')
    ? badRequest(`this is no regular expression: ${(reason ?? problem).slice(0, 200)}`)
    : badRequest(`${problem.charAt(0).toLowerCase()}${problem.slice(1, 200)}`)
}

/** Does so many at a time; others wait. */
function createTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
