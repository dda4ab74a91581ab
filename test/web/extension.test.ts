// @module-tag slow
/** Our extension in the real browser beside a running Wharf: nothing is sent without a yes, and the site sees what was. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { knownSites } from '../../scripts/known-sites.ts'
import { chromiumPart } from '../support/chromium.ts'
import { consoleSite } from '../support/console-site.ts'
import { until } from '../support/daemon-process.ts'
import { ownerOf, type RunningWharf, startWharf } from '../support/running-wharf.ts'

const source = path.join(import.meta.dirname, '../../extension')
const settings = '/api/console/v1/settings/cookies'

/** What Wharf sent to the site last. */
let seen: { readonly cookies: readonly string[]; readonly userAgent: string | undefined } | undefined
let wharf: RunningWharf
let owner: Readonly<Record<string, string>>
let access: { readonly path: string; readonly uuid: string; readonly password: string }
let site: Server
let folder: string
let context: BrowserContext
let id: string

const siteAddress = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}/`

beforeAll(async () => {
  site = createServer((request, response) => {
    if (request.url?.startsWith('/torrents.php')) {
      const { cookie = '', 'user-agent': userAgent } = request.headers
      seen = { cookies: cookie.split('; ').sort(), userAgent }
      return void response.writeHead(404).end()
    }
    // What the browser asks for by itself changes no cookie.
    if (!request.url?.match(/^\/(?:\?|$)/)) return void response.writeHead(404).end()
    const value = new URL(request.url ?? '/', 'http://site').searchParams.get('as') ?? 'first'
    response
      .writeHead(200, {
        'content-type': 'text/html',
        'set-cookie': [`c_secure_pass=${value}; HttpOnly; Max-Age=9999`, 'lang=en'],
      })
      .end('<title>site</title><a href="logout.php">x</a>')
  })
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  folder = mkdtempSync(path.join(tmpdir(), 'wharf-extension-'))
  // The browser's own question cannot be answered by a program: here it was answered with yes before.
  cpSync(source, path.join(folder, 'extension'), { recursive: true })
  const file = path.join(folder, 'extension/manifest.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...manifest, host_permissions: ['http://127.0.0.1/*'] }))
  ;[wharf, context] = await Promise.all([startWharf(path.join(folder, 'data')), open('en-GB')])
  owner = await ownerOf(wharf)
  access = (await wharf.request('POST', settings, owner, {})).body
  const body = consoleSite('lantern', 'nexusphp', siteAddress(), { cookie: 'c_secure_pass=old' })
  await wharf.request('POST', '/api/console/v1/sites', owner, body)
}, 120_000)

/** What the site sees when Wharf next asks it. */
async function asked(): Promise<typeof seen> {
  seen = undefined
  await wharf.request('POST', '/api/app/v1/search', owner, { keyword: 'planet' })
  return seen
}
const lastPush = async () => (await wharf.request('GET', settings, owner)).body

async function open(locale: string): Promise<BrowserContext> {
  const extension = path.join(folder, 'extension')
  const made = await chromium.launchPersistentContext(mkdtempSync(path.join(folder, 'profile-')), {
    executablePath: chromiumPart.path,
    headless: false,
    locale,
    viewport: { width: 390, height: 600 },
    env: { ...process.env, LANGUAGE: locale.replace('-', '_') },
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      `--lang=${locale}`,
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
    ],
  })
  const worker = made.serviceWorkers()[0] ?? (await made.waitForEvent('serviceworker'))
  id = new URL(worker.url()).host
  return made
}

afterAll(async () => {
  await context?.close()
  await wharf?.stop()
  site?.close()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function popup(page = siteAddress()): Promise<Page> {
  const opened = await context.newPage()
  await opened.goto(`chrome-extension://${id}/popup.html?page=${encodeURIComponent(page)}`)
  await opened.locator('#state').filter({ hasText: /./ }).waitFor()
  return opened
}

async function setUp(page: Page): Promise<void> {
  const details = page.locator('#settings')
  if ((await details.getAttribute('open')) === null) await page.locator('summary').click()
  await page.locator('[name=address]').fill(`${wharf.origin}${access.path}`)
  await page.locator('[name=uuid]').fill(access.uuid)
  await page.locator('[name=password]').fill(access.password)
  await page.locator('#form button').click()
  await page.locator('#site').waitFor()
}

describe('the extension', { timeout: 60_000 }, () => {
  test('knows the sites that the service knows by name', ({ expect }) => {
    expect(readFileSync(path.join(source, 'known-sites.json'), 'utf8')).toBe(knownSites())
  })

  test('asks for no site before its owner says yes', ({ expect }) => {
    const manifest = JSON.parse(readFileSync(path.join(source, 'manifest.json'), 'utf8'))

    expect(manifest.host_permissions).toBeUndefined()
    expect(manifest.permissions).toEqual(['activeTab', 'alarms', 'cookies', 'storage'])
  })

  test('sends nothing before a yes, then what opens the account, and renews it', async ({ expect }) => {
    const tab = await context.newPage()
    await tab.goto(siteAddress())
    const page = await popup()
    expect(await page.locator('#site').isVisible()).toBe(false)
    await setUp(page)
    expect(await lastPush()).toMatchObject({ taken_at: 0 })

    await page.locator('#yes').click()
    await page.locator('#no').waitFor()
    await page.locator('#state').filter({ hasText: 'Sent' }).waitFor()
    expect(await lastPush()).toMatchObject({ renewed: ['lantern'] })
    const [shown] = (await wharf.request('GET', '/api/console/v1/sites', owner)).body.items
    expect(shown).toMatchObject({ name: 'lantern', cookie_from: 'extension' })
    const userAgent = await tab.evaluate(() => navigator.userAgent)
    expect(await asked()).toEqual({ cookies: ['c_secure_pass=first', 'lang=en'], userAgent })

    // What the site changed goes by itself; the alarm that waits half a minute is rung here.
    await tab.goto(`${siteAddress()}?as=second`)
    const worker = context.serviceWorkers()[0]
    await until('the alarm', async () => (await worker?.evaluate("chrome.alarms.get('soon')")) ?? undefined)
    await worker?.evaluate("chrome.alarms.create('soon', { when: Date.now() })")
    await until(
      'the second push',
      async () => (await asked())?.cookies.includes('c_secure_pass=second') || undefined,
      40_000,
    )

    // And no more after a no.
    await page.locator('#no').click()
    await page.locator('#no').waitFor({ state: 'hidden' })
    const word = await worker?.evaluate("chrome.storage.local.get('hosts')")
    expect(word).toEqual({ hosts: [] })
    await page.close()
    await tab.close()
  })

  test('says that the service refuses, and keeps no password', async ({ expect }) => {
    await wharf.request('DELETE', settings, owner, {})
    const page = await popup()
    await page.locator('#yes').click()
    await page.locator('#state').filter({ hasText: 'does not take it' }).waitFor()

    const kept = JSON.stringify(await context.serviceWorkers()[0]?.evaluate('chrome.storage.local.get()'))
    expect(kept).toContain(access.uuid)
    expect(kept).not.toContain(access.password)
    await page.close()
  })

  test('says of a site what the service knows, and nothing of pages without cookies', async ({ expect }) => {
    const known = await popup('https://ourbits.club/torrents.php')
    expect(await known.locator('#site-name').textContent()).toContain('ourbits.club')
    expect(await known.locator('#site-note').textContent()).toContain('Wharf knows this site')
    await known.close()

    const own = await popup('chrome://settings/')
    expect(await own.locator('#site').isVisible()).toBe(false)
    await own.close()
  })

  test('has every text in both languages', ({ expect }) => {
    const namesOf = (language: string) =>
      Object.keys(JSON.parse(readFileSync(path.join(source, '_locales', language, 'messages.json'), 'utf8'))).sort()

    expect(namesOf('zh_CN')).toEqual(namesOf('en'))
  })
})
