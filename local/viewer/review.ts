/** A review from range to findings; the command and the tool for programs ask the same way. */
import { succeed } from '#shared/kernel/result.ts'
import type { GraphReader } from '../indexer/core/graph-reader.ts'
import { type Answer, badRequest } from './core/failure.ts'
import { ownersIn } from './core/owners.ts'
import { type Review, reviewOf } from './core/review.ts'
import { type ReviewPageFacts, reviewPage } from './core/review-page.ts'
import { splitLines } from './core/token-lines.ts'
import type { ViewerDeps } from './ports.ts'

export type ReviewPorts = Pick<ViewerDeps, 'index' | 'sources' | 'changes'>

export function review(ports: ReviewPorts, range: string): Answer<Review> {
  const answer = ports.index.use(({ reader }) => reviewIn(reader, ports, range))
  return answer.ok ? answer.value : answer
}

/** The same as one file for others, with the lines by which the change is reached. */
export function sharedReview(
  ports: ReviewPorts,
  range: string,
  about: Omit<ReviewPageFacts, 'lineOf'>,
): Answer<string> {
  const answer = ports.index.use(({ reader }) => {
    const found = reviewIn(reader, ports, range)
    if (!found.ok) return found
    const known = new Map<string, readonly string[]>()
    const lineOf = (path: string, line: number): string | undefined => {
      const lines = known.get(path) ?? linesOf(reader, ports.sources, path)
      known.set(path, lines)
      return lines[line - 1]
    }
    return succeed(reviewPage(found.value, { ...about, lineOf }))
  })
  return answer.ok ? answer.value : answer
}

function linesOf(reader: GraphReader, sources: ReviewPorts['sources'], path: string): readonly string[] {
  const file = reader.fileByPath(path)
  const state = file === undefined ? undefined : sources.read(file)
  return state?.ok === true && state.value.kind === 'fresh' ? splitLines(state.value.text) : []
}

export function reviewIn(
  reader: GraphReader,
  { sources, changes }: Omit<ReviewPorts, 'index'>,
  range: string,
): Answer<Review> {
  const change = changes.inRange(range)
  if (!change.ok) return change
  // Lines are those of the work tree: an index of another text would name the wrong symbols.
  const stale = change.value.files.find((one) => {
    const file = reader.fileByPath(one.path)
    return file !== undefined && sources.isDrifted(file)
  })
  if (stale !== undefined) return badRequest(`${stale.path} is not as it was indexed`, '"indexer sync" brings it in')
  return succeed(
    reviewOf(reader, change.value, {
      of: (file) => {
        const state = sources.read(file)
        return state.ok && state.value.kind === 'fresh' ? state.value.text : undefined
      },
      others: () => sources.others(),
      owners: ownersIn(sources.owners() ?? ''),
    }),
  )
}
