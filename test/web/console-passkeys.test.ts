// @module-tag slow
/** Passkeys in Chromium on the real Worker: the browser's own virtual authenticator adds them and signs in with them. */
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import {
  axeFindings,
  chromiumPart,
  launchChromiumShell,
  openPage,
  policyViolations,
  type TestBrowser,
  type WatchedPage,
} from '../support/chromium.ts'
import { type OwnHost, ownerPassword, setUpOwner, startOwnHost } from '../support/own-host.ts'

describe.skipIf(chromiumPart.isMissing)(`passkeys on the console ${chromiumPart.skipNote}`, () => {
  let browser: TestBrowser
  let host: OwnHost
  let watched: WatchedPage
  let authenticator: Authenticator
  /** Browsers keep passkeys for names, and for no address of numbers. */
  let site: string

  beforeAll(async () => {
    host = await startOwnHost()
    site = host.address.replace('127.0.0.1', 'localhost')
    browser = await launchChromiumShell()
    watched = await openPage(browser)
    authenticator = await plugIn(watched.page)
    await setUpOwner(watched.page, host.setupLink?.replace('127.0.0.1', 'localhost'))
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await host?.close()
  })

  const passkeySection = () =>
    watched.page.locator('section', { has: watched.page.getByRole('heading', { name: 'Passkeys' }) })
  const rows = () => passkeySection().locator('tbody tr')

  async function add(name: string): Promise<void> {
    await passkeySection().getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = watched.page.getByRole('dialog')
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  }

  async function signOut(): Promise<void> {
    await watched.page.context().clearCookies()
    await watched.page.goto(`${site}/#/sign-in`)
    await watched.page.reload()
    await watched.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  }

  test('one is added with a name, is told from others, and nothing of it was fetched before', async ({ expect }) => {
    const { page } = watched
    const fetched: string[] = []
    page.on('request', (request) => fetched.push(request.url()))
    await page.goto(`${site}/#/settings`)
    await passkeySection().waitFor()
    expect(fetched.filter((url) => /passkeys-[\w-]+\.js/.test(url))).toEqual([])

    await add('laptop')

    await rows().filter({ hasText: 'laptop' }).waitFor()
    expect(fetched.filter((url) => /passkeys-[\w-]+\.js/.test(url))).toHaveLength(1)
    expect(await rows().innerText()).toMatch(/laptop\s+localhost\s+Never/)
    const [kept] = await authenticator.credentials()
    expect(kept).toMatchObject({ rpId: 'localhost', isResidentCredential: true, userName: 'admin' })
    expect(await axeFindings(page)).toEqual([])
  })

  test('the same authenticator has it already', async () => {
    await add('again')
    await watched.page.getByText('This device has a passkey already.').waitFor()
    await watched.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  })

  test('it signs in without a password, and again', async ({ expect }) => {
    const { page } = watched
    for (const _ of ['once', 'again']) {
      await signOut()
      expect(await axeFindings(page)).toEqual([])
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
    }
    const [kept] = await authenticator.credentials()
    expect(kept?.signCount).toBeGreaterThan(1)
  })

  test('whom the authenticator does not know it signs in neither, and the password goes on to', async () => {
    const { page } = watched
    await signOut()
    await authenticator.knowsOwner(false)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('No passkey signed you in.').waitFor()
    await authenticator.knowsOwner(true)
    await page.getByLabel('Password').fill(ownerPassword)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
  })

  test('it is renamed and removed, in Chinese as well, and then it is offered no more', async ({ expect }) => {
    const { page } = watched
    await page.goto(`${site}/#/settings`)
    await page.getByRole('button', { name: '中文' }).click()
    const section = page.locator('section', { has: page.getByRole('heading', { name: '通行密钥' }) })
    await section.getByRole('button', { name: '改名 laptop' }).click()
    await page.getByRole('dialog').getByLabel('名称').fill('书房')
    await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
    await section.getByRole('button', { name: '删除 书房' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
    await expect.poll(() => section.locator('tbody tr').count()).toBe(0)
    await page.getByRole('button', { name: 'English' }).click()

    await signOut()
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0)
    expect(await page.evaluate('document.querySelectorAll("button.primary").length')).toBe(1)
  })

  test('under an address of numbers the page says why there is none', async () => {
    const { page } = watched
    await page.goto(`${host.address}/#/sign-in`)
    await page.getByLabel('Password').fill(ownerPassword)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.goto(`${host.address}/#/settings`)
    await passkeySection().getByText('Browsers keep no passkeys for an address of numbers.').waitFor()
  })

  test('everything signed out ends this browser too', async ({ expect }) => {
    const { page } = watched
    await page.getByRole('button', { name: 'Sign everything out…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect((await page.context().cookies(host.address)).filter(({ name }) => name.includes('session'))).toEqual([])
    expect(watched.troubles).toEqual([])
    expect(await policyViolations(page)).toEqual([])
  })
})

interface Authenticator {
  credentials(): Promise<{ readonly rpId?: string; readonly signCount: number }[]>
  /** Whether who touches it is its owner. */
  knowsOwner(isOwner: boolean): Promise<void>
}

/** One that is built in, keeps what it makes and is touched at once. */
async function plugIn(page: Page): Promise<Authenticator> {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    knowsOwner: async (isOwner) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isOwner })
    },
  }
}
