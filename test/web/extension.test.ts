/** Our extension in the real browser: nothing is sent without a yes, and what is sent is what the service can open. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest'
import { knownSites } from '../../scripts/known-sites.ts'
import { cookiePushBody, cookiePushDone } from '../../workers/app/contract/cookie-push.ts'
import { cookiesInPush, openingOf, pushKey } from '../../workers/app/core/cookie-push.ts'
import { chromiumPart } from '../support/chromium.ts'
import { until } from '../support/daemon-process.ts'

const source = path.join(import.meta.dirname, '../../extension')
const uuid = 'jNp1T2qZ6shwVW9VmjLvp1'
const password = 'correct horse battery staple'

interface Push {
  readonly userAgent: string
  readonly cookies: Readonly<Record<string, string>>
}
const pushes: Push[] = []
let status = 200
let service: Server
let site: Server
let folder: string
let context: BrowserContext
let id: string

const portOf = (server: Server) => (server.address() as AddressInfo).port
async function listening(server: Server): Promise<Server> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return server
}

/** As the service opens a push. */
async function opened(body: unknown): Promise<Readonly<Record<string, string>>> {
  const { encrypted, crypto_type: seal, uuid: by } = cookiePushBody.parse(body)
  const opening = openingOf(seal, Uint8Array.from(Buffer.from(encrypted, 'base64')), pushKey(by, password))
  if (opening === undefined) throw new Error('it is no push')
  const { key, iv, text } = opening
  const secret = await crypto.subtle.importKey('raw', key, 'AES-CBC', false, ['decrypt'])
  const plain = await crypto.subtle.decrypt({ name: 'AES-CBC', iv }, secret, text)
  const cookies = cookiesInPush(new TextDecoder().decode(plain), 100) ?? []
  return Object.fromEntries(cookies.map(({ name, value }) => [name, value]))
}

beforeAll(async () => {
  service = await listening(
    createServer(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      if (request.method === 'POST' && request.url === '/api/cookies/update' && status === 200) {
        const cookies = await opened(JSON.parse(Buffer.concat(parts).toString()))
        pushes.push({ userAgent: request.headers['user-agent'] ?? '', cookies })
      }
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(cookiePushDone))
    }),
  )
  site = await listening(
    createServer((request, response) => {
      // What the browser asks for by itself changes no cookie.
      if (!request.url?.match(/^\/(?:\?|$)/)) return void response.writeHead(404).end()
      const value = new URL(request.url ?? '/', 'http://site').searchParams.get('as') ?? 'first'
      response
        .writeHead(200, {
          'content-type': 'text/html',
          'set-cookie': [`c_secure_pass=${value}; HttpOnly; Max-Age=9999`, 'lang=en'],
        })
        .end('<title>site</title><a href="logout.php">x</a>')
    }),
  )
  folder = mkdtempSync(path.join(tmpdir(), 'wharf-extension-'))
  // The browser's own question cannot be answered by a program: here it was answered with yes before.
  cpSync(source, path.join(folder, 'extension'), { recursive: true })
  const file = path.join(folder, 'extension/manifest.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...manifest, host_permissions: ['http://127.0.0.1/*'] }))
  context = await open('en-GB')
}, 60_000)

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
  service?.close()
  site?.close()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

beforeEach(() => {
  pushes.length = 0
  status = 200
})

const siteAddress = () => `http://127.0.0.1:${portOf(site)}/`

async function popup(page = siteAddress()): Promise<Page> {
  const opened = await context.newPage()
  await opened.goto(`chrome-extension://${id}/popup.html?page=${encodeURIComponent(page)}`)
  await opened.locator('#state').filter({ hasText: /./ }).waitFor()
  return opened
}

async function setUp(page: Page): Promise<void> {
  const details = page.locator('#settings')
  if ((await details.getAttribute('open')) === null) await page.locator('summary').click()
  await page.locator('[name=address]').fill(`http://127.0.0.1:${portOf(service)}`)
  await page.locator('[name=uuid]').fill(uuid)
  await page.locator('[name=password]').fill(password)
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
    expect(pushes).toEqual([])

    await page.locator('#yes').click()
    await page.locator('#no').waitFor()
    await page.locator('#state').filter({ hasText: 'Sent' }).waitFor()
    expect(pushes.map(({ cookies }) => cookies)).toEqual([{ c_secure_pass: 'first', lang: 'en' }])
    expect(pushes[0]?.userAgent).toBe(await tab.evaluate(() => navigator.userAgent))

    // What the site changed goes by itself; the alarm that waits half a minute is rung here.
    await tab.goto(`${siteAddress()}?as=second`)
    const worker = context.serviceWorkers()[0]
    await until('the alarm', async () => (await worker?.evaluate("chrome.alarms.get('soon')")) ?? undefined)
    await worker?.evaluate("chrome.alarms.create('soon', { when: Date.now() })")
    await until('the second push', async () => pushes[1], 40_000)
    expect(pushes[1]?.cookies).toEqual({ c_secure_pass: 'second', lang: 'en' })

    // And no more after a no.
    await page.locator('#no').click()
    await page.locator('#no').waitFor({ state: 'hidden' })
    pushes.length = 0
    const word = await worker?.evaluate("chrome.storage.local.get('hosts')")
    expect(word).toEqual({ hosts: [] })
    await page.close()
    await tab.close()
  })

  test('says that the service refuses, and keeps no password', async ({ expect }) => {
    status = 401
    const page = await popup()
    await page.locator('#yes').click()
    await page.locator('#state').filter({ hasText: 'does not take it' }).waitFor()

    const kept = JSON.stringify(await context.serviceWorkers()[0]?.evaluate('chrome.storage.local.get()'))
    expect(kept).toContain(uuid)
    expect(kept).not.toContain(password)
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
