/** A review as one file to send to somebody. */
import { escaped, oneFilePage } from '#shared/pages/one-file-page.ts'
import type { Verdict } from '../../indexer/core/vocabulary.ts'
import type { BrokenContract, ContractCaller } from './contracts.ts'
import type { AffectedSymbol, Review } from './review.ts'
import { reviewPageStyles } from './review-page-styles.ts'
import type { ReviewedSymbol } from './reviewed-change.ts'

/** More would not be read, and would make the file one that mail turns away. */
const rowsShown = 300
const lineShownMax = 200

export interface ReviewPageFacts {
  readonly project: string
  readonly version: string
  /** A line of a file as it was indexed; undefined where its text is not to be had. */
  readonly lineOf: (file: string, line: number) => string | undefined
}

export function reviewPage(review: Review, facts: ReviewPageFacts): string {
  return oneFilePage({
    language: 'en',
    title: `${facts.project}: ${review.range}`,
    styles: reviewPageStyles,
    body: `<header><h1>${escaped(facts.project)}</h1><p class="mono">${escaped(review.range)}</p></header>
<main>
${figures(review)}
${contractsPart(review, facts)}
${toRun(review)}
<div class="cols"><div>${changedPart(review)}${endedPart(review)}</div><div>${reachPart(review, facts)}</div></div>
</main>
<footer>Made by indexer review ${escaped(facts.version)}. A whole line at the edge: known by imports or types, or proved by a compiler, which is then said. A broken one: possible. Callers outside the index are not counted.</footer>`,
  })
}

function figures({ changed, affected, routes, tests, newlyDead, newlyCircular }: Review): string {
  const certain = affected.items.filter((one) => one.isCertain).length
  const untested = changed.filter((one) => one.tested === 'no').length
  const entries: readonly (readonly [string, number, string])[] = [
    ['Symbols changed', changed.length, `in ${new Set(changed.map((one) => one.file)).size} files`],
    [
      'Symbols it reaches',
      affected.total,
      `${certain} certain, ${affected.items.length - certain} possible${leftOut(affected)}`,
    ],
    ['Routes it reaches', routes.length, `${routes.filter((one) => one.isCertain).length} certain`],
    [
      'Test files to run',
      tests.length,
      untested === 0 ? 'every changed symbol has one' : `${untested} changed without one`,
    ],
    ['Newly without use', newlyDead.length, `${newlyDead.filter((one) => one.isNew).length} of them new`],
    ['New circles of files', newlyCircular.length, ''],
  ]
  const cells = entries.map(
    ([name, count, more]) => `<div><dt>${name}</dt><dd class="v">${count}</dd><dd>${more}</dd></div>`,
  )
  return `<dl class="figures">${cells.join('')}</dl>`
}

function leftOut({ total, items }: Review['affected']): string {
  return total > items.length ? `, ${total - items.length} not listed` : ''
}

function toRun({ tests, changed }: Review): string {
  const untested = changed.filter((one) => one.tested === 'no')
  const row = ({ file, isCertain, through }: Review['tests'][number]): string =>
    `<li class="${isCertain ? 'certain' : 'possible'}"><b class="mono">${escaped(file)}</b><span class="why">through ${escaped(through.filter((one) => one !== file).join(' › '))}</span></li>`
  return [
    section('Tests to run', tests.map(row)),
    section(
      'Changed, and no test reaches it',
      untested.map((one) => `<li class="bad">${symbol(one)}</li>`),
    ),
  ].join('')
}

function changedPart({ owners, changed, notIndexed }: Review): string {
  const files = Map.groupBy(changed, (one) => one.file)
  const groups = [...files].map(
    ([file, symbols]) =>
      `<li class="file"><b class="mono">${escaped(file)}</b><ul>${symbols
        .map((one) => `<li>${symbol(one, true)}${one.isExported ? '<span class="tag">exported</span>' : ''}</li>`)
        .join('')}</ul></li>`,
  )
  return [
    section('Changed symbols', groups, changed.length),
    section(
      'Owners of changed files',
      owners.map(
        (one) =>
          `<li><b class="mono">${escaped(one.owner)}</b><span class="why mono">${escaped(one.files.join(', '))}</span></li>`,
      ),
    ),
    section(
      'Changed, and not in the index',
      notIndexed.map((file) => `<li class="mono">${escaped(file)}</li>`),
    ),
  ].join('')
}

function endedPart({ newlyDead, newlyCircular }: Review): string {
  return [
    section(
      'Nothing uses it any more',
      newlyDead.filter((one) => !one.isNew).map((one) => `<li class="bad">${symbol(one)}</li>`),
    ),
    section(
      'New, and nothing uses it',
      newlyDead.filter((one) => one.isNew).map((one) => `<li>${symbol(one)}</li>`),
    ),
    section(
      'New circles of files',
      newlyCircular.map(
        (one) =>
          `<li class="bad"><b class="mono">${escaped(one.file)}:${one.line}</b><span class="why mono">${escaped(one.files.join(' › '))}</span></li>`,
      ),
    ),
  ].join('')
}

function contractsPart({ contracts }: Review, { lineOf }: ReviewPageFacts): string {
  const caller = (one: ContractCaller): string => {
    const line = lineOf(one.file, one.atLine)?.trim().slice(0, lineShownMax) ?? ''
    const code = line === '' ? '' : `<code>${escaped(line)}</code>`
    return `<li class="certain"><span>${kindOf(one)}<b class="mono">${escaped(one.name)}</b>${said(one)}</span><span class="at mono">${escaped(one.file)}:${one.atLine}</span>${code}</li>`
  }
  const row = (one: BrokenContract): string => {
    const texts = [one.before === null ? '' : `− ${one.before}`, one.now === null ? '' : `+ ${one.now}`]
    const code = texts.filter((text) => text !== '').map((text) => `<code>${escaped(text)}</code>`)
    const said = { gone: 'is gone', changed: 'has another signature', unmet: 'is asked for now, and lacking' }[one.how]
    const more =
      one.possible === 0
        ? ''
        : `<span class="why">${one.possible} more perhaps ${one.how === 'unmet' ? 'lack' : 'use'} it</span>`
    return `<li class="bad"><span><b class="mono">${escaped(one.name)}</b> ${said}</span><span class="at mono">${escaped(one.file)}:${one.line}</span>${code.join('')}${more}<ul>${one.callers.map(caller).join('')}</ul></li>`
  }
  return section('Contracts broken', contracts.map(row))
}

function reachPart({ affected, routes }: Review, { lineOf }: ReviewPageFacts): string {
  const row = (one: AffectedSymbol): string => {
    const line = lineOf(one.file, one.atLine)?.trim().slice(0, lineShownMax)
    const code = line === undefined || line === '' ? '' : `<code>${escaped(line)}</code>`
    return `<li class="${one.isCertain ? 'certain' : 'possible'}"><span>${kindOf(one)}<b class="mono">${escaped(one.name)}</b> to <span class="mono">${escaped(one.toward)}</span>${said(one)}</span><span class="at mono">${escaped(one.file)}:${one.atLine}</span>${code}</li>`
  }
  const of = (isCertain: boolean): string[] => affected.items.filter((one) => one.isCertain === isCertain).map(row)
  return [
    section(
      'Routes',
      routes.map((one) => `<li class="${one.isCertain ? 'certain' : 'possible'}">${symbol(one)}</li>`),
    ),
    section('Certainly affected', of(true)),
    section('Possibly affected', of(false)),
  ].join('')
}

function said({ verdict }: { readonly verdict: Verdict | null }): string {
  return verdict === null ? '' : ` <span class="tag">${verdict}</span>`
}

function kindOf({ kind }: ReviewedSymbol): string {
  return `<span class="kind">${kind.replaceAll('_', ' ')}</span> `
}

function symbol(one: ReviewedSymbol, isInItsFile = false): string {
  const at = isInItsFile ? `line ${one.line}` : `${one.file}:${one.line}`
  return `<span>${kindOf(one)}<b class="mono">${escaped(one.name)}</b></span><span class="at mono">${escaped(at)}</span>`
}

/** Nothing is said of what there is none of. */
function section(title: string, rows: readonly string[], count = rows.length): string {
  if (rows.length === 0) return ''
  const more = rows.length > rowsShown ? `<p class="why">${rows.length - rowsShown} more are not listed.</p>` : ''
  return `<section><h2>${title} <span class="n">${count}</span></h2><ul>${rows.slice(0, rowsShown).join('')}</ul>${more}</section>`
}
