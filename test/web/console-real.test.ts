/** The console in Chromium on the real Worker with a real qBittorrent and a real Transmission: from first run to a deleted torrent. */

import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
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
import type { DownloaderUnderTest } from '../support/downloader-under-test.ts'
import { endServer, listenOnLoopback } from '../support/loopback.ts'
import { makeTorrent } from '../support/make-torrent.ts'
import { modelScript } from '../support/model-script.ts'
import { type OwnHost, ownerPassword, startOwnHost } from '../support/own-host.ts'
import { startQbittorrent } from '../support/qbittorrent-daemon.ts'
import { requireReal } from '../support/real-parts.ts'
import { calls, type StandInModel, startStandInModel } from '../support/stand-in-model.ts'
import { goodMetadataKey, startStandInServices } from '../support/stand-in-services.ts'
import { startTransmission } from '../support/transmission-daemon.ts'

const qbittorrent = requireReal('qbittorrent-nox')
const transmission = requireReal('transmission-daemon')
const missing = [chromiumPart, qbittorrent, transmission].filter((part) => part.isMissing)
const modelKey = 'sk-planted-for-the-model'

const kept = makeTorrent('Harbour.Lights.S03E01.1080p.WEB-DL.x264')
const hostile = makeTorrent(`Kiln & <img src=x onerror=alert(1)> Thread`)
const moved = makeTorrent('灯塔守护者 第 2 季 2160p HLG')

async function addThroughForm(page: Page, downloader: DownloaderUnderTest, name: string): Promise<void> {
  if (downloader.kind === 'transmission') await page.getByRole('radio', { name: /^Transmission/ }).check()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Address', { exact: true }).fill(downloader.settings.baseUrl)
  await page.getByLabel('Username').fill(downloader.settings.username)
  await page.getByLabel('Password', { exact: true }).fill(downloader.settings.password)
}

function rowOf(page: Page, title: string): Locator {
  return page.locator('tbody tr').filter({ has: page.locator(`.row-open[title=${JSON.stringify(title)}]`) })
}

describe.skipIf(missing.length > 0)(
  `the console on the real Worker ${missing.map((part) => part.skipNote).join(' ')}`,
  () => {
    let browser: TestBrowser
    let host: OwnHost
    let qb: DownloaderUnderTest
    let tr: DownloaderUnderTest
    let model: StandInModel
    let watched: WatchedPage

    beforeAll(async () => {
      host = await startOwnHost()
      ;[qb, tr, model, browser] = await Promise.all([
        startQbittorrent(qbittorrent.path),
        startTransmission(transmission.path),
        startStandInModel(),
        launchChromiumShell(),
      ])
      await qb.add(kept, { hasData: true, isPaused: false })
      await qb.add(hostile, { hasData: true, isPaused: false })
      await tr.add(moved, { hasData: true, isPaused: false })
      watched = await openPage(browser)
    }, 120_000)

    afterAll(async () => {
      await browser?.close()
      await host?.close()
      await Promise.all([qb?.dispose(), tr?.dispose(), model?.stop()])
    })

    test('the page and its files come with the strict headers', async ({ expect }) => {
      for (const file of ['/', '/theme.js', '/some/unknown/place']) {
        const { headers, status } = await fetch(`${host.address}${file}`)
        expect(status).toBe(200)
        expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/)
        expect(headers.get('x-content-type-options')).toBe('nosniff')
        expect(headers.get('referrer-policy')).toBe('no-referrer')
      }
      const api = await fetch(`${host.address}/api/console/v1/unknown`)
      expect(api.headers.get('content-type')).toContain('application/json')
    })

    test('first run: the one-time link sets the password and leads to the first downloader', async ({ expect }) => {
      const { page } = watched
      if (host.setupLink === undefined) throw new Error('a first start prints a set-up link')
      await page.goto(host.setupLink)
      await page.getByLabel('Password', { exact: true }).fill(ownerPassword)
      await page.getByLabel('Password again').fill(ownerPassword)
      expect(page.url()).not.toContain('code')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Add a downloader' }).waitFor()

      await addThroughForm(page, qb, 'nas-1')
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await page.getByRole('button', { name: 'Test connection' }).click()
      await page.getByText('Not reachable').waitFor()
      expect(await page.locator('.checks').innerText()).toContain('Wrong user name or password')
      await page.getByLabel('Password', { exact: true }).fill(qb.settings.password)
      await page.getByRole('button', { name: 'Test again' }).click()
      await page.locator('.checks').getByText('Reachable', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Add and continue' }).click()
      await rowOf(page, kept.name).getByText('Seeding').waitFor()
    })

    test('the link works once', async ({ expect }) => {
      const { page, context } = await openPage(browser)
      await page.goto(host.setupLink ?? '')
      await page.getByLabel('Password', { exact: true }).fill('quite another password')
      await page.getByLabel('Password again').fill('quite another password')
      await page.keyboard.press('Enter')
      expect(await page.getByRole('alert').innerText()).toContain('This link was used before')
      await context.close()
    })

    test('a Transmission is added beside it, and both lists stand together', async ({ expect }) => {
      const { page } = watched
      await page.getByRole('link', { name: 'Downloaders' }).first().click()
      await page.getByRole('link', { name: 'Add downloader' }).click()
      await addThroughForm(page, tr, 'shelf')
      await page.getByRole('button', { name: 'Add downloader' }).click()
      const row = page.locator('.dl', { hasText: 'shelf' })
      await row.getByText(/TiB free|GiB free/).waitFor()
      expect(await axeFindings(page)).toEqual([])
      await page.getByRole('link', { name: 'Torrents' }).first().click()
      await rowOf(page, moved.name).waitFor()
      await rowOf(page, kept.name).waitFor()
      expect(await page.locator('.pager').innerText()).toBe('3 torrents')
    })

    test('the assistant is set up, looks up a torrent, and pauses it once that is allowed', async ({ expect }) => {
      const { page } = watched
      const script = modelScript(model.origin, 'console')
      await page.getByRole('link', { name: 'Assistant' }).first().click()
      await page.getByRole('link', { name: 'Set it up' }).click()
      const form = page.locator('.su-form', { hasText: 'Own gateway' })
      await form.getByLabel('In use').check()
      await form.getByLabel('Another service').check()
      await form.getByLabel('Address').fill(script.address)
      await form.getByLabel('API key').fill(modelKey)
      await form.getByLabel('Name of the model').fill('stand-in')
      await form.getByRole('button', { name: 'Save' }).click()
      await form.getByText('Saved.').waitFor()

      const targets = [{ downloader_id: 1, task_id: hostile.infoHash }]
      await script.will(calls(['list_downloader_torrents', { q: 'Kiln' }]), calls(['pause_torrent', { targets }]), {
        steps: [{ text: 'It is **pau' }, { gate: 'rest' }, { text: 'sed**.' }, { end: 'stop' }, { done: true }],
      })
      await page.getByRole('link', { name: 'Assistant' }).first().click()
      await page.getByLabel('Message', { exact: true }).fill('Pause the kiln')
      await page.keyboard.press('Enter')
      const card = page.locator('.ask:not(.settled)')
      await card.waitFor()
      expect(await card.locator('.targets').innerText()).toContain(hostile.name.slice(0, 20))
      expect(await card.innerText()).toContain(hostile.name)
      await page.locator('.tool', { hasText: 'list_downloader_torrents' }).getByText('1 entry').waitFor()
      expect(await axeFindings(page)).toEqual([])
      await card.getByRole('button', { name: 'Pause' }).click()
      await page.locator('.turn.live', { hasText: 'It is **pau' }).waitFor()
      await script.open('rest')
      await page.locator('.prose b', { hasText: 'paused' }).waitFor()
      await page.getByText('The assistant is at work').waitFor({ state: 'detached' })

      // What a reload reads is what was followed.
      const shown = await page.locator('[role=log] .prose, .turn.me p').allInnerTexts()
      expect(shown).toEqual(['Pause the kiln', 'It is paused.'])
      await page.reload()
      await page.locator('.prose b', { hasText: 'paused' }).waitFor()
      expect(await page.locator('[role=log] .prose, .turn.me p').allInnerTexts()).toEqual(shown)
      expect(await page.locator('main img, main script').count()).toBe(0)
      expect(await page.content()).not.toContain(modelKey)
      await page.getByRole('link', { name: 'Torrents' }).first().click()
      await rowOf(page, hostile.name).getByText('Paused').waitFor()
      await page.getByRole('link', { name: 'Audit log' }).first().click()
      const entries = page.locator('table.log tbody tr')
      await entries.filter({ hasText: 'approve pause_torrent' }).getByText('Done').waitFor()
      const action = entries.filter({ has: page.locator('.tag', { hasText: 'assistant' }) })
      expect(await action.innerText()).toMatch(/pause_torrent\s.*\sYou assistant\s+Done/s)
      await page.getByRole('link', { name: 'Torrents' }).first().click()
    })

    test('a torrent is paused, resumed and removed, and another deleted with its file', async ({ expect }) => {
      const { page } = watched
      const row = rowOf(page, kept.name)
      await row.getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Pause' }).click()
      await row.getByText('Paused').waitFor()
      await row.getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Resume' }).click()
      await row.getByText('Seeding').waitFor()

      await row.getByRole('checkbox').check()
      await page.getByRole('button', { name: /^Remove, keep data/ }).click()
      await page.getByRole('button', { name: 'Remove 1' }).click()
      await row.waitFor({ state: 'detached' })
      expect(existsSync(path.join(qb.savePath, kept.name))).toBe(true)

      const other = rowOf(page, moved.name)
      await other.getByRole('checkbox').check()
      await page.getByRole('button', { name: /^Delete with files/ }).click()
      await page.getByRole('button', { name: 'Delete 1 with files' }).click()
      await other.waitFor({ state: 'detached' })
      await expect.poll(() => existsSync(path.join(tr.savePath, moved.name))).toBe(false)
      expect(await page.locator('.row-open').getAttribute('title')).toBe(hostile.name)
    })

    test('a downloader that stops answering is named above the rest, and comes back', async ({ expect }) => {
      const { page } = watched
      await tr.stop()
      const note = page.locator('.note.part')
      await note.waitFor()
      expect(await note.innerText()).toContain('shelf could not be read')
      expect(await rowOf(page, hostile.name).count()).toBe(1)
      await tr.restart()
      await note.waitFor({ state: 'detached' })
    })

    test('a token made here reads the App API, stands in the log and ends when revoked', async ({ expect }) => {
      const { page } = watched
      await page.getByRole('link', { name: 'API tokens' }).first().click()
      await page.getByRole('button', { name: 'New token' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name', { exact: true }).fill('Nightly report')
      await dialog.getByRole('button', { name: 'Create token' }).click()
      const token = await page.locator('.secret input').inputValue()
      const call = (method: string) =>
        fetch(`${host.address}/api/app/v1/torrents${method === 'POST' ? '/actions' : ''}`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(method === 'POST' ? { body: '{"action":"pause","targets":[{"downloader_id":1,"task_id":"a"}]}' } : {}),
        })
      const listed = await call('GET')
      expect(listed.status).toBe(200)
      await listed.arrayBuffer()
      const refused = await call('POST')
      expect(refused.status).toBe(403)
      await refused.arrayBuffer()

      await page.getByRole('link', { name: 'Audit log' }).first().click()
      await page.locator('table.log').getByText('Failed').first().waitFor()
      expect(await page.locator('table.log').innerText()).toContain('/api/app/v1/torrents/actions')
      expect(await page.content()).not.toContain(token)
      await page.getByRole('link', { name: 'API tokens' }).first().click()
      await page.getByRole('button', { name: 'Revoke Nightly report' }).click()
      await page.getByRole('button', { name: 'Revoke token' }).click()
      await page.locator('.empty').waitFor()
      await expect.poll(async () => (await call('GET')).status, { timeout: 3000 }).toBe(401)
    })

    test('another page of the same machine cannot use the session', async ({ expect }) => {
      const attacks = `
        const target = ${JSON.stringify(`${host.address}/api/console/v1/sign-out`)}
        const tries = [
          () => fetch(target, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' }),
          () => fetch(target, { method: 'POST', mode: 'no-cors', credentials: 'include', headers: { 'content-type': 'text/plain' }, body: '{}' }),
          () => fetch(target, { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body: '{}' }),
        ]
        globalThis.finished = Promise.allSettled(tries.map((one) => one())).then(() => {
          const form = document.createElement('form')
          Object.assign(form, { method: 'post', enctype: 'text/plain', action: target, target: 'sink' })
          const field = document.createElement('input')
          Object.assign(field, { name: '{"a":"', value: '"}' })
          form.append(field)
          document.body.append(form)
          const loaded = new Promise((resolve) => { document.querySelector('[name=sink]').addEventListener('load', resolve, { once: true }) })
          form.submit()
          return loaded
        }).then(() => 'done')
        const sandbox = document.createElement('iframe')
        sandbox.setAttribute('sandbox', 'allow-scripts')
        sandbox.srcdoc = '<script>fetch(' + JSON.stringify(target) + ', { method: "POST", mode: "no-cors", credentials: "include", body: "{}" })</scr' + 'ipt>'
        document.body.append(sandbox)
      `
      const foreign = createServer((request, response) => {
        response.setHeader('content-type', request.url === '/' ? 'text/html' : 'text/javascript')
        response.end(
          request.url === '/' ? '<body><iframe name="sink"></iframe><script src="/attack.js"></script>' : attacks,
        )
      })
      const address = await listenOnLoopback(foreign)
      const page = await watched.context.newPage()
      const statuses: number[] = []
      page.on('response', (response) => {
        if (response.url().startsWith(host.address)) statuses.push(response.status())
      })
      try {
        await page.goto(`http://127.0.0.1:${address.port}/`)
        expect(await page.evaluate<string>('globalThis.finished')).toBe('done')
        // Two plain fetches and the form arrive; the browser itself may hold back the preflight's request and the sandbox's.
        await expect.poll(() => statuses.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(3)
        expect(statuses.filter((status) => status < 400)).toEqual([])
      } finally {
        await page.close()
        await endServer(foreign)
      }
      await watched.page.reload()
      await watched.page.getByRole('heading', { name: 'API tokens' }).waitFor()
    })

    test('titles come from a provider whose key was tried first, and one is subscribed to', async ({ expect }) => {
      const { page } = watched
      const services = await startStandInServices()
      try {
        await page.getByRole('link', { name: 'Explore' }).click()
        await page.getByRole('link', { name: 'Enter the key' }).click()
        const form = page.locator('#services')
        await form.getByLabel('Key or token').fill(goodMetadataKey)
        await form.getByLabel('Address of the interface').fill(`${services.origin}/real/3`)
        await form.getByLabel('Address of the images').fill(`${services.origin}/real/t/p`)
        await form.getByRole('button', { name: 'Try the key' }).click()
        await form.getByText('The provider takes the key').waitFor()
        await form.getByRole('button', { name: 'Save' }).click()
        await form.getByText('Saved.').waitFor()
        await page.getByRole('link', { name: 'Explore' }).click()
        await page.locator('.posters').waitFor()
        expect(await page.locator('.title b').allInnerTexts()).toEqual(['Planet Walk', 'Quiet River', 'Bare Title'])
        const loaded = '[...document.querySelectorAll(".posters img")].filter((one) => one.naturalWidth > 0).length'
        await expect.poll(() => page.evaluate<number>(loaded)).toBe(2)
        expect(await page.content()).not.toContain(goodMetadataKey)

        await page.locator('.title').first().click()
        await page.getByRole('button', { name: 'Subscribe' }).click()
        const dialog = page.getByRole('dialog', { name: 'Subscribe to Planet Walk' })
        await dialog.getByLabel('Downloader').selectOption('nas-1')
        await dialog.getByLabel(/better release/).check()
        await dialog.getByRole('button', { name: 'Subscribe' }).click()
        await dialog.getByRole('link', { name: 'Open the subscription' }).click()
        const one = page.locator('.subdet')
        await one.getByRole('heading', { name: 'Planet Walk' }).waitFor()
        expect(await one.innerText()).toMatch(/Film · 2020\s+Following\s+Missing\s+Will upgrade\s+From Explore/)
        await one.getByRole('button', { name: 'Search now' }).click()
        await one.getByText('there is no site to search').waitFor()
        await one.getByRole('button', { name: 'Pause' }).click()
        await one.getByRole('button', { name: 'Resume' }).waitFor()
        await one.getByRole('button', { name: 'Settings' }).click()
        const settings = page.getByRole('dialog', { name: 'Settings of Planet Walk' })
        await expect.poll(() => settings.getByLabel('Downloader').locator('option:checked').innerText()).toBe('nas-1')
        await settings.getByRole('button', { name: 'Cancel' }).click()
        await one.getByRole('button', { name: 'Delete' }).click()
        await page.getByRole('button', { name: 'Delete subscription' }).click()
        await page.getByText('No subscriptions yet').waitFor()
      } finally {
        await services.stop()
      }
    })

    test('signing out ends the session, and the password opens it again', async ({ expect }) => {
      const { page } = watched
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await page.evaluate(`location.hash = '#/downloaders'`)
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await page.getByLabel('Password').fill('not the password')
      await page.keyboard.press('Enter')
      await page.getByText('The password is wrong.').waitFor()
      await page.getByLabel('Password').fill(ownerPassword)
      await page.keyboard.press('Enter')
      await page.locator('.dls').waitFor()
      expect(await page.content()).not.toContain(qb.settings.password)
    })

    test('nothing went wrong in the page all along', async ({ expect }) => {
      expect(await policyViolations(watched.page)).toEqual([])
      expect(watched.troubles).toEqual([])
      expect(
        host.said.filter((line) =>
          [ownerPassword, qb.settings.password, goodMetadataKey, modelKey].some((secret) => line.includes(secret)),
        ),
      ).toEqual([])
    })
  },
)
