/** The quick reader of ordinary pages and the one that builds a tree give the same results. Seeds are printed. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseMarkup } from '../../../workers/app/adapters/sites/markup.ts'
import { readPlainTorrentList } from '../../../workers/app/adapters/sites/nexusphp/plain-torrent-list.ts'
import { readTorrentTree } from '../../../workers/app/adapters/sites/nexusphp/torrent-list.ts'
import { siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import { siteHitsMax } from '../../../workers/app/limits.ts'
import { goodCookie, startStandInSites } from '../../support/stand-in-sites.ts'

const runs = Number(process.env['WHARF_FUZZ_RUNS'] ?? '600')
const seed = process.env['WHARF_FUZZ_SEED']
const manyRuns = { numRuns: runs, ...(seed === undefined ? {} : { seed: Number(seed) }) }
const profile = siteProfile('nexusphp', {})

const skins = ['chinese', 'english', 'many'] as const
const pages: Partial<Record<(typeof skins)[number], string>> = {}

const sites = await startStandInSites()
for (const skin of skins) {
  const answer = await fetch(`${sites.address('nexusphp', skin)}/torrents.php?search=planet`, {
    headers: { cookie: goodCookie },
  })
  pages[skin] = await answer.text()
}
await sites.stop()

const treeOf = (page: string) => readTorrentTree(parseMarkup(page), profile)
const pageOf = (rows: string, table = '<table class="torrents">') =>
  `<html><body>${table}<tr><td>类型</td><td>标题</td><td>存活时间</td><td>大小</td><td>种子数</td><td>下载数</td></tr>${rows}</table></body></html>`
const rowOf = (title: string) => `<tr><td>x</td><td>${title}</td><td>1天</td><td>4.5 GB</td><td>7</td><td>2</td></tr>`
const link = '<a title="A.Title" href="details.php?id=5"><b>A.Ti</b></a>'

const fragments = [
  '<td>',
  '</td>',
  '</tr><tr>',
  '</table>',
  '<table class="x torrents"><tr><td>',
  '<span class="tags">标签</span>',
  '<span class="tag"><b class="tag">x</b>y</span>',
  '<img class="pro_2up tag" title="2026-12-01 10:00:00">',
  '<b>',
  '</b>',
  '<br />',
  '<BR>',
  '<p>',
  '<p>x</p>',
  '<!-- x -->',
  '<![CDATA[x]]>',
  '&amp;&#x4e2d;&nbsp;&hellip',
  ' & <',
  '<a href=details.php?id=77&amp;x>t</a>',
  "<a title='' href='details.php?id=78'>中<i>文</i></a>",
  '<td href="details.php?id=79">',
  '<img href="details.php?id=80">',
  '<a href="https://www.imdb.com/title/tt1234567/"><img title="H&amp;R"></a>',
  '<a href="download.php?id=5&amp;passkey=abc" HREF="x">',
  '<svg><title>x</title></svg>',
  '<script>"</table>"</script>',
  '<span title="2026-11-30 01:02:03">',
  '<li>a<li>b',
  '<input name="x" value=">">',
  '</br>',
  '</ b>',
  '</b x>',
  '</>',
  '<?x?>',
  '<!-->',
  '<!-- a --!> b -->',
  '<!DOCTYPE html>',
  '<textarea></td></textarea>',
  '<b class = tag / title=x/y>标</b>',
  '<B CLASS="tag" class="x">c</B>',
  '<b classes="tag" cla55="tag" ti-tle="2026-12-01" hr\u212aef="x" ALT="H&R" alts="y">d</b>',
  '<h1>e</h1>',
  '<strongs>f</strongs>',
  '<TD>g</Td>',
  '</td>1<td>',
  '<a title=details.php?id=81 href=>',
  '<div',
  '"',
]
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat({ max: 60 }),
  insert: fc.oneof(fc.constantFrom(...fragments), fc.constant('')),
})

/** Edits fall on borders of tags half the time: in the middle of one they mostly break it. */
function edited(page: string, edits: readonly { at: number; length: number; insert: string }[]): string {
  return edits.reduce((text, { at, length, insert }) => {
    const somewhere = Math.floor(at * text.length)
    const border = text.indexOf('<', somewhere)
    const position = length % 2 === 0 && border !== -1 ? border : somewhere
    return text.slice(0, position) + insert + text.slice(length % 3 === 0 ? position + length : position)
  }, page)
}

/** Holds the quick reader to the tree on every page that it reads, and says how many that were. */
function readAlike(texts: fc.Arbitrary<string>): number {
  let read = 0
  fc.assert(
    fc.property(texts, (text) => {
      const quick = readPlainTorrentList(text, profile)
      if (quick === undefined) return
      read += 1
      expect(quick).toEqual(treeOf(text))
    }),
    manyRuns,
  )
  return read
}

describe('the quick reader of the list', () => {
  test.for(skins)('reads what the tree says on a whole page (%s)', (skin, { expect }) => {
    const page = pages[skin] ?? ''
    const quick = readPlainTorrentList(page, profile)

    expect(quick?.length).toBeGreaterThan(1)
    expect(quick).toEqual(treeOf(page))
  })

  test.for(['chinese', 'english'] as const)(
    'says the same as the tree, or nothing, whatever the page is (%s)',
    (skin, { expect }) => {
      const page = pages[skin] ?? ''
      const read = readAlike(fc.array(edit, { minLength: 1, maxLength: 5 }).map((edits) => edited(page, edits)))
      expect(read).toBeGreaterThan(runs / 10)
    },
  )

  test('says the same as the tree of rows made of any pieces', ({ expect }) => {
    const pieces = fc.array(fc.constantFrom(link, ...fragments), { maxLength: 8 })
    const read = readAlike(pieces.map((made) => pageOf(rowOf(link) + rowOf(made.join('')))))
    expect(read).toBeGreaterThan(runs / 20)
  })

  test.for([
    ['a cell that is not closed', pageOf(`<tr><td>x<td>${link}<td>1天<td>4.5 GB<td>7<td>2</tr>`)],
    ['a paragraph', pageOf(rowOf(`<p>${link}</p>`))],
    ['tags within tags', pageOf(rowOf(`${link}<span class="tags"><b class="tag">x</b></span>`))],
    ['an element of another kind', pageOf(rowOf(`<label>${link}</label>`))],
    ['no end of the table', pageOf(rowOf(link)).replace('</table>', '')],
    ['a drawing before it', `<svg></svg>${pageOf(rowOf(link))}`],
    ['deep nesting', pageOf(rowOf(`${'<b>'.repeat(40)}${link}${'</b>'.repeat(40)}`))],
  ] as const)('leaves a page with %s to the tree', ([, page], { expect }) => {
    expect(readPlainTorrentList(page, profile)).toBeUndefined()
    expect(treeOf(page)).toHaveLength(1)
  })

  test('leaves a page with a text beside the cells of a row to the tree, which has no such row', ({ expect }) => {
    const cut = rowOf(link).replace('<td>4.5 GB</td>', '4.5 GB<td>5</td>')
    const page = pageOf(rowOf(link.replace('id=5', 'id=6')) + cut)

    expect(readPlainTorrentList(page, profile)).toBeUndefined()
    expect(treeOf(page)?.map(({ torrentId }) => torrentId)).toEqual(['6'])
  })

  test('leaves pages with selectors of their own to the tree', ({ expect }) => {
    const page = pageOf(rowOf(link))
    const own = siteProfile('nexusphp', { selectors: { title: 'td a' } })

    expect(readPlainTorrentList(page, profile)).toHaveLength(1)
    expect(readPlainTorrentList(page, own)).toBeUndefined()
  })

  test('takes as many rows as the bound and not one more', ({ expect }) => {
    for (const rows of [siteHitsMax, siteHitsMax + 1]) {
      const page = pageOf(rowOf(link).repeat(rows))

      expect(readPlainTorrentList(page, profile)).toHaveLength(siteHitsMax)
      expect(treeOf(page)).toHaveLength(siteHitsMax)
    }
  })

  test.for([
    [
      'a date in the name is no end of the discount',
      '<a title="Show.2026-11-20" href="details.php?id=5">S</a><img class="pro_free">',
      {},
    ],
    [
      'the end of the discount stands in a title',
      `${link}<img class="pro_free"><span title="2026-11-30 08:00:00">9天</span>`,
      { discountEndAtUnix: Date.UTC(2026, 10, 30) / 1000 },
    ],
    ['a break before the name begins no subtitle', `<b>置顶</b><br>${link}`, {}],
    [
      'the subtitle follows the break',
      `${link}<br><span class="tags">官方</span>第二 <i>行</i>`,
      { subtitle: '第二 行' },
    ],
    ['and the break may stand beside bold text', `<b>${link}</b><br>二`, { subtitle: '二' }],
  ] as const)('%s', ([, title, told], { expect }) => {
    const page = pageOf(rowOf(title))
    const [hit] = readPlainTorrentList(page, profile) ?? []

    expect({ subtitle: hit?.subtitle, discountEndAtUnix: hit?.discountEndAtUnix }).toEqual({
      subtitle: undefined,
      discountEndAtUnix: undefined,
      ...told,
    })
    expect(treeOf(page)).toEqual([hit])
  })
})
