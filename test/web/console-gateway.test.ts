/** The gateway's page in Chromium on the real Worker, with the stand-in of the provider behind it. */
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type ChatStandIn, startChatStandIn } from '../support/chat-stand-in.ts'
import {
  axeFindings,
  chromiumPart,
  launchChromiumShell,
  openPage,
  type TestBrowser,
  type WatchedPage,
} from '../support/chromium.ts'
import { type FakeBedrock, startFakeBedrock } from '../support/fake-bedrock.ts'
import { environmentFor, sonnet, testKey } from '../support/gateway-under-test.ts'
import { type OwnHost, setUpOwner, startOwnHost } from '../support/own-host.ts'
import { ourEnglish, textsOn } from '../support/page-texts.ts'

const pictures = process.env['WHARF_PICTURES']

describe.skipIf(chromiumPart.isMissing)(`the gateway's page ${chromiumPart.skipNote}`, () => {
  let browser: TestBrowser
  let bedrock: FakeBedrock
  let north: ChatStandIn
  let host: OwnHost
  let watched: WatchedPage

  beforeAll(async () => {
    bedrock = await startFakeBedrock()
    north = await startChatStandIn()
    host = await startOwnHost({
      ...environmentFor(bedrock),
      PROVIDERS: JSON.stringify({ north: { address: north.url, key: north.key, prices: 'free' } }),
      MODEL_ROUTES: JSON.stringify({ code: [{ model: 'north/small-1' }, { model: sonnet }] }),
      AWS_MAX_RETRY_ATTEMPTS: '1',
    })
    browser = await launchChromiumShell()
    watched = await openPage(browser)
    const { page } = watched
    await setUpOwner(page, host.setupLink)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await host?.close()
    await bedrock?.close()
    await north?.close()
  })

  async function ask(secret: string, more: object = {}): Promise<number> {
    const answer = await fetch(`${host.address}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ model: sonnet, max_tokens: 500, messages: [{ role: 'user', content: 'hi' }], ...more }),
    })
    await answer.text()
    return answer.status
  }
  const picture = async (page: Page, name: string) => {
    if (pictures !== undefined) await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true })
  }

  /** The language of the page is offered in its own words. */
  const inChinese = async (page: Page) =>
    (await textsOn(page)).filter((text) => text !== '中文' && /\p{Script=Han}/u.test(text))

  test('a key is made, used, seen in the figures, changed, renewed, revoked and removed', async ({ expect }) => {
    const { page, troubles } = watched
    await page.goto(`${host.address}/#/gateway`)
    await page.getByText('No keys yet').waitFor()
    // Nobody knows how a provider is that was never asked.
    await expect.poll(() => page.locator('.provs').innerText()).toMatch(/^north\s+Not asked in the last two hours/)
    await page.locator('.empty').getByRole('link', { name: 'New key' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Laptop <b>CLI</b>')
    await page.getByLabel('Models it may use').fill('us.anthropic.claude-sonnet-*')
    await page.getByLabel('Budget a day, $').fill('6')
    await page.getByLabel('Budget a month, $').fill('5')
    expect(await page.getByText('More than the budget of the month.').count()).toBe(1)
    await page.getByLabel('Budget a day, $').fill('nothing')
    await page.getByRole('button', { name: 'Make key' }).click()
    await page.getByText('A number above 0, or nothing.').waitFor()
    await page.getByLabel('Budget a day, $').fill('2')
    await page.getByLabel('Requests a minute').fill('30')
    await page.getByRole('button', { name: 'Make key' }).click()
    const secret = await page.getByLabel('Secret', { exact: true }).last().inputValue()
    expect(secret).toMatch(/^wgk_/)
    await picture(page, 'gateway-new-key')
    expect(await inChinese(page)).toEqual([])

    expect([await ask(secret), await ask(secret, { stream: true }), await ask(testKey)]).toEqual([200, 200, 200])
    expect(await ask(secret, { model: 'us.anthropic.claude-opus-4-6-v1' })).toBe(403)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('heading', { name: 'Laptop <b>CLI</b>' }).waitFor()
    await expect.poll(() => page.locator('table.kmod tbody tr').innerText()).toMatch(/\s2\s/)
    expect(await page.locator('.quota').first().innerText()).toContain('of 30')
    await expect.poll(() => page.locator('table.tail tbody tr').count()).toBe(2)
    await page.getByRole('button', { name: 'Provider', exact: true }).click()
    expect(await page.locator('table.kmod').first().innerText()).toContain('bedrock')
    await page.getByRole('button', { name: 'Tokens', exact: true }).click()
    await page.getByText('As a table').click()
    expect(await page.locator('details.as-table tbody tr').first().innerText()).toMatch(/Nov\s+\d+\s+\d+/)
    expect(await page.locator('main').innerText()).toMatch(/Tokens by kind\s+input, not cached\s+\d+/)
    expect(await axeFindings(page)).toEqual([])
    expect(await page.locator('main').innerText()).toContain('0 refused.\n')
    await picture(page, 'gateway-key')
    expect(await inChinese(page)).toEqual([])
    await page.getByLabel('Tokens a minute').fill('400,000')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await expect.poll(() => page.locator('.quota').first().innerText()).toContain('of 400,000')
    await page.getByLabel('Requests a minute').fill('1')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => page.locator('.quota').first().innerText()).toContain('of 1')
    expect([await ask(secret), await ask(secret)]).toContain(429)
    await page.getByText('Requests of the minute').first().waitFor()
    await picture(page, 'gateway-key-errors')
    await page.getByLabel('Requests a minute').fill('30')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => page.locator('.quota').first().innerText()).toContain('of 30')
    // Of a caller on the same machine the service does not know an address.
    await page.getByLabel('Addresses it opens for').fill('203.0.113.0/24, nowhere')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('textarea[aria-invalid]').waitFor()
    await page.getByLabel('Addresses it opens for').fill('203.0.113.0/24')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('textarea[aria-invalid]').waitFor({ state: 'detached' })
    await expect.poll(() => ask(secret)).toBe(403)
    await page.getByText('From another address').first().waitFor({ timeout: 20_000 })
    expect(await axeFindings(page)).toEqual([])
    await page.getByLabel('Addresses it opens for').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => ask(secret)).toBe(200)
    expect(await ask(secret, { model: 'code' })).toBe(403)
    await page.getByRole('checkbox', { name: /^code small-1/ }).check()
    expect(await page.getByLabel('Models it may use').inputValue()).toBe('code\nus.anthropic.claude-sonnet-*')
    await page.getByRole('checkbox', { name: 'Keep requests and answers for 24 hours' }).check()
    await page.getByText('Whoever can open this page can then read').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    // Answered once the key is stored as it was saved; what is said from then on is kept.
    await expect.poll(() => ask(secret, { model: 'code' })).toBe(200)
    expect(await ask(secret, { messages: [{ role: 'user', content: 'a word <b>to</b> find' }] })).toBe(200)
    const kept = page.getByRole('button', { name: 'What was said' })
    await expect.poll(() => kept.count(), { timeout: 20_000 }).toBe(2)
    await kept.first().click()
    const said = page.getByRole('region', { name: 'What was said' })
    await said.getByText('a word <b>to</b> find').first().waitFor()
    expect(await said.locator('pre').last().innerText()).toContain('chat.completion')
    expect(await axeFindings(page)).toEqual([])
    await picture(page, 'gateway-key-said')
    await said.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('checkbox', { name: 'Keep requests and answers for 24 hours' }).uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'What was said' }).first().waitFor({ state: 'detached', timeout: 20_000 })
    await page.getByRole('button', { name: 'New secret' }).click()
    const renewed = await page.getByLabel('Secret', { exact: true }).last().inputValue()
    expect(renewed).not.toBe(secret)
    expect([await ask(secret), await ask(renewed)]).toEqual([200, 200])
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByText(/^The old secret works until \d/).waitFor()
    const ofSecret = `**/gateway/keys/${renewed.split('_')[1]}/secret`
    await page.route(ofSecret, (route) => route.fulfill({ status: 503, json: { error: 'unavailable', message: '' } }))
    await page.getByRole('button', { name: 'End the old one now' }).click()
    await page.locator('.note.bad').waitFor()
    expect(await ask(secret)).toBe(200)
    await page.unroute(ofSecret)
    await page.getByRole('button', { name: 'End the old one now' }).click()
    await page.getByRole('button', { name: 'End the old one now' }).waitFor({ state: 'detached' })
    expect([await ask(secret), await ask(renewed)]).toEqual([401, 200])

    await page.getByRole('link', { name: 'Gateway', exact: true }).first().click()
    await page.locator('table.gkeys').waitFor()
    expect(await page.locator('table.gkeys').innerText()).toContain('us.anthropic.claude-sonnet-*')
    await expect.poll(() => page.locator('table.gkeys').innerText()).toContain('Key of the settings')
    await expect.poll(() => page.locator('table.tail').innerText()).toContain('Answered')
    expect(await page.locator('main .key').innerText()).toMatch(/claude-sonnet-\S+\s*\$\d/)
    await page.getByRole('button', { name: 'Key', exact: true }).click()
    expect(await page.locator('main .key').innerText()).toMatch(/Laptop <b>CLI<\/b>\s*\$\d[\s\S]*Key of the settings/)
    // As fine as the median beside it, and as the table below.
    expect(await page.locator('dl.figures').innerText()).toMatch(/19 of 20 within \d+\.\d\d s/)
    expect(await axeFindings(page)).toEqual([])
    await picture(page, 'gateway')
    expect(await inChinese(page)).toEqual([])
    await ask(renewed)
    await expect.poll(() => page.locator('table.tail tbody tr').count(), { timeout: 20_000 }).toBeGreaterThan(6)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Go on' }).waitFor()

    await page.locator('table.gkeys a').first().click()
    await page.getByRole('button', { name: 'Revoke…' }).click()
    await page.locator('dialog .btn.danger').click()
    await page.getByRole('button', { name: 'Remove…' }).waitFor()
    expect(await ask(renewed)).toBe(401)
    await page.getByRole('button', { name: 'Remove…' }).click()
    await page.locator('dialog .btn.danger').click()
    await page.getByRole('heading', { name: 'Gateway' }).first().waitFor()
    await expect.poll(() => page.locator('table.gkeys').innerText(), { timeout: 20_000 }).not.toContain('Laptop')
    expect(troubles).toEqual([])
  })

  test('a request that fell over shows who was asked', async ({ expect }) => {
    const { page } = watched
    north.next(503)
    expect(await ask(testKey, { model: 'code' })).toBe(200)
    await page.goto(`${host.address}/#/gateway`)
    await page.getByText('2 tries').click()
    const tries = page.locator('.tries li')

    await expect
      .poll(() => tries.allInnerTexts(), { timeout: 20_000 })
      .toEqual([
        expect.stringMatching(/^north small-1 Provider failed /),
        expect.stringMatching(new RegExp(`^bedrock ${sonnet} Answered `)),
      ])
    expect(await axeFindings(page)).toEqual([])
    await picture(page, 'gateway-tries')
    expect(await inChinese(page)).toEqual([])
    await page.getByRole('button', { name: '90 days' }).click()
    await page.getByRole('button', { name: 'Year' }).click()
    await page.getByRole('heading', { name: 'Cost per month' }).waitFor()
    await expect
      .poll(() => page.locator('.provs').innerText(), { timeout: 20_000 })
      .toMatch(/bedrock\s+In use[\s\S]*north\s+In use/)
    await page.getByRole('img', { name: /five minutes: \d+ answered, 1 failed$/ }).waitFor()
    await picture(page, 'gateway-year')
  })

  test('the routes show order, shares, what fell back, and who is held back', async ({ expect }) => {
    const { page, troubles } = watched
    await page.goto(`${host.address}/#/gateway/routes`)
    await page.getByRole('heading', { name: 'A request that fell back' }).waitFor()
    const steps = await page.locator('table.steps').innerText()
    for (let failed = 0; failed < 4; failed += 1) {
      north.next(503)
      await ask(testKey, { model: 'code', stream: true })
    }
    await page.reload()
    await page.getByText(/^north is held back until /).waitFor()
    await page.locator('.routes').getByText('1 of 2 models held back').waitFor()
    const streamed = page.locator('section', { hasText: 'A request that fell back' }).last()
    await streamed.getByText(/^The client saw the first token after \d+\.\d\d\ss · \$\d/).waitFor()
    const bars = await streamed
      .locator('.tl-s')
      .evaluateAll((all) => all.map((one) => [...one.children].map((bar) => bar.getAttribute('class'))))
    expect(bars).toEqual([['fail'], ['wait', 'got']])
    await page.goto(`${host.address}/#/gateway`)
    await page.getByText('When that time is over one request decides.').waitFor()
    const strip = await page.locator('.provs li', { hasText: 'north' }).locator('.pulse').getAttribute('aria-label')
    expect(await axeFindings(page)).toEqual([])
    await picture(page, 'gateway-held')
    await page.getByRole('button', { name: 'Try now: north' }).click()
    await page.locator('.provs').getByText('The next call decides').waitFor()
    north.next(503)
    await ask(testKey, { model: 'code' })
    await page.goto(`${host.address}/#/gateway/routes`)
    await page.getByText(/^north is held back until /).waitFor()
    expect(strip).toMatch(/: 0 answered, 5 failed$/)

    expect(steps).toMatch(/Step 1[\s\S]*small-1 north[\s\S]*alone[\s\S]*Step 2 when no model of step 1 answers/)
    expect(await page.locator('ol.trace li').allInnerTexts()).toEqual([
      expect.stringMatching(/^1. small-1 north\s+Provider failed/),
      expect.stringMatching(/^2. .* bedrock\s+Answered/),
    ])
    expect(await axeFindings(page)).toEqual([])
    expect(troubles).toEqual([])
    await picture(page, 'gateway-routes')
    expect(await inChinese(page)).toEqual([])
  })

  test('a route is tried, saved, in effect, changed, put back, and removed', async ({ expect }) => {
    const { page, troubles } = watched
    await page.goto(`${host.address}/#/gateway/routes`)
    await page.getByText('Of the setting MODEL_ROUTES').waitFor()
    await page.getByRole('button', { name: 'New route' }).click()
    await page.getByLabel('Name', { exact: true }).fill('code')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('There is a route of this name.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('draft')
    await page.getByLabel('Model', { exact: true }).fill('north/small-1')
    await page.getByRole('button', { name: 'Add model' }).click()
    await page.getByLabel('Model', { exact: true }).nth(1).fill(sonnet)
    await page.getByLabel('First token within, s').fill('9')
    await page.getByLabel('refuses its own key').uncheck()
    await page.getByLabel('The cheapest model of a step first').check()
    await page.getByLabel('Message').fill('hello')
    await page.getByLabel('Tokens at most').fill('1,000')
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.locator('table.trial').waitFor()
    const trial = await page.locator('table.trial tbody tr').allInnerTexts()
    expect(await axeFindings(page)).toEqual([])
    await picture(page, 'gateway-route-form')
    expect(await inChinese(page)).toEqual([])
    const before = await ask(testKey, { model: 'draft' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'draft' }).waitFor()
    const saved = await ask(testKey, { model: 'draft' })
    await page.getByText('has no first token of a streamed answer within 9 s').waitFor()
    await picture(page, 'gateway-route-saved')
    const told = await fetch(`${host.address}/api/v1/admin/routing`, {
      headers: { authorization: `Bearer ${testKey}` },
    })
    expect(await told.json()).toMatchObject({
      routes: expect.arrayContaining([expect.objectContaining({ name: 'draft', cheapest_first: true })]),
    })

    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByRole('button', { name: 'Leave model 2 out' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('1 model, 1 step.').waitFor()
    // The list of changes is read apart: until it is there, the first one to put back is that the route was made.
    await page.locator('.rchanges li').nth(1).waitFor()
    await page.getByRole('button', { name: 'Put back' }).first().click()
    await page.getByText('2 models, 2 steps.').waitFor()
    await page.getByRole('button', { name: 'Remove…' }).click()
    await page.locator('dialog .btn.danger').click()
    await expect.poll(() => page.locator('.rchanges li').allInnerTexts()).toHaveLength(4)
    const after = await ask(testKey, { model: 'draft' })

    // Held back since the test before: a trial knows it, and so does the request.
    expect(trial).toEqual([
      expect.stringMatching(/^1. small-1 north\s+Passed over: held back/),
      expect.stringMatching(/^2. .* bedrock\s+Asked\s/),
    ])
    expect([before, saved, after]).toEqual([400, 200, 400])
    expect(await page.locator('.rchanges').innerText()).toMatch(/removed:[\s\S]*changed:[\s\S]*changed:[\s\S]*made:/)
    expect(await axeFindings(page)).toEqual([])
    expect(troubles).toEqual([])
  })

  test('the figures are saved as a table', async ({ expect }) => {
    const { page } = watched
    await ask(testKey)
    await page.goto(`${host.address}/#/gateway`)
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const table = await (await saved.createReadStream()).toArray()

    expect(saved.suggestedFilename()).toBe('gateway-usage.csv')
    expect(Buffer.concat(table).toString()).toContain(`,master,API_KEY,bedrock,${sonnet},`)
  })

  test('the page speaks Chinese, and fits a phone', { tags: 'slow' }, async ({ expect }) => {
    const { page, troubles, context } = await openPage(browser, {
      locale: 'zh-CN',
      viewport: { width: 390, height: 844 },
      storageState: await watched.context.storageState(),
    })
    await page.goto(`${host.address}/#/gateway`)
    await page.locator('table.tail').waitFor()
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    // Where a row has no heads above it, a number says what it counts, and a note what it is about is there.
    expect(await page.locator('table.gkeys').innerText()).toMatch(/错误 \d/)
    expect(await page.locator('main').innerText()).not.toContain('秒，流式回答。')
    await picture(page, 'gateway-phone')
    const inEnglish = async () =>
      (await textsOn(page)).filter((text) => /[A-Za-z]{2}/.test(text) && ourEnglish.has(text))

    expect(await page.locator('main').innerText()).toContain('今日费用')
    expect(await inEnglish()).toEqual([])
    expect(width).toBeLessThanOrEqual(390)
    expect(await axeFindings(page)).toEqual([])
    const made = await fetch(`${host.address}/api/v1/admin/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}` },
      body: JSON.stringify({ name: 'phone', requests_per_minute: 30, budget_month_usd: 5 }),
    })
    const { id, secret } = (await made.json()) as { id: string; secret: string }
    await ask(secret, { stream: true })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(`${host.address}/#/gateway/${id}`)
    await page.getByRole('heading', { name: 'token 种类' }).waitFor()
    await page.locator('table.tail tbody tr').first().waitFor()
    await picture(page, 'gateway-key-phone')
    expect(await inEnglish()).toEqual([])
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(await axeFindings(page)).toEqual([])
    await page.goto(`${host.address}/#/gateway/routes`)
    await page.locator('table.steps').waitFor()
    expect(await page.locator('table.steps').innerText()).toMatch(/输入 \$?3\.00 · 输出 \$?15\.00/)
    await picture(page, 'gateway-routes-phone')
    expect(await inEnglish()).toEqual([])
    await page.getByRole('button', { name: '新建路由' }).click()
    await page.getByRole('heading', { name: '一条消息会怎样？' }).waitFor()
    await picture(page, 'gateway-route-form-phone')
    expect(await inEnglish()).toEqual([])
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: '取消' }).click()
    await page.locator('table.steps').waitFor()
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(await axeFindings(page)).toEqual([])
    expect(troubles).toEqual([])
    await context.close()
  })
})
