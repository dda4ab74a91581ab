/** Questions about files: their text, their outline, their lines. */
import { Hono } from 'hono/tiny'
import { failWith, succeed } from '#shared/kernel/result.ts'
import type { GraphReader } from '../../../indexer/core/graph-reader.ts'
import type { FileRow } from '../../../indexer/core/rows.ts'
import type { FileAnswer, FileCodeAnswer, SourceAnswer } from '../../contract/wire.ts'
import { type Answer, badRequest, notFound } from '../../core/failure.ts'
import { fileAnswer, fileCodeAnswer, fileFacts, type LineRange } from '../../core/file-answer.ts'
import { integerParameter, textParameter } from '../../core/parameters.ts'
import { splitLines } from '../../core/token-lines.ts'
import { sourceLineMax, sourceLinesPerAnswerMax, textCharsMax } from '../../limits.ts'
import type { SourceState, ViewerDeps } from '../../ports.ts'
import { answerWith } from '../answer.ts'
import { parametersOf, pathSuffix } from '../query.ts'
import { flatten } from './flatten.ts'

type Deps = Pick<ViewerDeps, 'index' | 'sources' | 'syntax'>

export function fileRoutes(deps: Deps): Hono {
  const router = new Hono()
  for (const name of ['file', 'filecode'] as const) {
    router.get(`/api/${name}`, () => answerWith(badRequest(`name a file: /api/${name}/<path>`)))
    router.get(`/api/${name}/*`, (c) => {
      const started = performance.now()
      return answerWith(
        flatten(
          deps.index.use(({ reader }): Answer<FileAnswer | FileCodeAnswer> => {
            const lines = linesAsked(parametersOf(c))
            if (!lines.ok) return lines
            const file = indexedFile(deps, reader, pathSuffix(c, `/api/${name}/`))
            if (!file.ok) return file
            const state = deps.sources.read(file.value)
            if (!state.ok) return state
            const drift = state.value.kind !== 'fresh'
            if (name === 'file') return succeed({ ...fileAnswer(reader, file.value), drift })
            const { path, language, size, indexedAt, contentHash, generated, test, errors, id } = fileFacts(
              reader,
              file.value,
            )
            return succeed({
              file: {
                path,
                language,
                size,
                indexedAt,
                contentHash,
                generated,
                test,
                errors,
                id,
                totalLines: 'text' in state.value ? splitLines(state.value.text).length : null,
              },
              drift,
              ...(drift ? { reason: driftReason(state.value) } : {}),
              ...fileCodeAnswer(reader, file.value, lines.value),
              timing: { elapsedMs: Math.round(performance.now() - started) },
            })
          }),
        ),
      )
    })
  }
  router.get('/api/source', async (c) => answerWith(await sourceAnswer(deps, parametersOf(c))))
  return router
}

/** A file that may be opened: inside the project, and named by the index. */
export function indexedFile(deps: Pick<Deps, 'sources'>, reader: GraphReader, given: string): Answer<FileRow> {
  const gated = deps.sources.gate(given)
  if (!gated.ok) return gated
  const file = reader.fileByPath(gated.value)
  return file === undefined
    ? notFound(
        `the index has no file "${gated.value.slice(0, 200)}"`,
        'a new file appears after "indexer sync"; a file outside the listing never does',
      )
    : succeed(file)
}

function driftReason(state: SourceState): string {
  switch (state.kind) {
    case 'gone':
      return 'the file is no longer there'
    case 'too-large':
      return `the file has grown to ${state.sizeBytes} bytes and is not shown`
    default:
      return 'the file has changed since it was indexed; "indexer sync" brings it up to date'
  }
}

/** `from` and `to`; without either, all of the file. */
function linesAsked(parameters: ReturnType<typeof parametersOf>): Answer<LineRange | undefined> {
  const from = integerParameter(parameters, 'from', 1, sourceLineMax)
  if (!from.ok) return from
  const to = integerParameter(parameters, 'to', 1, sourceLineMax)
  if (!to.ok) return to
  if (from.value === undefined && to.value === undefined) return succeed(undefined)
  const first = from.value ?? 1
  if (to.value !== undefined && to.value < first) return badRequest(`to (${to.value}) is before from (${first})`)
  return succeed({ from: first, to: to.value ?? Number.POSITIVE_INFINITY })
}

interface SourceQuestion extends LineRange {
  readonly isCurrentWanted: boolean
}

async function sourceAnswer(deps: Deps, parameters: ReturnType<typeof parametersOf>): Promise<Answer<SourceAnswer>> {
  const opened = flatten(
    deps.index.use(({ reader }): Answer<{ file: FileRow; state: SourceState; question: SourceQuestion }> => {
      const path = textParameter(parameters, 'file', textCharsMax)
      if (!path.ok) return path
      if (path.value === undefined || path.value === '')
        return badRequest('file is missing: the path of a file of the index')
      const lines = linesAsked(parameters)
      if (!lines.ok) return lines
      const onDrift = textParameter(parameters, 'ondrift', textCharsMax)
      if (!onDrift.ok) return onDrift
      const mode = (onDrift.value ?? '').trim()
      if (mode !== '' && mode !== 'omit' && mode !== 'current') return badRequest('ondrift is omit or current')
      const file = indexedFile(deps, reader, path.value)
      if (!file.ok) return file
      const state = deps.sources.read(file.value)
      if (!state.ok) return state
      return succeed({
        file: file.value,
        state: state.value,
        question: { from: 1, to: Number.POSITIVE_INFINITY, ...lines.value, isCurrentWanted: mode === 'current' },
      })
    }),
  )
  if (!opened.ok) return opened
  const { file, state, question } = opened.value
  const known = {
    file: file.path,
    language: file.language,
    contentHash: file.hash,
    indexedAt: file.indexedMs,
    generated: file.isGenerated,
  }
  const isDrifted = state.kind !== 'fresh'
  if (state.kind === 'gone' || state.kind === 'too-large' || (isDrifted && !question.isCurrentWanted)) {
    return succeed({ ...known, drift: true, showing: 'none', totalLines: null, reason: driftReason(state) })
  }
  const lines = splitLines(state.text)
  if (question.from > Math.max(1, lines.length) && !isDrifted) {
    return failWith({
      code: 'bad-request',
      message: `from (${question.from}) is past the end: the file has ${lines.length} lines`,
    })
  }
  const wanted = lines.slice(question.from - 1, question.to)
  const shown = wanted.slice(0, sourceLinesPerAnswerMax)
  // What is on disk now has no hash in the index; its colours are remembered by its own.
  const hash = isDrifted ? undefined : file.hash
  const highlight = await deps.syntax.of(file.language, hash, state.text)
  return succeed({
    ...known,
    drift: isDrifted,
    showing: isDrifted ? 'current' : 'indexed',
    totalLines: lines.length,
    from: question.from,
    to: question.from + shown.length - 1,
    lines: shown,
    truncated: shown.length < wanted.length,
    ...(isDrifted ? { reason: driftReason(state) } : {}),
    highlight: { ...highlight, lines: highlight.lines.slice(question.from - 1, question.from - 1 + shown.length) },
  })
}
