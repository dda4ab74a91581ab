/**
 * Thousands of rows without a wait: those near the screen are made at once, the others when the browser has nothing
 * better to do. Blocks off the screen cost no layout (`content-visibility`), and the browser's own search finds them.
 */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { whenIdle } from '../idle.ts'
import { blockRows } from '../model/line-window.ts'

/** So short a list is laid out whole: an estimated height would only make the page move. */
const blocksWhole = 3

export function LongList<T>(props: {
  items: readonly T[]
  /** In pixels; only an estimate for what was not drawn yet. */
  rowHeight: number
  row: (item: T, at: number) => ComponentChildren
  /** The rows there are already, where the others are still on their way; the end is not included. */
  there?: { readonly from: number; readonly to: number }
  /** The index of a row that must exist at once, because the address names it. */
  first?: number | undefined
  /** Wraps each block; a list of `li` wants `ul`. */
  as?: 'div' | 'ul'
}) {
  const { items } = props
  const blocks = Math.ceil(items.length / blockRows)
  const start = Math.min(Math.max(0, Math.floor((props.first ?? 0) / blockRows)), Math.max(0, blocks - 1))
  const { from, to } = props.there ?? { from: 0, to: items.length }
  const isThere = (block: number): boolean =>
    block * blockRows >= from && Math.min((block + 1) * blockRows, items.length) <= to
  // Enough for one screen; a row that is looked for may be the last of its block.
  const screen = Math.ceil(innerHeight / props.rowHeight / blockRows) + (props.first === undefined ? 0 : 1)
  const firstBlocks = (): number[] => Array.from({ length: screen }, (_, at) => start + at)
  const [made, setMade] = useState(() => new Set(firstBlocks()))
  const frame = useRef<HTMLDivElement>(null)
  const Block = props.as ?? 'div'

  useLayoutEffect(() => {
    setMade((before) => (before.has(start) ? before : new Set([...before, ...firstBlocks()])))
  }, [start])

  useEffect(() => {
    const root = frame.current
    if (root === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        const near = entries
          .filter((entry) => entry.isIntersecting)
          .map((entry) => Number((entry.target as HTMLElement).dataset['block']))
        if (near.length > 0) setMade((before) => new Set([...before, ...near]))
      },
      { rootMargin: '1200px' },
    )
    for (const block of root.children) observer.observe(block)
    return () => observer.disconnect()
  }, [blocks])

  useEffect(() => {
    const next = Array.from({ length: blocks }, (_, block) => block).find((block) => !made.has(block) && isThere(block))
    if (next === undefined) return
    return whenIdle(() => setMade((before) => new Set(before).add(next)), 500)
  }, [blocks, made, from, to])

  return (
    <div class="long" ref={frame}>
      {Array.from({ length: blocks }, (_, block) => {
        const rows = items.slice(block * blockRows, (block + 1) * blockRows)
        const height = `${rows.length * props.rowHeight}px`
        return made.has(block) && isThere(block) ? (
          <Block
            key={block}
            data-block={block}
            class={blocks > blocksWhole ? 'long-block' : undefined}
            style={{ containIntrinsicHeight: `auto ${height}` }}
          >
            {rows.map((item, at) => props.row(item, block * blockRows + at))}
          </Block>
        ) : (
          <div key={block} data-block={block} style={{ height }} />
        )
      })}
    </div>
  )
}
