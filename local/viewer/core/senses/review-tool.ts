import { succeed } from '#shared/kernel/result.ts'
import { type AffectedSymbol, reviewRangeCharsMax } from '../review.ts'
import type { ReviewedSymbol } from '../reviewed-change.ts'
import { Evidence, saidOf } from './evidence.ts'
import type { IndexTool } from './tool.ts'

export const reviewTool: IndexTool = {
  name: 'review',
  description:
    'What a change of the work tree does to the rest: changed symbols, what surely and what perhaps reaches them, routes, tests to run, contracts it breaks, owners, what nothing uses any more, new circles of files.',
  parameters: {
    range: {
      kind: 'text',
      about: 'A commit to compare the work tree with, or BASE..HEAD, or BASE...HEAD. Without it the last commit.',
      charsMax: reviewRangeCharsMax,
    },
  },
  ask(sensed, given) {
    const { reader, review } = sensed
    const found = review(given['range'] === undefined ? 'HEAD' : String(given['range']).trim())
    if (!found.ok) return found
    const { range, owners, contracts, changed, affected, routes, tests, newlyDead, newlyCircular, notIndexed } =
      found.value
    const evidence = new Evidence(sensed)
    const at = (file: string, line: number, what: string): string => {
      const row = reader.fileByPath(file)
      return row === undefined ? `${file}:${line}  ${what}` : evidence.at(row.n, line, what)
    }
    const symbolRow =
      (one: ReviewedSymbol, more = '') =>
      () =>
        at(one.file, one.line, `${one.kind} ${one.name}${more}`)
    const affectedRow = (one: AffectedSymbol) => () =>
      at(one.file, one.atLine, `${one.kind} ${one.name} to ${one.toward}${saidOf(one.verdict)}`)
    const untested = changed.filter((one) => one.tested === 'no')
    return succeed({
      head: [
        `Since ${range}: ${changed.length} symbols changed, ${affected.total} affected, ${tests.length} test files reach it.`,
        ...(changed.length === 0 ? ['Nothing that the index holds has changed.'] : []),
      ],
      parts: [
        {
          title: 'Contracts broken, with who certainly uses or lacks them',
          rows: contracts.flatMap((one) => [
            () => at(one.file, one.line, `${one.name} ${one.how === 'gone' ? 'is gone' : `is now ${one.now}`}`),
            ...one.callers.map(
              (caller) => () =>
                at(
                  caller.file,
                  caller.atLine,
                  `${caller.kind} ${caller.name} ${one.how === 'unmet' ? 'lacks' : 'uses'} ${one.name}${saidOf(caller.verdict)}`,
                ),
            ),
          ]),
        },
        { title: 'Changed', rows: changed.map((one) => symbolRow(one)) },
        { title: 'Changed, and no test reaches it', rows: untested.map((one) => symbolRow(one)) },
        { title: 'Nothing uses it any more', rows: newlyDead.filter((one) => !one.isNew).map((one) => symbolRow(one)) },
        { title: 'New, and nothing uses it', rows: newlyDead.filter((one) => one.isNew).map((one) => symbolRow(one)) },
        {
          title: 'New circles of files',
          rows: newlyCircular.map((one) => () => at(one.file, one.line, one.files.join(' > '))),
        },
        {
          title: 'Tests, certain',
          rows: tests
            .filter((one) => one.isCertain)
            .map((one) => () => `${one.file}  through ${one.through.join(' > ')}`),
        },
        {
          title: 'Tests, possible',
          rows: tests
            .filter((one) => !one.isCertain)
            .map((one) => () => `${one.file}  through ${one.through.join(' > ')}`),
        },
        { title: 'Routes', rows: routes.map((one) => symbolRow(one, one.isCertain ? ', certain' : ', possible')) },
        { title: 'Certainly affected', rows: affected.items.filter((one) => one.isCertain).map(affectedRow) },
        { title: 'Possibly affected', rows: affected.items.filter((one) => !one.isCertain).map(affectedRow) },
        { title: 'Owners of changed files', rows: owners.map((one) => () => `${one.owner}  ${one.files.join(', ')}`) },
        { title: 'Not in the index', rows: notIndexed.map((one) => () => one) },
      ],
      notes: () => evidence.notes(),
    })
  },
}
