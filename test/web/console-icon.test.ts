// @module-tag slow
/** What the browser asks for beside the page: the whole browser, since the engine alone shows no icon. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { chromiumPart, launchChromium, openPage } from '../support/chromium.ts'
import { inventedLibrary } from '../support/invented-library.ts'
import { StandInConsole } from '../support/stand-in-console.ts'

describe.skipIf(chromiumPart.isMissing)(`the icon of the console ${chromiumPart.skipNote}`, () => {
  const standIn = new StandInConsole(inventedLibrary(Math.floor(Date.now() / 1000)))
  const asked: string[] = []
  const serve = standIn.serve.bind(standIn)
  standIn.serve = (request, response) => {
    asked.push(request.url ?? '')
    serve(request, response)
  }
  let browser: Browser

  beforeAll(async () => {
    ;[browser] = await Promise.all([launchChromium(), standIn.start()])
  })
  afterAll(async () => {
    await browser?.close()
    await standIn.stop()
  })

  test('is asked for once, however many screens are shown', async ({ expect }) => {
    const icons = () => asked.filter((address) => address.includes('favicon')).length
    const { page, troubles } = await openPage(browser)
    await page.goto(`${standIn.origin}/#/more`)
    await expect.poll(icons).toBe(1)
    for (const [screen, ready] of [
      ['tasks', 'table.tasks'],
      ['feeds', '.rules'],
      ['tokens', 'table.tokens'],
    ] as const) {
      await page.evaluate(`location.hash = '#/${screen}'`)
      await page.locator(ready).waitFor()
    }
    await page.reload()
    await page.locator('table.tokens').waitFor()
    expect(icons()).toBe(1)
    expect(troubles).toEqual([])
  })
})
