/** Colours are judged once for each kind of text, and none that cannot be read passes because of it. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { axeFindings, chromiumPart, launchChromiumShell, openPage, type TestBrowser } from '../support/chromium.ts'

const page = (body: string) => `<!doctype html><html lang="en"><title>Quay</title><style>
  body { background: #fff; color: #111 }
  .behind { position: absolute; inset: 0; background: #222 }
  .over { position: relative }
  @media (prefers-color-scheme: dark) { .note { color: #555 } body { background: #111; color: #eee } }
</style><main><h1>Quay</h1>${body}</main>`

/** What is found beside a text of the same words that is well to be read and comes before it. */
const unreadable: readonly (readonly [how: string, body: string])[] = [
  ['of another colour', '<p>Sailing</p><p style="color: #ccc">Sailing</p>'],
  ['smaller', '<p style="font-size: 24px; color: #888">Sailing</p><p style="color: #888">Sailing</p>'],
  [
    'thinner',
    '<p style="font: bold 19px serif; color: #888">Sailing</p><p style="font: 19px serif; color: #888">Sailing</p>',
  ],
  ['on another ground', '<p>Sailing</p><p style="background: #333">Sailing</p>'],
  [
    'on a ground around its own',
    '<div><div><p>Sailing</p></div></div><div style="background: #333"><div><p>Sailing</p></div></div>',
  ],
  ['seen through', '<div><div><p>Sailing</p></div></div><div style="opacity: 0.2"><div><p>Sailing</p></div></div>'],
  [
    'over what lies behind it',
    '<p>Sailing</p><div class="over"><div class="behind"></div><p class="over">Sailing</p></div>',
  ],
]

describe.skipIf(chromiumPart.isMissing)(`colours that are judged once ${chromiumPart.skipNote}`, () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await launchChromiumShell()
  })
  afterAll(() => browser?.close())

  test.for(unreadable)('text that is %s than one that was read is found', async ([, body], { expect }) => {
    const { page: shown, context } = await openPage(browser)
    await shown.setContent(page(body.replace(/(.*)<p/, '$1<p id="faint"')))
    const found = await axeFindings(shown)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(/^color-contrast: .*#faint/)
    await context.close()
  })

  test('what was read in light is read again in dark, and what is found is found again', async ({ expect }) => {
    const { page: shown, context } = await openPage(browser)
    await shown.setContent(page('<p class="note">Sailing</p>'))
    expect(await axeFindings(shown)).toEqual([])
    await shown.emulateMedia({ colorScheme: 'dark' })
    for (let times = 0; times < 2; times += 1) expect(await axeFindings(shown)).toHaveLength(1)
    await context.close()
  })
})
