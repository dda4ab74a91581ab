/** The console as an app of the device: kept for when the server is away, and told of what happens. */
import { describe, test } from 'vitest'
import { axeFindings, chromiumPart, launchChromium, openPage, takenOver } from '../support/chromium.ts'
import { consoleScreens, now } from '../support/console-screens.ts'
import { inventedLibrary } from '../support/invented-library.ts'
import { StandInConsole, standInPushKey } from '../support/stand-in-console.ts'

/** The maker's push service cannot be reached from here: what the browser would get from it, with what it was asked for. */
const pushServiceAway = `
  PushManager.prototype.subscribe = async function (options) {
    globalThis.askedOfPush = { visible: options.userVisibleOnly, key: options.applicationServerKey }
    return { toJSON: () => ({ endpoint: 'https://push.example/send/1', keys: { p256dh: 'B' + 'A'.repeat(86), auth: 'A'.repeat(22) } }) }
  }`

describe.skipIf(chromiumPart.isMissing)(`the console as an app ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens({ rests: true })

  test('the page stands when the server is away, says so, and keeps no answer of an interface', {
    tags: 'slow',
  }, async ({ expect }) => {
    const { page, standIn } = await open('#/overview')
    await page.locator('.figures').waitFor()
    await takenOver(page)
    // Once more, so that every file comes by way of the helper.
    await page.reload()
    await page.locator('.figures').waitFor()
    const kept = await page.evaluate<string[]>(
      `caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((one) => one.keys())))).then((all) => all.flat().map(({ url }) => new URL(url).pathname))`,
    )
    expect(kept).toContain('/')
    expect(kept.filter((path) => path.startsWith('/assets/')).length).toBeGreaterThan(5)
    expect(kept.filter((path) => path.startsWith('/api/'))).toEqual([])
    await standIn.stop()
    await page.reload()
    await page.getByText('The server did not answer.').first().waitFor()
    await page.getByRole('button', { name: 'Retry' }).waitFor()
  })

  test('this browser is subscribed as a channel, and shows what its push service brings', async ({ expect }) => {
    const { page, standIn, troubles } = await open(
      '#/channels/new',
      {},
      { permissions: ['notifications'] },
      (_, page) => page.addInitScript({ content: pushServiceAway }),
    )
    await page.getByText('This browser').first().click()
    await page.getByLabel('Name').fill('desk')
    await page.getByRole('button', { name: 'Add channel' }).click()
    await page.getByText('Notifications have to be allowed first.').waitFor()
    await page.getByRole('button', { name: 'Allow notifications here' }).click()
    await page.getByText('This browser is subscribed.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate('globalThis.askedOfPush')).toEqual({ visible: true, key: standInPushKey })
    await page.getByRole('button', { name: 'Add channel' }).click()
    await expect
      .poll(() => standIn.received.get('addChannel'))
      .toEqual([
        expect.objectContaining({
          type: 'browser',
          name: 'desk',
          address: 'https://push.example/send/1',
          p256dh: `B${'A'.repeat(86)}`,
          auth: 'A'.repeat(22),
        }),
      ])

    expect(troubles).toEqual([])
  })

  // The engine without the browser around it has nowhere to show a notification.
  test('what the push service of this browser brings is shown, with the place that it is about', {
    tags: 'slow',
  }, async ({ expect }) => {
    const whole = await launchChromium()
    const standIn = new StandInConsole(inventedLibrary(now))
    await standIn.start()
    try {
      const { page, troubles } = await openPage(whole, { permissions: ['notifications'] })
      await page.goto(`${standIn.origin}/#/overview`)
      await page.locator('.figures').waitFor()
      await takenOver(page)
      const browser = await page.context().newCDPSession(page)
      const registered = new Promise<string>((resolve) => {
        browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
          const [one] = registrations
          if (one !== undefined) resolve(one.registrationId)
        })
      })
      await browser.send('ServiceWorker.enable')
      const data = JSON.stringify({ id: 7, type: 'push.done', title: 'Pushed', text: 'The Salt Road to nas-1', at: 1 })
      await browser.send('ServiceWorker.deliverPushMessage', {
        origin: standIn.origin,
        registrationId: await registered,
        data,
      })
      const shown = () =>
        page.evaluate(
          `navigator.serviceWorker.ready.then((one) => one.getNotifications()).then((all) => all.map(({ title, body, tag, data }) => ({ title, body, tag, data })))`,
        )
      await expect
        .poll(shown)
        .toEqual([
          { title: 'Pushed', body: 'The Salt Road to nas-1', tag: 'wharf-push.done-7', data: { hash: '#/tasks' } },
        ])
      expect(troubles).toEqual([])
    } finally {
      await whole.close()
      await standIn.stop()
    }
  })

  test('a browser that allows no notifications says what to do', async ({ expect }) => {
    const { page, standIn } = await open('#/channels/new', {}, {}, (_, page) =>
      page.addInitScript({ content: `Notification.requestPermission = async () => 'denied'` }),
    )
    await page.getByText('This browser').first().click()
    await page.getByRole('button', { name: 'Allow notifications here' }).click()
    await page.getByText('This browser does not allow notifications of this page.').waitFor()
    expect(standIn.received.get('readPushKey') ?? []).toEqual([])
  })
})
