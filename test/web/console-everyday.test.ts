// @module-tag slow
/** A day with a real qBittorrent, a real Transmission and a real tracker on the console, on a desk and on a phone. */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import {
  chromiumPart,
  launchChromiumShell,
  openPage,
  overBy,
  type TestBrowser,
  type WatchedPage,
} from '../support/chromium.ts'
import type { DownloaderUnderTest } from '../support/downloader-under-test.ts'
import { endServer, listenOnLoopback } from '../support/loopback.ts'
import { type MadeTorrent, makeFolderTorrent, makeTorrent } from '../support/make-torrent.ts'
import { type OwnHost, setUpOwner, startOwnHost } from '../support/own-host.ts'
import { startQbittorrent } from '../support/qbittorrent-daemon.ts'
import { requireReal } from '../support/real-parts.ts'
import { chooseTracker, startTracker, type TrackerUnderTest } from '../support/tracker-daemon.ts'
import { startTransmission } from '../support/transmission-daemon.ts'

const qbittorrent = requireReal('qbittorrent-nox')
const transmission = requireReal('transmission-daemon')
const opentracker = requireReal('opentracker')
const missing = [chromiumPart, qbittorrent, transmission, opentracker].filter((part) => part.isMissing)

/** Several seconds of work at the limit that the day sets. */
const lightsBytes = 600_000
const lightsLimitKib = 50

/** How fast the list is there while one of the downloaders keeps still: beside a second, many times what it takes. */
const besideHungMs = 4000

const rowOf = (page: Page, title: string): Locator =>
  page.locator('tbody tr').filter({ has: page.locator(`.row-open[title=${JSON.stringify(title)}]`) })

describe.skipIf(missing.length > 0)(
  `a day with real downloaders ${missing.map((part) => part.skipNote).join(' ')}`,
  () => {
    const closedTracker = createServer((_, response) => {
      response.end('d14:failure reason40:not authorized for use with this trackere')
    })
    let announce = ''
    let tracker: TrackerUnderTest
    let lights: MadeTorrent
    let browser: TestBrowser
    let host: OwnHost
    let qb: DownloaderUnderTest
    let tr: DownloaderUnderTest
    let desk: WatchedPage
    let phone: WatchedPage

    beforeAll(async () => {
      host = await startOwnHost()
      const chosen = await chooseTracker()
      announce = chosen.announce
      lights = makeTorrent('Harbour.Lights.S03E01.1080p.WEB-DL.x264', lightsBytes, { announce })
      ;[tracker, qb, tr, browser] = await Promise.all([
        startTracker(opentracker.path, chosen.port, [lights]),
        startQbittorrent(qbittorrent.path),
        startTransmission(transmission.path),
        launchChromiumShell(),
      ])
      await tr.add(lights, { hasData: true, isPaused: false })
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
      phone = await openPage(browser, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
      await phone.context.addCookies(await desk.context.cookies())
      await phone.page.goto(`${new URL(page.url()).origin}/#/torrents`)
    }, 120_000)

    afterAll(async () => {
      await browser?.close()
      await host?.close()
      await Promise.all([qb?.dispose(), tr?.dispose(), tracker?.dispose(), endServer(closedTracker)])
    })

    test('a magnet link and a file are added, and found by words that dots part', async ({ expect }) => {
      const { page } = desk
      const { url } = await listenOnLoopback(closedTracker)
      const bencoded = (text: string) => `${text.length}:${text}`
      const refused = lights.file.toString('latin1').replace(bencoded(announce), bencoded(`${url}/announce`))
      await page.evaluate(`location.hash = '#/torrents'`)
      await page.getByRole('heading', { name: 'Torrents' }).waitFor()
      await page.keyboard.press('a')
      const dialog = page.getByRole('dialog', { name: 'Add torrents' })
      await dialog
        .getByLabel('Magnet links, addresses')
        .fill(`magnet:?xt=urn:btih:${'ab'.repeat(20)}&dn=Glass.Pier.2021.1080p`)
      await dialog.locator('input[type=file]').setInputFiles({
        name: 'lights.torrent',
        mimeType: 'application/x-bittorrent',
        buffer: Buffer.from(refused, 'latin1'),
      })
      await dialog.getByRole('button', { name: 'Add 2' }).click()
      await expect.poll(() => dialog.locator('[role=status] li').count()).toBe(2)
      expect(await dialog.locator('[role=status]').innerText()).toMatch(/Added to nas-1[\s\S]*Added to nas-1/)
      await dialog.getByRole('button', { name: 'Close' }).click()
      await rowOf(page, lights.name).first().waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('lights harbour')
      await rowOf(page, lights.name).first().waitFor()
      // Each downloader's own.
      await expect.poll(() => page.locator('tbody tr').count()).toBe(2)
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Delete')
      await expect.poll(() => page.locator('tbody tr').count()).toBe(3)
    })

    test('what the tracker refuses is said in its words, with what helps, and magnets wait for their metadata', async ({
      expect,
    }) => {
      const { page } = desk
      const row = rowOf(page, lights.name).filter({ hasText: 'nas-1' })
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

    test('the tracker is mended: it hands out the other downloader as a peer, which is seen at work to the end', async ({
      expect,
    }) => {
      const { page } = desk
      const row = rowOf(page, lights.name).filter({ hasText: 'nas-1' })
      const panel = page.getByRole('dialog')
      const limit = async (kib: string) => {
        await panel.getByRole('button', { name: 'Change', exact: true }).first().click()
        await panel.getByLabel('Download limit').fill(kib)
        await panel.locator('form').getByRole('button', { name: 'Change' }).click()
        await panel.getByText('The limits were changed.').waitFor()
      }
      await row.locator('.row-open').click()
      await limit(String(lightsLimitKib))
      await panel.getByRole('button', { name: 'Close' }).click()
      const matters = page.getByRole('region', { name: 'Needs you' })
      await matters.getByRole('button', { name: 'Edit tracker' }).click()
      const edit = page.getByRole('dialog').filter({ has: page.getByLabel('Announce address') })
      await edit.getByLabel('Announce address').fill(announce)
      await edit.getByRole('button', { name: 'Edit tracker' }).click()
      await edit.waitFor({ state: 'detached' })
      await matters.getByText('not authorized for use with this tracker').waitFor({ state: 'detached' })
      await row.locator('.row-open').click()
      await panel.getByRole('button', { name: /^Trackers/ }).click()
      await panel.getByText('Works', { exact: true }).waitFor()
      await panel.getByRole('button', { name: /^Peers/ }).click()
      await panel.getByText(/Transmission/).waitFor()
      await limit('')
      await panel.getByRole('button', { name: 'Close' }).click()
      await row.getByText('Seeding').waitFor()
      expect(desk.troubles).toEqual([])
    })

    test('on a phone a file is added paused, with some of its files and a limit, and one more later; it starts', async ({
      expect,
    }) => {
      const { page } = phone
      const torrent = makeFolderTorrent('Lantern.Row.S01.2160p', [
        ['episode.mkv', 30_000],
        ['notes.txt', 1_000],
        ['trailer.mkv', 20_000],
      ])
      await page.getByRole('button', { name: 'Add', exact: true }).tap()
      const dialog = page.getByRole('dialog', { name: 'Add torrents' })
      await dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'row.torrent', mimeType: 'application/x-bittorrent', buffer: torrent.file })
      await dialog.getByText('3 of 3').waitFor()
      await dialog.getByRole('button', { name: 'None' }).tap()
      await dialog.getByRole('button', { name: 'Add', exact: true }).tap()
      await dialog.getByText('Choose at least one file.').waitFor()
      await dialog.getByRole('button', { name: 'Videos only' }).tap()
      await dialog.getByText('2 of 3').waitFor()
      await dialog.getByRole('checkbox', { name: 'trailer.mkv' }).uncheck()
      await dialog.getByLabel('Upload limit').fill('256')
      await dialog.getByLabel(/^Start paused/).check()
      await dialog.getByRole('button', { name: 'Add', exact: true }).tap()
      await dialog.getByText('Added to nas-1').waitFor()
      expect(await dialog.getByText('Enter a link or choose a file.').count()).toBe(0)
      expect(await overBy(page)).toBeLessThanOrEqual(0)
      await dialog.getByRole('button', { name: 'Close' }).last().tap()
      await rowOf(page, torrent.name).locator('.row-open').tap()
      await page.getByRole('dialog').getByRole('link', { name: 'Its page' }).tap()
      await page
        .getByRole('navigation', { name: 'Parts of the torrent' })
        .getByRole('link', { name: /^Files/ })
        .tap()
      const priorityOf = (name: string) => page.getByLabel(new RegExp(`^Priority of .*${name}$`))
      expect(await priorityOf('episode.mkv').inputValue()).toBe('normal')
      expect(await priorityOf('trailer.mkv').inputValue()).toBe('skip')
      await priorityOf('notes.txt').selectOption('Low')
      await page.getByText('The priority was changed.').waitFor()
      await page.getByRole('button', { name: 'Resume' }).tap()
      await page.getByRole('button', { name: 'Pause' }).waitFor()
      await page.reload()
      await expect.poll(() => priorityOf('trailer.mkv').inputValue()).toBe('skip')
      expect(await priorityOf('episode.mkv').inputValue()).toBe('normal')
      await page.getByRole('navigation', { name: 'Parts of the torrent' }).getByRole('link', { name: 'Change' }).tap()
      expect(await page.getByLabel('Upload limit').inputValue()).toBe('256')
      expect(await overBy(page)).toBeLessThanOrEqual(0)
      expect(phone.troubles).toEqual([])
    })

    test('it is checked again, moved, limited and labelled', async ({ expect }) => {
      const { page } = desk
      const folder = path.join(qb.savePath, 'kept')
      await mkdir(folder, { recursive: true })
      await rowOf(page, lights.name).filter({ hasText: 'nas-1' }).locator('.row-open').click()
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
      const { page } = phone
      await page.evaluate(`location.hash = '#/torrents'`)
      const row = rowOf(page, lights.name).filter({ hasText: 'nas-1' })
      await row.getByRole('checkbox').check()
      expect(await overBy(page)).toBeLessThanOrEqual(0)
      await page
        .locator('.selbar')
        .getByRole('button', { name: /^Delete/ })
        .click()
      await page.getByRole('button', { name: 'Delete 1 with files' }).click()
      await row.waitFor({ state: 'detached' })
      await expect.poll(() => existsSync(path.join(qb.savePath, 'kept', lights.name))).toBe(false)
      await page.evaluate(`location.hash = '#/log'`)
      await page.locator('table.log').waitFor()
      expect(await page.locator('table.log').innerText()).toContain('Harbour.Lights.S03E01')
      expect(phone.troubles).toEqual([])
    })
  },
)
