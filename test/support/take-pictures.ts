/**
 * After `npm run build`: `node test/support/take-pictures.ts` draws the pictures of docs/pictures with an invented library;
 * with a folder as its argument it draws every screen in every look into that folder.
 */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchChromium, openPage } from './chromium.ts'
import { inventedLibrary } from './invented-library.ts'
import { StandInConsole, type StandInState } from './stand-in-console.ts'

const asked = process.argv[2]
const folder = path.resolve(asked ?? path.join(import.meta.dirname, '../../docs/pictures'))
/** Those the documents show; a repository is no place for all of them. */
const shown = new Set([
  'overview',
  'overview-phone-dark',
  'sites-zh',
  'search-push',
  'torrents',
  'downloaders',
  'set-up',
])
const nowUnix = Date.UTC(2026, 10, 21, 14, 6) / 1000

interface Picture {
  readonly name: string
  readonly hash: string
  readonly ready: string
  readonly state?: Partial<StandInState>
  readonly prepare?: (page: Page) => Promise<void>
}

const pictures: readonly Picture[] = [
  {
    name: 'torrents',
    hash: '#/torrents',
    ready: 'table.torrents',
    prepare: async (page) => {
      for (const at of [4, 6, 7]) await page.locator('tbody input[type=checkbox]').nth(at).check()
    },
  },
  {
    name: 'torrents-add',
    hash: '#/torrents',
    ready: 'table.torrents',
    prepare: async (page) => {
      await page.keyboard.press('a')
      await page
        .locator('dialog textarea')
        .fill(`magnet:?xt=urn:btih:${'ab'.repeat(20)}&dn=Quiet.River.2160p\nhttp://nas.local/1.torrent`)
      await page.locator('dialog button[type=submit]').click()
      await page.locator('dialog [role=status] li').nth(1).waitFor()
    },
  },
  ...['files', 'trackers', 'peers', 'change'].map((part, at) => ({
    name: `torrent-${part}`,
    hash: '#/torrents',
    ready: 'table.torrents',
    prepare: async (page: Page) => {
      await page.locator('.row-open').first().click()
      await page
        .locator('dialog .tabs button')
        .nth(at + 1)
        .click()
    },
  })),
  {
    name: 'torrents-delete',
    hash: '#/torrents',
    ready: 'table.torrents',
    prepare: async (page) => {
      for (const at of [4, 6, 7]) await page.locator('tbody input[type=checkbox]').nth(at).check()
      await page.locator('.selbar .btn.danger').click()
    },
  },
  { name: 'overview', hash: '#/overview', ready: '.figures' },
  { name: 'sites', hash: '#/sites', ready: 'table.sites' },
  { name: 'site', hash: '#/sites/2', ready: '.figures' },
  { name: 'site-choice', hash: '#/sites/new', ready: '.choices' },
  {
    name: 'site-form',
    hash: '#/sites/2/edit',
    ready: '.su-form',
    prepare: async (page) => {
      await page.locator('summary').first().click()
    },
  },
  { name: 'search', hash: `#/search?q=${encodeURIComponent('Salt')}`, ready: 'table.results' },
  {
    name: 'search-push',
    hash: `#/search?q=${encodeURIComponent('Salt')}`,
    ready: 'table.results',
    prepare: async (page) => {
      await page.locator('.row-open').first().click()
      await page.locator('[data-push]:not([aria-disabled=true])').waitFor()
      await page.locator('[data-push]').click()
      await page.locator('.last').waitFor()
    },
  },
  { name: 'explore', hash: '#/explore', ready: '.posters' },
  {
    name: 'explore-title',
    hash: '#/explore',
    ready: '.posters',
    prepare: async (page) => {
      await page.locator('.title').first().click()
      await page.locator('.title-detail').waitFor()
    },
  },
  { name: 'explore-no-key', hash: '#/explore', ready: '.empty', state: { metadataKey: '' } },
  { name: 'library', hash: '#/library', ready: 'table.media' },
  { name: 'library-none', hash: '#/library', ready: '.empty', state: { libraries: [], mediaHistory: [] } },
  { name: 'library-form', hash: '#/library/1', ready: '.su-form' },
  {
    name: 'library-record',
    hash: '#/library?status=failed',
    ready: 'table.media',
    prepare: async (page) => {
      await page.locator('.row-open').first().click()
      await page.locator('dialog .kv').waitFor()
    },
  },
  {
    name: 'explore-subscribe',
    hash: '#/explore?kind=tv',
    ready: '.posters',
    prepare: async (page) => {
      await page.locator('.title:not(:has(.tag))').first().click()
      await page.locator('dialog .btn.primary').click()
      await page.locator('dialog select').first().waitFor()
    },
  },
  { name: 'subscriptions', hash: '#/subscriptions', ready: '.sublist li' },
  { name: 'subscription', hash: '#/subscriptions/11', ready: '.eps' },
  { name: 'subscription-film', hash: '#/subscriptions/4', ready: '.sd-head' },
  {
    name: 'subscription-settings',
    hash: '#/subscriptions/11',
    ready: '.eps',
    prepare: async (page) => {
      await page.locator('.sd-head .btn').nth(2).click()
      await page.locator('dialog select').first().waitFor()
    },
  },
  { name: 'subscriptions-none', hash: '#/subscriptions', ready: '.empty', state: { subscriptions: [] } },
  { name: 'profiles', hash: '#/profiles', ready: '.profiles' },
  { name: 'profile-form', hash: '#/profiles/2', ready: '.ranked' },
  { name: 'tasks', hash: '#/tasks', ready: 'table.tasks' },
  { name: 'brush', hash: '#/brush', ready: '.brush' },
  { name: 'brush-task', hash: '#/brush/1', ready: '.brushed' },
  { name: 'brush-form', hash: '#/brush/new', ready: '.su-form' },
  { name: 'backups', hash: '#/backups', ready: 'table.backups' },
  { name: 'jobs', hash: '#/jobs', ready: 'table.jobs' },
  { name: 'assistant', hash: '#/assistant/sites', ready: '.ask' },
  { name: 'assistant-list', hash: '#/assistant', ready: '.chatpage' },
  { name: 'assistant-new', hash: '#/assistant/new', ready: '.composer' },
  { name: 'more', hash: '#/more', ready: '.more' },
  { name: 'downloaders', hash: '#/downloaders', ready: '.dls' },
  {
    name: 'downloader-form',
    hash: '#/downloaders/1',
    ready: '.su-form',
    prepare: async (page) => {
      await page.locator('.su-act > .btn').click()
      await page.locator('.checks').waitFor()
    },
  },
  {
    name: 'template',
    hash: '#/templates/rss.matched',
    ready: '.editor',
    prepare: async (page) => {
      const box = page.locator('.editor textarea')
      await box.fill((await box.inputValue()).replace('item.size_text', 'item.sizetext'))
      await page.locator('.editor .err').waitFor()
    },
  },
  { name: 'templates', hash: '#/templates', ready: '.evs' },
  { name: 'channels', hash: '#/channels', ready: '.channels' },
  {
    name: 'channel-form',
    hash: '#/channels/2',
    ready: '.su-form',
    prepare: async (page) => {
      await page.locator('.su-act > .btn').first().click()
      await page.locator('.checks').waitFor()
    },
  },
  { name: 'feeds', hash: '#/feeds', ready: 'table' },
  { name: 'rules', hash: '#/rules/new', ready: '.su-form' },
  { name: 'own-definitions', hash: '#/sites/definitions', ready: 'main h2, main .empty' },
  { name: 'backups', hash: '#/backups', ready: 'table' },
  { name: 'tokens', hash: '#/tokens', ready: 'table.tokens' },
  {
    name: 'devices',
    hash: '#/devices',
    ready: 'table.devices',
    prepare: async (page) => {
      await page.locator('.end .btn.primary').click()
      await page.getByRole('dialog').locator('button[type=submit]').click()
      await page.locator('.secret').waitFor()
    },
  },
  { name: 'log', hash: '#/log', ready: 'table.log' },
  { name: 'settings', hash: '#/settings', ready: '.kv.settings' },
  {
    name: 'set-up',
    hash: '#/setup?code=one-time-code',
    ready: '.su-form',
    state: { isSetUp: false, isSignedIn: false },
    prepare: async (page) => {
      await page.locator('input[type=password]').first().fill('harbour lanterns at four')
    },
  },
  { name: 'welcome', hash: '#/welcome', ready: '.su-form', state: { downloaders: [], statuses: [] } },
  { name: 'sign-in', hash: '#/sign-in', ready: '.sign-in form', state: { isSignedIn: false } },
]

const looks = [
  { suffix: '', options: { viewport: { width: 1440, height: 900 } } },
  { suffix: '-dark', options: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' } },
  { suffix: '-phone', options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
  {
    suffix: '-phone-dark',
    options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' },
  },
  { suffix: '-zh', options: { viewport: { width: 1440, height: 900 }, locale: 'zh-CN' } },
] as const

async function draw(browser: Browser, picture: Picture, look: (typeof looks)[number]): Promise<void> {
  const server = new StandInConsole({ ...inventedLibrary(nowUnix), ...picture.state })
  await server.start()
  const { page, context, troubles } = await openPage(browser, { ...look.options, timezoneId: 'UTC' })
  await page.clock.setFixedTime(new Date(nowUnix * 1000))
  await page.goto(`${server.origin}/${picture.hash}`)
  await page.locator(picture.ready).first().waitFor()
  await picture.prepare?.(page)
  await page.evaluate('scrollTo(0, 0)')
  await page.mouse.move(0, 0)
  await page.screenshot({ path: path.join(folder, `console-${picture.name}${look.suffix}.png`) })
  if (troubles.length > 0) process.stderr.write(`${picture.name}${look.suffix}: ${troubles.join('; ')}\n`)
  await context.close()
  await server.stop()
}

mkdirSync(folder, { recursive: true })
const browser = await launchChromium()
try {
  for (const picture of pictures)
    for (const look of looks) {
      if (asked !== undefined || shown.has(`${picture.name}${look.suffix}`)) await draw(browser, picture, look)
    }
} finally {
  await browser.close()
}
