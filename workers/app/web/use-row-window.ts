/** Follows the scrolling of the page: which rows of a long table are drawn, and what that asks of the table. */
import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { type RowRange, rowsAround, rowsInView } from './model/row-window.ts'

export interface RowWindow {
  readonly table: RefObject<HTMLTableElement | null>
  readonly range: ReadonlySignal<RowRange>
  readonly rowHeight: ReadonlySignal<number>
  /** The place of the row that has the focus. */
  readonly focused: ReadonlySignal<number | undefined>
}

/** Before a row is there to be measured: as high as the last one that was. */
let usualRowHeight = 44
/** The rows in view can be used first; those beside them are made after this, or with the first step. */
const besideAfterMs = 150
/** What a window without a size, which a test may have, is taken for. */
const leastViewHeight = 200

export function useRowWindow(total: number): RowWindow {
  const table = useRef<HTMLTableElement>(null)
  const range = useSignal<RowRange>({ from: 0, to: Math.ceil(window.innerHeight / usualRowHeight) })
  const rowHeight = useSignal(usualRowHeight)
  const focused = useSignal<number | undefined>(undefined)

  const frame = useRef(0)
  const looking = useRef<ReturnType<typeof setTimeout>>(undefined)
  const widening = useRef<ReturnType<typeof setTimeout>>(undefined)
  // What was drawn is measured, and what it lacks is made for the next frame: in the middle of one the browser would have
  // to lay out everything twice.
  const later = () => {
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(() => {
      // Where frames follow each other closely, the look that waits is not put off.
      looking.current ??= setTimeout(() => {
        looking.current = undefined
        look.current()
      })
    })
  }
  const look = useRef<() => void>(() => undefined)
  look.current = () => {
    const body = table.current?.tBodies[0]
    if (body === undefined) return
    const row = body.querySelector<HTMLElement>('tr[aria-rowindex]')
    // A part of a pixel counts: above a row there may be thousands.
    const height = row?.getBoundingClientRect().height ?? 0
    if (height > 0) {
      usualRowHeight = height
      rowHeight.value = height
    }
    const inView = rowsInView(
      body.getBoundingClientRect().top,
      Math.max(leastViewHeight, window.innerHeight),
      rowHeight.peek(),
      total,
    )
    const now = range.peek()
    // Far from what is drawn, what is in view comes first: the rows beside it have time until the next frame.
    const isFar = inView.from >= now.to || inView.to <= now.from
    const next = isFar ? inView : rowsAround(inView, total)
    if (next.from !== now.from || next.to !== now.to) range.value = next
    if (isFar && total > 0) later()
  }
  const isNew = useRef(true)
  useLayoutEffect(() => {
    if (total === 0) return
    if (!isNew.current) return later()
    isNew.current = false
    widening.current = setTimeout(later, besideAfterMs)
  }, [total])
  useEffect(() => {
    const onFocus = () => {
      const row = document.activeElement?.closest('tr[aria-rowindex]')
      const isOurs = row !== null && row !== undefined && table.current?.tBodies[0]?.contains(row) === true
      // The first row below the head has number 2.
      focused.value = isOurs ? Number(row.getAttribute('aria-rowindex')) - 2 : undefined
    }
    addEventListener('scroll', later, { passive: true })
    addEventListener('resize', later)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('focusout', onFocus)
    return () => {
      cancelAnimationFrame(frame.current)
      clearTimeout(looking.current)
      clearTimeout(widening.current)
      removeEventListener('scroll', later)
      removeEventListener('resize', later)
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('focusout', onFocus)
    }
  }, [focused])
  return { table, range, rowHeight, focused }
}
