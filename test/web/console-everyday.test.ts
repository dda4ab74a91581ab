/** A day with a real qBittorrent and a real Transmission on the console, on a desk and on a phone. */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { chromiumPart, launchChromiumShell, openPage, overBy, type WatchedPage } from '../support/chromium.ts'
import type { DownloaderUnderTest } from '../support/downloader-under-test.ts'
import { endServer, listenOnLoopback } from '../support/loopback.ts'
import { makeTorrent } from '../support/make-torrent.ts'
import { type OwnHost, setUpOwner, startOwnHost } from '../support/own-host.ts'
import { startQbittorrent } from '../support/qbittorrent-daemon.ts'
import { requireReal } from '../support/real-parts.ts'
import { startTransmission } from '../support/transmission-daemon.ts'

const qbittorrent = requireReal('qbittorrent-nox')
const transmission = requireReal('transmission-daemon')
const missing = [chromiumPart, qbittorrent, transmission].filter((part) => part.isMissing)

/** How fast the list is there while one of the downloaders keeps still: beside a second, many times what it takes. */
const besideHungMs = 4000

const rowOf = (page: Page, title: string): Locator =>
  page.locator('tbody tr').filter({ has: page.locator(`.row-open[title=${JSON.stringify(title)}]`) })

describe.skipIf(missing.length > 0)(
  `a day with real downloaders ${missing.map((part) => part.skipNote).join(' ')}`,
  () => {
    const tracker = createServer((_, response) => {
      response.end('d14:failure reason40:not authorized for use with this trackere')
    })
    let browser: Browser
    let host: OwnHost
    let qb: DownloaderUnderTest
    let tr: DownloaderUnderTest
    let desk: WatchedPage

    beforeAll(async () => {
      host = await startOwnHost()
      ;[qb, tr, browser] = await Promise.all([
        startQbittorrent(qbittorrent.path),
        startTransmission(transmission.path),
        launchChromiumShell(),
      ])
      desk = await openPage(browser)
      const { page } = desk
      await setUpOwner(page, host.setupLink)
      for (const [one, name] of [
        [qb, 'nas-1'],
        [tr, 'shelf'],
      ] as const) {
        await page.evaluate(`location.hash = '#/downloaders/new'`)
        await page.locator('.su-form').waitFor()
        if (one.kind === 'transmission') await page.getByRole('radio', { name: /^Transmission/ }).check()
        await page.getByLabel('Name', { exact: true }).fill(name)
        await page.getByLabel('Address', { exact: true }).fill(one.settings.baseUrl)
        await page.getByLabel('Username').fill(one.settings.username)
        await page.getByLabel('Password', { exact: true }).fill(one.settings.password)
        await page.getByRole('button', { name: /^Add downloader|^Add and continue/ }).click()
        await page.locator('.su-form').waitFor({ state: 'detached' })
      }
    }, 120_000)

    afterAll(async () => {
      await browser?.close()
      await host?.close()
      await Promise.all([qb?.dispose(), tr?.dispose(), endServer(tracker)])
    })

    test('a magnet link and a file are added, and found by words that dots part', async ({ expect }) => {
      const { page } = desk
      const { url } = await listenOnLoopback(tracker)
      const file = makeTorrent('Harbour.Lights.S03E01.1080p.WEB-DL.x264', 40_000, { announce: `${url}/announce` })
      await page.evaluate(`location.hash = '#/torrents'`)
      await page.getByRole('heading', { name: 'Torrents' }).waitFor()
      await page.keyboard.press('a')
      const dialog = page.getByRole('dialog', { name: 'Add torrents' })
      await dialog
        .getByLabel('Magnet links, addresses')
        .fill(`magnet:?xt=urn:btih:${'ab'.repeat(20)}&dn=Glass.Pier.2021.1080p`)
      await dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'lights.torrent', mimeType: 'application/x-bittorrent', buffer: file.file })
      await dialog.getByRole('button', { name: 'Add 2' }).click()
      await expect.poll(() => dialog.locator('[role=status] li').count()).toBe(2)
      expect(await dialog.locator('[role=status]').innerText()).toMatch(/Added to nas-1[\s\S]*Added to nas-1/)
      await dialog.getByRole('button', { name: 'Close' }).click()
      await rowOf(page, file.name).waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('lights harbour')
      await rowOf(page, file.name).waitFor()
      await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Delete')
      await expect.poll(() => page.locator('tbody tr').count()).toBe(2)
    })

    test('what the tracker refuses is said in its words, with what helps, and magnets wait for their metadata', async ({
      expect,
    }) => {
      const { page } = desk
      const row = rowOf(page, 'Harbour.Lights.S03E01.1080p.WEB-DL.x264')
      await row.getByText('Tracker error').waitFor()
      const matters = page.getByRole('region', { name: 'Needs you' })
      await matters.getByText('“not authorized for use with this tracker”').waitFor()
      expect(await row.innerText()).not.toContain('Downloading')
      expect(await rowOf(page, 'Glass.Pier.2021.1080p').innerText()).toMatch(/metadata/i)
      await matters.getByRole('button', { name: /^Reannounce 1/ }).click()
      await page
        .locator('[role=status]', { hasText: /1 of 1 done|asked/ })
        .first()
        .waitFor()
    })

    test('it is checked again, moved, limited and labelled', async ({ expect }) => {
      const { page } = desk
      const folder = path.join(qb.savePath, 'kept')
      await mkdir(folder, { recursive: true })
      await page.getByRole('button', { name: 'Harbour.Lights' }).first().click()
      const panel = page.getByRole('dialog')
      await panel.getByRole('button', { name: 'Check the data again' }).click()
      await panel.getByText('The data is being checked.').waitFor()
      await panel.getByRole('button', { name: 'Ask the trackers now' }).click()
      await panel.getByText('The trackers are being asked.').waitFor()
      await panel.getByRole('button', { name: 'Change', exact: true }).first().click()
      await panel.getByLabel('Upload limit').fill('512')
      await panel.getByLabel('Tags').fill('kept')
      await panel.getByLabel('Category').fill('tv')
      await panel.getByLabel('Folder on the disk').fill(folder)
      await panel.locator('form').getByRole('button', { name: 'Change' }).click()
      await panel.getByText('The limits were changed.').waitFor()
      await panel.getByRole('button', { name: 'Facts' }).click()
      await panel.getByText(folder).waitFor()
      await panel.getByText('tv', { exact: true }).waitFor()
      expect(await panel.innerText()).toContain('kept')
      await panel.getByRole('button', { name: 'Close' }).click()
    })

    test('one downloader that is stopped in its tracks costs the list of the other nothing', async ({ expect }) => {
      const { page } = desk
      tr.freeze()
      try {
        await page.reload()
        const began = performance.now()
        await rowOf(page, 'Glass.Pier.2021.1080p').waitFor()
        expect(performance.now() - began).toBeLessThan(besideHungMs)
        // What was known of it is shown with its time from here on.
        await page.getByText('shelf could not be read').waitFor()
      } finally {
        tr.thaw()
      }
    })

    test('on a phone it is found, and deleted with its files; the log names it and who did it', async ({ expect }) => {
      const { page } = desk
      await page.setViewportSize({ width: 390, height: 844 })
      const row = rowOf(page, 'Harbour.Lights.S03E01.1080p.WEB-DL.x264')
      await row.getByRole('checkbox').check()
      expect(await overBy(page)).toBeLessThanOrEqual(0)
      await page
        .locator('.selbar')
        .getByRole('button', { name: /^Delete/ })
        .click()
      await page.getByRole('button', { name: 'Delete 1 with files' }).click()
      await row.waitFor({ state: 'detached' })
      await expect
        .poll(() => existsSync(path.join(qb.savePath, 'kept', 'Harbour.Lights.S03E01.1080p.WEB-DL.x264')))
        .toBe(false)
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.evaluate(`location.hash = '#/log'`)
      await page.locator('table.log').waitFor()
      expect(await page.locator('table.log').innerText()).toContain('Harbour.Lights.S03E01')
      expect(desk.troubles).toEqual([])
    })
  },
)
