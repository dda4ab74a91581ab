/**
 * Thousands of rows without a wait: those near the screen are made at once, the others when the browser has nothing
 * better to do. Blocks off the screen cost no layout (`content-visibility`), and the browser's own search finds them.
 */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { whenIdle } from '../idle.ts'

/** Rows drawn together; nothing that hangs over the end of a block is seen. */
export const blockRows = 50

/** So short a list is laid out whole: an estimated height would only make the page move. */
const blocksWhole = 3

export function LongList<T>(props: {
  items: readonly T[]
  /** In pixels; only an estimate for what was not drawn yet. */
  rowHeight: number
  row: (item: T, at: number) => ComponentChildren
  /** The index of a row that must exist at once, because the address names it. */
  first?: number | undefined
  /** Wraps each block; a list of `li` wants `ul`. */
  as?: 'div' | 'ul'
}) {
  const { items } = props
  const blocks = Math.ceil(items.length / blockRows)
  const start = Math.min(Math.max(0, Math.floor((props.first ?? 0) / blockRows)), Math.max(0, blocks - 1))
  const [made, setMade] = useState(() => new Set([start, start + 1]))
  const frame = useRef<HTMLDivElement>(null)
  const Block = props.as ?? 'div'

  useLayoutEffect(() => {
    setMade((before) => (before.has(start) ? before : new Set(before).add(start).add(start + 1)))
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
    const next = Array.from({ length: blocks }, (_, block) => block).find((block) => !made.has(block))
    if (next === undefined) return
    return whenIdle(() => setMade((before) => new Set([...before, next, next + 1])), 500)
  }, [blocks, made])

  return (
    <div class="long" ref={frame}>
      {Array.from({ length: blocks }, (_, block) => {
        const rows = items.slice(block * blockRows, (block + 1) * blockRows)
        const height = `${rows.length * props.rowHeight}px`
        return made.has(block) ? (
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
