/**
 * After `npm run build`: `node test/support/take-viewer-pictures.ts [folder]` draws the viewer's pictures of
 * docs/pictures on the sources of an installed package.
 */
import path from 'node:path'
import { href } from '../../local/viewer/web/model/address.ts'
import { formatTrail } from '../../local/viewer/web/model/reading-trail.ts'
import { launchChromium } from './chromium.ts'
import { serveRealProject } from './real-project.ts'
import { openScreen } from './viewer-screen.ts'

const folder = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../../docs/pictures'))
const desk = { viewport: { width: 1440, height: 900 } }
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }
const dark = { colorScheme: 'dark' } as const

const project = await serveRealProject('zod')
const idOf = async (query: string): Promise<string> => {
  const { body } = await project.viewer.get(`/api/search?q=${encodeURIComponent(query)}&limit=1`)
  return body.results.items[0].id
}
const way = [
  { id: await idOf('safeParse path:src/v4/classic/parse kind:constant'), dir: 'start' },
  { id: await idOf('_safeParse path:src/v4/core/parse'), dir: 'down' },
  { id: await idOf('failure path:src/v4/core/parse'), dir: 'down' },
  { id: await idOf('finalizeIssue path:src/v4/core/util'), dir: 'down' },
] as const
const last = way[3].id
const symbol = href('symbol', last, { trail: formatTrail(way) })
const map = href('map', '', { root: 'src/v4' })
const flow = href('flow', '', { from: 'safeParse', to: 'finalizeIssue' })
const pictures = [
  ['home', '#/', desk],
  ['symbol', symbol, desk],
  ['symbol-phone-dark', symbol, { ...phone, ...dark }],
  ['map-dark', map, { ...desk, ...dark }],
  ['map-phone-dark', map, { ...phone, ...dark }],
  ['flow', flow, desk],
  ['flow-phone', flow, phone],
] as const

const browser = await launchChromium()
try {
  for (const [name, address, options] of pictures) {
    const screen = await openScreen(browser, project.viewer.running.address, options)
    // The live channel answers a moment after the page stands.
    await screen.go(address)
    await screen.page.locator('.live:not(.new)').waitFor()
    await screen.page.screenshot({ path: path.join(folder, `viewer-${name}.png`) })
    await screen.close()
  }
} finally {
  await browser.close()
  await project.dispose()
}
