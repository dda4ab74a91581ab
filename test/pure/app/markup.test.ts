import { describe, test } from 'vitest'
import { readFeed } from '../../../workers/app/adapters/feeds/read-feed.ts'
import { descendants, parseMarkup, spacedText } from '../../../workers/app/adapters/sites/markup.ts'
import { markupDepthMax, openTagsMax } from '../../../workers/app/limits.ts'

describe('the tree of a page', () => {
  test.for([
    ['at its bound', markupDepthMax, markupDepthMax],
    ['past its bound', markupDepthMax + 1, markupDepthMax],
  ] as const)('that nests %s keeps its text and what stands after it', ([, depth, kept], { expect }) => {
    const root = parseMarkup(`${'<b>'.repeat(depth)}deep${'</b>'.repeat(depth)}<i>after</i>`)

    expect(descendants(root)).toHaveLength(kept + 1)
    expect(spacedText(root)).toBe('deep after')
  })

  test('is read with as many open tags as are allowed, and empty with one more', ({ expect }) => {
    expect(spacedText(parseMarkup(`${'<b>'.repeat(openTagsMax)}text`))).toBe('text')
    expect(parseMarkup(`${'<b>'.repeat(openTagsMax + 1)}text`).children).toEqual([])
  })

  test('counts what is open, not what was opened', ({ expect }) => {
    const rows = '<tr><td><img>x'.repeat(openTagsMax)
    expect(spacedText(parseMarkup(`<table>${rows}</table>after`))).toContain('after')
  })
})

describe('a feed', () => {
  const feed = (inside: string) => `<rss><channel>${inside}<item><title>x</title></item></channel></rss>`

  test('is read with as many open tags as are allowed, and none with one more', ({ expect }) => {
    const open = (count: number) => feed(`${'<a>'.repeat(count)}${'</a>'.repeat(count)}`)

    expect(readFeed(open(openTagsMax - 2)).items).toHaveLength(1)
    expect(readFeed(open(openTagsMax - 1))).toEqual({ isFeed: false, items: [] })
  })
})
