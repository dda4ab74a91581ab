/** A listing's lines and the calls beside them: first those on screen, all others once these stand. */
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { FileCodeAnswer, SourceAnswer } from '../../contract/wire.ts'
import { whenIdle } from '../idle.ts'
import { firstWindow, type Lines } from '../model/line-window.ts'
import { api } from './client.ts'
import { type LiveAnswer, useAnswer } from './use-answer.ts'

interface Part {
  readonly source: LiveAnswer<SourceAnswer>
  readonly code: FileCodeAnswer | undefined
  /** Whether the calls came or will not come. */
  readonly isCodeSettled: boolean
}

export interface Listing extends Part {
  /** What the source on screen is listed for: the lines before while those of a newer index are read. */
  readonly lines: Lines
}

/** Text and calls of some lines, `undefined` for none. */
function useLines(
  file: string,
  lines: Lines | undefined,
  has: { readonly currentText: boolean; readonly code: boolean },
): Part {
  const source = useAnswer(
    lines === undefined
      ? undefined
      : api.source(file, { ...lines, ...(has.currentText ? { ondrift: 'current' } : {}) }),
  )
  const code = useAnswer(lines === undefined || !has.code ? undefined : api.fileCode(file, lines)).reading.value
  return {
    source,
    code: code.isCurrent ? code.data : undefined,
    isCodeSettled: !has.code || code.isCurrent || code.failure !== undefined,
  }
}

const hasCome = ({ source, isCodeSettled }: Part): boolean =>
  isCodeSettled && (source.reading.value.isCurrent || source.reading.value.failure !== undefined)

export function useListing(of: {
  readonly file: string
  readonly lines: Lines
  /** The line that is looked for. */
  readonly line: number | undefined
  readonly isCurrentText: boolean
  readonly hasCode: boolean
}): Listing {
  const { file, lines } = of
  const has = { currentText: of.isCurrentText, code: of.hasCode }
  // Another line of the same listing is no other listing.
  const window = useMemo(() => firstWindow(lines, of.line), [file, lines.from, lines.to])
  const isRestDue = useSignal(false)
  const rest = useLines(file, isRestDue.value ? lines : undefined, has)
  const isWhole = rest.source.reading.value.data !== undefined && rest.isCodeSettled
  const first = useLines(file, isWhole ? undefined : window, has)
  const total = first.source.reading.value.data?.totalLines ?? lines.to
  const isCut = window.from > lines.from || window.to < Math.min(lines.to, total)
  const isFirstHere = !isWhole && hasCome(first)
  useEffect(() => {
    if (!isCut || !isFirstHere) return
    return whenIdle(() => {
      isRestDue.value = true
    }, 300)
  }, [isCut, isFirstHere])
  // A line past the end has no window of its own; the listing is there all the same.
  const part = isWhole || (isCut && first.source.reading.value.failure !== undefined) ? rest : first
  const shown = useRef(lines)
  if (part.source.reading.value.isCurrent) shown.current = lines
  return { ...part, lines: shown.current }
}
