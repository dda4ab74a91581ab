/**
 * Thousands of rows without a wait: those on screen are made at once, the others when the browser has nothing better to
 * do. Blocks off the screen cost no layout (`content-visibility`), and the browser's own search finds them.
 */
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { whenIdle } from '../idle.ts'
import { blockRows } from '../model/line-window.ts'

/** So short a list is laid out whole: an estimated height would only make the page move. */
const blocksWhole = 5
/** What stands above the rows of any list, in pixels: the bar and a heading with its facts. */
const abovePx = 300
/** Rows this far from the screen are made before they are scrolled to. */
const nearPx = 1200
/** The first screen is left alone for this long. */
const restMs = 200

export function LongList<T>(props: {
  items: readonly T[]
  /** In pixels; only an estimate for what was not drawn yet. */
  rowHeight: number
  /**
   * Made anew whenever the list's owner is drawn, and called once for each row until then. It calls what it is made of as
   * functions: a component costs as much as its elements, and there are hundreds of them on one screen.
   */
  row: (item: T, at: number) => ComponentChildren
  /** The rows there are already, where the others are still on their way; the end is not included. */
  there?: { readonly from: number; readonly to: number }
  /** The index of a row that must exist at once, because the address names it. */
  first?: number | undefined
  /** Wraps each block; a list of `li` wants `ul`. */
  as?: 'div' | 'ul'
}) {
  const { items, rowHeight } = props
  const blocks = Math.ceil(items.length / blockRows)
  const blockHeight = blockRows * rowHeight
  const start = Math.min(Math.max(0, Math.floor((props.first ?? 0) / blockRows)), Math.max(0, blocks - 1))
  const { from, to } = props.there ?? { from: 0, to: items.length }
  const isThere = (block: number): boolean =>
    block * blockRows >= from && Math.min((block + 1) * blockRows, items.length) <= to
  // Enough for one screen; a row that is looked for may be the last of its block.
  const screen = Math.max(1, Math.ceil((innerHeight - abovePx) / blockHeight)) + (props.first === undefined ? 0 : 1)
  const firstBlocks = (): number[] => Array.from({ length: screen }, (_, at) => start + at)
  const [made, setMade] = useState(() => new Set(firstBlocks()))
  const frame = useRef<HTMLDivElement>(null)
  const Block = props.as ?? 'div'
  // A block that is made stays as it is while others come: the same element is not compared again.
  const drawn = useMemo(() => new Map<number, VNode>(), [items, props.row, from, to])
  // What is on screen at once is laid out at once: to estimate it first would be one layout more.
  const isWhole = (block: number): boolean => blocks <= blocksWhole || (block >= start && block < start + screen)
  const heightOf = (block: number, end = block + 1): string =>
    `${(Math.min(end * blockRows, items.length) - block * blockRows) * rowHeight}px`

  useLayoutEffect(() => {
    setMade((before) => (before.has(start) ? before : new Set([...before, ...firstBlocks()])))
  }, [start])

  useEffect(() => {
    const root = frame.current
    if (root === null) return
    let cancel = (): void => {}
    const observer = new IntersectionObserver(
      (entries) => {
        const blocksIn = (above: number, below: number): number[] =>
          entries.flatMap(({ target, boundingClientRect: { top, bottom } }) => {
            if (bottom < above || top > below) return []
            const blockAt = (y: number): number => Math.max(0, Math.floor((y - top) / blockHeight))
            const begin = Number((target as HTMLElement).dataset['gap']) + blockAt(above)
            return Array.from({ length: blockAt(below) - blockAt(above) + 1 }, (_, at) => begin + at)
          })
        const make = (wanted: readonly number[]): void =>
          setMade((before) => (wanted.every((one) => before.has(one)) ? before : new Set([...before, ...wanted])))
        const seen = blocksIn(0, innerHeight)
        cancel()
        if (seen.length > 0) make(seen)
        else
          cancel = whenIdle(() => make(blocksIn(-nearPx, innerHeight + nearPx)), 100, made.size > screen ? 0 : restMs)
      },
      { rootMargin: `${nearPx}px` },
    )
    for (const gap of root.querySelectorAll('[data-gap]')) observer.observe(gap)
    return () => {
      cancel()
      observer.disconnect()
    }
  }, [blocks, made, from, to])

  useEffect(() => {
    const next = Array.from({ length: blocks }, (_, block) => block).find((block) => !made.has(block) && isThere(block))
    if (next === undefined) return
    return whenIdle(() => setMade((before) => new Set(before).add(next)), 500, made.size > screen ? 0 : restMs)
  }, [blocks, made, from, to])

  function draw(block: number): VNode {
    const known = drawn.get(block)
    if (known !== undefined) return known
    const begin = block * blockRows
    const element = (
      <Block
        key={block}
        class={isWhole(block) ? undefined : 'long-block'}
        style={{ containIntrinsicHeight: `auto ${heightOf(block)}` }}
      >
        {items.slice(begin, begin + blockRows).map((item, at) => props.row(item, begin + at))}
      </Block>
    )
    drawn.set(block, element)
    return element
  }

  const parts: VNode[] = []
  for (let block = 0; block < blocks; block += 1) {
    if (made.has(block) && isThere(block)) {
      parts.push(draw(block))
      continue
    }
    const begin = block
    while (block + 1 < blocks && !(made.has(block + 1) && isThere(block + 1))) block += 1
    parts.push(<div key={`gap ${begin}`} data-gap={begin} style={{ height: heightOf(begin, block + 1) }} />)
  }
  return (
    <div class="long" ref={frame}>
      {parts}
    </div>
  )
}
