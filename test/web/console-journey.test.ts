/**
 * The console in Chromium on the real Worker, from first run to a complete download: a site is added, read, signed in to
 * and searched, and what it has is pushed into a real qBittorrent, which gets it from a real Transmission.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import {
  axeFindings,
  chromiumPart,
  launchChromium,
  openPage,
  policyViolations,
  type WatchedPage,
} from '../support/chromium.ts'
import type { DownloaderUnderTest } from '../support/downloader-under-test.ts'
import { type MadeTorrent, makeTorrent } from '../support/make-torrent.ts'
import { type OwnHost, setUpOwner, startOwnHost } from '../support/own-host.ts'
import { startQbittorrent } from '../support/qbittorrent-daemon.ts'
import { requireReal } from '../support/real-parts.ts'
import { canaryLinkKey, goodCookie, type StandInSites, startStandInSites } from '../support/stand-in-sites.ts'
import { chooseTracker, startTracker, type TrackerUnderTest } from '../support/tracker-daemon.ts'
import { startTransmission } from '../support/transmission-daemon.ts'

const qbittorrent = requireReal('qbittorrent-nox')
const transmission = requireReal('transmission-daemon')
const opentracker = requireReal('opentracker')
const missing = [chromiumPart, qbittorrent, transmission, opentracker].filter((part) => part.isMissing)
/** Work is planned for "as soon as it is free"; the pages show it at their next reading. */
const workMs = 60_000
const downloadMs = 90_000

describe.skipIf(missing.length > 0)(
  `the console from first run to a complete download ${missing.map((part) => part.skipNote).join(' ')}`,
  () => {
    let browser: Browser
    let host: OwnHost
    let sites: StandInSites
    let tracker: TrackerUnderTest
    let qb: DownloaderUnderTest
    let tr: DownloaderUnderTest
    let torrent: MadeTorrent
    let watched: WatchedPage
    let page: Page

    beforeAll(async () => {
      const { port, announce } = await chooseTracker()
      torrent = makeTorrent('Planet Walk 星球漫步.mkv', 600_000, { announce })
      host = await startOwnHost()
      ;[sites, tracker, qb, tr, browser] = await Promise.all([
        startStandInSites(),
        startTracker(opentracker.path, port, [torrent]),
        startQbittorrent(qbittorrent.path),
        startTransmission(transmission.path),
        launchChromium(),
      ])
      sites.state('nexusphp', 'shelf').file = torrent.file.toString('base64')
      await tr.add(torrent, { hasData: true, isPaused: false })
      watched = await openPage(browser)
      page = watched.page
    }, 120_000)

    afterAll(async () => {
      await browser?.close()
      await host?.close()
      await Promise.all([qb?.dispose(), tr?.dispose(), tracker?.dispose(), sites?.stop()])
    })

    async function addSite(name: string, skin: string, cookie: string): Promise<void> {
      await page.getByRole('link', { name: 'Add site' }).first().click()
      await page.getByRole('link', { name: /^NexusPHP site NexusPHP/ }).click()
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByLabel('Address').fill(sites.address('nexusphp', skin))
      await page.getByLabel('Cookie').fill(cookie)
      await page.getByText('Limits and overrides').click()
      await page.getByLabel('Pause between requests, ms').fill('0')
    }

    test('first run sets a password, a downloader and then the first site, which is tried before it is stored', async ({
      expect,
    }) => {
      await setUpOwner(page, host.setupLink)
      await page.getByLabel('Name', { exact: true }).fill('nas-1')
      await page.getByLabel('Address', { exact: true }).fill(qb.settings.baseUrl)
      await page.getByLabel('Username').fill(qb.settings.username)
      await page.getByLabel('Password', { exact: true }).fill(qb.settings.password)
      await page.getByLabel('Keep free, GiB').fill('0')
      await page.getByRole('button', { name: 'Add and continue' }).click()
      await page.getByRole('heading', { name: 'Torrents' }).waitFor()

      await page.getByRole('link', { name: 'Overview' }).first().click()
      await page.getByText('1 of 4 done').waitFor()
      await addSite('The Shelf', 'shelf', 'c_secure_pass=wrong')
      await page.getByRole('button', { name: 'Test site' }).click()
      await page.locator('.checks').getByText('It does not work').waitFor()
      expect(await page.locator('.checks').innerText()).toContain('The login has expired.')
      await page.getByLabel('Cookie').fill(goodCookie)
      await page.getByRole('button', { name: 'Test again' }).click()
      await page.locator('.checks').getByText('It works').waitFor()
      await page.getByRole('button', { name: 'Add site' }).click()
      await page.getByRole('heading', { name: 'The Shelf' }).waitFor()
      expect(await page.content()).not.toContain(goodCookie.split('=')[1])
    })

    test('its figures are read by themselves, and signing in counts for today', async ({ expect }) => {
      await page.getByText('walker').waitFor({ timeout: workMs })
      expect(await page.locator('.figures').innerText()).toMatch(/4\.88\sTiB/)
      await page.getByRole('button', { name: 'Sign in now' }).click()
      await page
        .locator('.kv')
        .getByText(/^(?:Signed|Already)/)
        .first()
        .waitFor()
      // At some hours of the day the daily one has come before it.
      expect([1, 2]).toContain(sites.state('nexusphp', 'shelf').signIns)
      expect(await axeFindings(page)).toEqual([])
    })

    test('a search names the site that fails beside what the other one found', async ({ expect }) => {
      await page.getByRole('link', { name: 'Sites' }).first().click()
      await addSite('The Ruin', 'expired', goodCookie)
      await page.getByRole('button', { name: 'Add site' }).click()
      // What it is asked by is other than usual, so it was tried, and in vain.
      await page.getByRole('button', { name: 'Save it anyway' }).click()
      await page.getByRole('heading', { name: 'The Ruin' }).waitFor()
      await page.locator('.note.bad').getByText('The Ruin cannot be read').waitFor({ timeout: workMs })

      await page.getByRole('link', { name: 'Search' }).first().click()
      // The screen is read when it is first asked for, and keys pressed before that are nobody's.
      await page.locator('input[data-search]').first().waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('planet')
      await page.keyboard.press('Enter')
      await page.locator('table.results').waitFor()
      expect(await page.locator('.note.part').innerText()).toContain('The Ruin: The login has expired.')
      expect(await page.locator('table.results .row-open').count()).toBe(2)
      expect(await axeFindings(page)).toEqual([])
      expect(await page.content()).not.toContain(canaryLinkKey)
    })

    test('what it found is pushed, downloaded for real, and done', async ({ expect }) => {
      // Who asks the tracker second learns of the other one.
      await tracker.hears(torrent.infoHash, 'complete')
      await page.locator('table.results tbody tr', { hasText: '1080p' }).locator('.row-open').click()
      const panel = page.getByRole('complementary', { name: 'Push to a downloader' })
      await panel.getByLabel('Category').fill('films')
      await panel.getByRole('button', { name: /^Push/ }).click()
      await panel.getByText('Pushed to nas-1').waitFor()
      await panel.getByRole('button', { name: /^Push/ }).click()
      await panel.getByText('Skipped: nas-1 has it already').waitFor()

      await page.getByRole('link', { name: 'Tasks' }).first().click()
      const row = page.locator('table.tasks tbody tr')
      await row.getByText('Done', { exact: true }).waitFor({ timeout: downloadMs })
      expect(await row.count()).toBe(1)
      expect(await row.innerText()).toContain('The Shelf')
      // Made on this page, and not by another program over the interface.
      expect(await row.innerText()).toContain('By hand')
      expect(readFileSync(path.join(qb.savePath, torrent.name)).equals(torrent.data)).toBe(true)
      expect(await axeFindings(page)).toEqual([])

      await page.getByRole('link', { name: 'Torrents' }).first().click()
      await page.locator('table.torrents').getByText('Seeding').waitFor()
      expect(await page.locator('table.torrents').innerText()).toContain('films')
      await page.getByRole('link', { name: 'Overview' }).first().click()
      await page.locator('.push-row').getByText('Done').waitFor()
      await page.locator('.needs').getByText('The Ruin cannot be read').waitFor()
      expect(await axeFindings(page)).toEqual([])
    })

    test('a job runs when it is told to, and says how it went', async ({ expect }) => {
      await page.getByRole('link', { name: 'Jobs' }).first().click()
      const reads = () => sites.state('nexusphp', 'shelf').calls.filter((call) => call.includes('index.php')).length
      const before = reads()
      await page.getByRole('button', { name: 'Run now: Figures, The Shelf' }).click()
      await expect.poll(reads, { timeout: workMs }).toBeGreaterThan(before)
      const failed = page.locator('table.jobs tbody tr', { hasText: 'The Ruin' }).filter({ hasText: 'Figures' })
      expect(await failed.innerText()).toContain('The login has expired.')
      expect(await axeFindings(page)).toEqual([])
    })

    test('pushes and sign-ins made with a token stand in the log', async ({ expect }) => {
      await page.getByRole('link', { name: 'API tokens' }).first().click()
      await page.getByRole('button', { name: 'New token' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name', { exact: true }).fill('Script')
      await dialog.getByLabel('Operate').check()
      await dialog.getByRole('button', { name: 'Create token' }).click()
      const token = await page.locator('.secret input').inputValue()
      const write = async (route: string, body: unknown) => {
        const answer = await fetch(`${host.address}/api/app/v1${route}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        return { status: answer.status, said: await answer.text() }
      }
      expect(await write('/push', { site: 'the-shelf', torrent_id: '101' })).toMatchObject({ status: 200 })
      expect(await write('/sites/the-ruin/attend', {})).toMatchObject({ status: 502 })
      await page.getByRole('link', { name: 'Audit log' }).first().click()
      // What the owner did on the page stands there too.
      const ofToken = page.locator('table.log tr', { hasText: 'token:' })
      await ofToken.filter({ hasText: 'POST /api/app/v1/push' }).waitFor()
      const refused = ofToken.filter({ hasText: '/attend' })
      await refused.getByText('Failed').waitFor()
      expect(await refused.innerText()).toContain('502')
    })

    test('nothing went wrong on the way, and no secret was shown or printed', async ({ expect }) => {
      expect(watched.troubles).toEqual([])
      expect(await policyViolations(page)).toEqual([])
      for (const secret of [goodCookie.split('=')[1] ?? '', canaryLinkKey, qb.settings.password])
        expect(host.said.join('\n')).not.toContain(secret)
    })
  },
)
