// @module-tag slow
/** The viewer's page on a project whose names and texts try to be more than text. */
import { readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { href } from '../../local/viewer/web/model/address.ts'
import { chromiumPart } from '../support/chromium.ts'
import { viewerPage } from '../support/viewer-page.ts'

const markup = '<img src=x onerror="document.title=1">'
const rightToLeft = '\u202egnp.exe\u2066'
const files = [`src/${markup}/a.ts`, `src/${rightToLeft}.ts`, 'src/two\nlines.ts', 'src/long.ts'] as const
const source = (name: string): string => `/** ${markup} <script>document.title = 1</script> ${rightToLeft} */
export const table = {
  ${JSON.stringify(`${markup}${name}`)}() {
    return helper(${JSON.stringify(markup)})
  },
}
function helper(text: string) {
  return text
}
export function start() {
  return helper('</script><svg onload="document.title=1">')
}
`

describe.skipIf(chromiumPart.isMissing)(`the viewer's page on hostile names ${chromiumPart.skipNote}`, () => {
  const its = viewerPage({
    ...Object.fromEntries(files.map((file, at) => [file, source(String(at))])),
    'src/long.ts': `export const long = "${'y'.repeat(900_000)}"\n${source('long')}`,
  })

  test('shows them as text in every view, and saves them as text', { timeout: 120_000 }, async ({
    expect,
    onTestFinished,
  }) => {
    const screen = await its.open()
    onTestFinished(() => screen.close())
    const { page } = screen
    const found = (await its.viewer.get('/api/search?q=img&limit=20')).body.results.items as {
      id: string
      kind: string
    }[]
    const method = found.find((one) => one.kind === 'method')?.id ?? ''
    await its.viewer.send('POST', '/api/trails', {
      name: markup,
      note: `${markup}${rightToLeft}`,
      hops: [{ id: method }],
    })
    const addresses = [
      '#/',
      href('home', '', { q: 'img' }),
      href('home', '', { q: markup }),
      href('symbol', method),
      ...files.map((file) => href('file', file)),
      ...files.map((file) => href('files', file)),
      href('map', '', { root: 'src' }),
      href('flow', '', { from: 'start', to: 'helper' }),
      href('flow', '', { from: markup, to: 'helper' }),
      '#/entry',
      '#/dead',
      '#/trails',
      '#/text?q=%3C',
      `#/s/${encodeURIComponent(markup)}`,
    ]

    for (const address of addresses) {
      await screen.go(address)
      expect(await page.locator('img, script:not([src]), svg[onload]').count(), address).toBe(0)
      expect(await page.title(), address).not.toBe('1')
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), address).toBe(true)
    }
    expect(await screen.troubles()).toEqual([])

    await screen.go(href('flow', '', { from: 'start', to: 'helper' }))
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'SVG' }).click(),
    ])
    const picture = readFileSync(await download.path(), 'utf8')
    expect(picture).toMatch(/&(lt|#60);/)
    expect(picture).not.toMatch(/<script|<svg onload/)
  })
})
