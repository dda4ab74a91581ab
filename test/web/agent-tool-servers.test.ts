// @module-tag slow
/** Tool servers on the agent's page, wide and on a phone: the owner signs in at one, from this machine and from another. */
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { startTestServer } from '../support/agent-server.ts'
import { axeFindings, chromiumPart, launchChromium, openPage } from '../support/chromium.ts'
import { startFakeToolEndpoint } from '../support/fake-tool-endpoint.ts'
import { startStandInAuthorization } from '../support/stand-in-authorization.ts'

const pagesFolder = path.resolve(import.meta.dirname, '../../dist/web/agent')

describe.skipIf(chromiumPart.isMissing)(`the page ${chromiumPart.skipNote}`, { timeout: 120_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  test('shows who asks for a sign-in, takes its owner there, and what he may do after it', async ({
    expect,
    onTestFinished,
  }) => {
    let resource = ''
    const authorization = await startStandInAuthorization({ resource: () => resource })
    const endpoint = await startFakeToolEndpoint({
      transport: 'stream',
      authorization: (sent) => (authorization.accepts(sent) ? 'good' : 'none'),
      authorizationServers: [authorization.issuer],
    })
    resource = endpoint.url
    const mcp = { far: { type: 'remote', url: endpoint.url }, gone: { type: 'local', command: ['no-such-program'] } }
    const server = await startTestServer({ pagesFolder, config: { mcp }, logger: { error: () => undefined } })
    onTestFinished(async () => {
      await server.close()
      await endpoint.close()
      await authorization.close()
    })
    const { page, context, troubles } = await openPage(browser)
    onTestFinished(() => context.close())
    await page.goto(server.address)
    const section = page.getByRole('region', { name: 'Tool servers' })
    await section.getByText('asks for a sign-in').waitFor()
    await section.getByText('cannot be used').waitFor()

    await section.getByRole('button', { name: 'Sign in at far' }).click()
    const opened = context.waitForEvent('page')
    await section.getByRole('link', { name: /^Go on at / }).click()
    const other = await opened
    await other.getByText('Signed in.').waitFor()
    await section.getByText('5 tools').waitFor()
    expect(await axeFindings(page)).toEqual([])

    await page.setViewportSize({ width: 390, height: 844 })
    await section.getByRole('button', { name: 'Sign out of far' }).click()
    await section.getByRole('button', { name: 'Sign in at far' }).click()
    const address = await section.getByRole('link', { name: /^Go on at / }).getAttribute('href')
    const back = (await fetch(address ?? '', { redirect: 'manual' })).headers.get('location') ?? ''
    await section.getByLabel(/address at which it ended/).fill(back)
    expect(await axeFindings(page)).toEqual([])
    await section.getByRole('button', { name: 'Finish' }).click()
    await section.getByText('5 tools').waitFor()
    expect(troubles).toEqual([])
  })
})
