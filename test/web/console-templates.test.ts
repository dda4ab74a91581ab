/** Templates and notification channels in Chromium, against a stand-in server that renders with the real engine. */
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { templateEvents } from '../../workers/app/core/template-events.ts'
import { chromiumPart } from '../support/chromium.ts'
import { consoleScreens } from '../support/console-screens.ts'

describe.skipIf(chromiumPart.isMissing)(`templates and channels ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()
  const box = (page: Page) => page.locator('.editor textarea')
  const preview = (page: Page) => page.locator('.pv .msg').first()

  test('a template is written, seen at once, saved by a key and taken back', async ({ expect }) => {
    const { page, standIn, troubles } = await open('#/templates/push.done')
    await box(page).waitFor()
    expect(await box(page).inputValue()).toBe('{{ title }}\n{{ site }}　{{ size_text }}')
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)

    await page.getByRole('textbox', { name: 'Title' }).fill('{{ site }} is done')
    await box(page).fill('{{ title | upcase }}')
    await expect.poll(() => preview(page).innerText()).toBe('Lantern is done\n\nTHE SALT ROAD S02E06')
    expect(standIn.state.templates.has('push.done')).toBe(false)
    await page.keyboard.press('Control+s')
    await page.getByText(`3 of ${templateEvents.length} customised`).waitFor()
    expect(standIn.state.templates.get('push.done')).toMatchObject({
      title: '{{ site }} is done',
      text: '{{ title | upcase }}',
    })

    await page.getByRole('button', { name: 'Restore built-in' }).click()
    await page.locator('dialog .btn.danger').click()
    await page.getByText(`2 of ${templateEvents.length} customised`).waitFor()
    await expect.poll(() => box(page).inputValue()).toBe('{{ title }}\n{{ site }}　{{ size_text }}')
    expect(standIn.state.templates.has('push.done')).toBe(false)
    expect(troubles).toEqual([])
  })

  test('a fault is shown in its line while the last good version stays in sight, and is mended by a click', async ({
    expect,
  }) => {
    const { page, troubles } = await open('#/templates/rss.matched')
    await box(page).waitFor()
    await expect.poll(() => preview(page).innerText()).toContain('已推送到 nas-1')
    const good = await preview(page).innerText()
    await box(page).fill('{% for item in items %}\n{{ item.sizetext }}{% endfor %}')

    const note = page.locator('.note.bad')
    await note.waitFor()
    expect(await note.innerText()).toContain(
      'Line 2 of the text: there is no variable item.sizetext; perhaps item.size_text is meant.',
    )
    expect(await page.locator('.editor .ln.err .no').innerText()).toBe('2')
    expect(await preview(page).innerText()).toBe(good)
    expect(await page.getByText('last good version, sample data').count()).toBe(1)
    await page.getByRole('button', { name: 'Fix it' }).click()
    await expect.poll(() => preview(page).innerText()).toContain('8.42 GiB\n31.19 GiB')
    expect(await note.count()).toBe(0)
    // The refused previews are no trouble of the page.
    expect(troubles.filter((one) => !one.includes('400'))).toEqual([])
  })

  test('letters are drawn exactly where the box has them', async ({ expect }) => {
    const { page } = await open('#/templates/rss.matched', {}, { viewport: { width: 390, height: 844 } })
    await box(page).waitFor()
    await box(page).fill(`${'{{ site }} words that wrap 与中文混排 '.repeat(8)}\n\n{{ rule }}`)
    const heights = () =>
      page.evaluate<readonly [number, number]>(
        '(([d, t]) => [d.offsetHeight, t.scrollHeight])([document.querySelector(".editor .drawn").parentElement, document.querySelector(".editor textarea")])',
      )
    await expect.poll(() => page.locator('.editor .ln').count()).toBe(3)
    const [drawn, written] = await heights()
    expect(Math.abs(drawn - written)).toBeLessThanOrEqual(2)
  })

  test('a variable goes in where the caret is, and what is not saved survives a look at another event', async ({
    expect,
  }) => {
    const { page } = await open('#/templates/push.done')
    await box(page).waitFor()
    await box(page).fill('x: ')
    await page.getByRole('button', { name: 'Insert downloader' }).click()
    await expect.poll(() => box(page).inputValue()).toBe('x: {{ downloader }}')
    await page.getByRole('link', { name: /Disk space low/ }).click()
    await page.getByRole('heading', { name: 'Disk space low' }).waitFor()
    await page.getByRole('link', { name: /Push made.*not saved/ }).click()
    await page.getByRole('heading', { name: 'Push made' }).waitFor()
    expect(await box(page).inputValue()).toBe('x: {{ downloader }}')
  })

  test('an event that is body only has no title to write', async ({ expect }) => {
    const { page } = await open('#/templates/reply.sites')
    await box(page).waitFor()
    expect(await page.getByRole('textbox', { name: 'Title' }).count()).toBe(0)
    expect(await page.getByText('This event has no title.').count()).toBe(1)
  })

  test('on a phone the list is a screen of its own, in Chinese too', async ({ expect }) => {
    const { page } = await open('#/templates', {}, { viewport: { width: 390, height: 844 }, locale: 'zh-CN' })
    await page.locator('.evs').waitFor()
    expect(await page.locator('.editor').isVisible()).toBe(false)
    await page.getByRole('link', { name: /登录提醒/ }).click()
    await box(page).waitFor()
    expect(await page.locator('.evs').isVisible()).toBe(false)
    await page.getByRole('link', { name: '所有模板' }).click()
    await page.locator('.evs').waitFor()
  })

  test('a channel is tried, added, switched off and deleted', async ({ expect }) => {
    const { page, standIn, troubles } = await open('#/channels/new')
    await page.getByLabel('Name', { exact: true }).fill('Bus')
    await page.getByRole('button', { name: 'Add channel' }).click()
    await page.getByText('An address that starts with http:// or https:// is needed.').waitFor()
    await page.getByRole('textbox', { name: 'Address' }).fill('https://refused.example/hook')
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The token or key is not accepted').waitFor()
    await page.getByRole('textbox', { name: 'Address' }).fill('https://bus.example/hook?key=1')
    await page.getByLabel('Secret header').fill('X-Key')
    await page.getByLabel('Value of the header').fill('secret')
    await page.getByRole('textbox', { name: 'Signing key' }).fill('whsec_short')
    await page.getByRole('button', { name: 'Add channel' }).click()
    await page.getByText('whsec_ and 24 to 64 bytes in Base64 are needed.').waitFor()
    await page.getByRole('button', { name: 'Make a key' }).click()
    const key = await page.getByRole('textbox', { name: 'Signing key' }).inputValue()
    expect(key).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    await page.getByLabel('Sign-in failed').uncheck()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('It was taken').waitFor()
    await page.getByRole('button', { name: 'Add channel' }).click()
    await page.locator('.channels').waitFor()
    const [sent] = standIn.received.get('addChannel') ?? []
    expect(sent).toMatchObject({
      name: 'Bus',
      type: 'webhook',
      address: 'https://bus.example/hook?key=1',
      header_name: 'X-Key',
      header_value: 'secret',
      signing_key: key,
    })
    expect((sent as { events: string[] }).events).not.toContain('attendance.failed')

    await page.getByRole('button', { name: 'Turn off Bus' }).click()
    await page.getByRole('button', { name: 'Turn on Bus' }).waitFor()
    expect(standIn.received.get('changeChannel')?.at(-1)).toEqual({
      name: 'Bus',
      type: 'webhook',
      enabled: false,
      events: expect.any(Array),
    })
    await page.getByRole('button', { name: 'Delete Bus' }).click()
    await page.locator('dialog .btn.danger').click()
    await expect.poll(() => page.getByText('Bus', { exact: true }).count()).toBe(0)
    expect(standIn.state.channels.map(({ name }) => name)).not.toContain('Bus')
    expect(troubles).toEqual([])
  })

  test('a change of a chat leaves its token where it is', async ({ expect }) => {
    const { page, standIn } = await open('#/channels/2')
    await page.getByLabel('Chat', { exact: true }).fill('@harbour')
    expect(await page.getByLabel('Bot token').inputValue()).toBe('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.channels').waitFor()
    expect(standIn.received.get('changeChannel')).toEqual([
      {
        name: 'Phone',
        type: 'bot',
        enabled: true,
        events: ['attendance.summary', 'login.reminder'],
        address: 'https://api.telegram.org',
        chat_id: '@harbour',
      },
    ])
  })

  test('a bot that is to hear gets its commands and a code for a chat', { tags: 'slow' }, async ({ expect }) => {
    const { page, standIn, troubles } = await open('#/channels/2')
    await page.getByText('No chat is paired yet.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Asked for' }).click()
    await page.getByLabel('/brush, with switches').uncheck()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('No chat is paired yet.').waitFor()
    const [sent] = standIn.received.get('changeChatBot') ?? []
    expect(sent).toMatchObject({ way: 'poll' })
    expect((sent as { commands: string[] }).commands).not.toContain('brush')
    await page.getByRole('button', { name: 'Pair a chat' }).click()
    const shown = page.getByRole('textbox', { name: 'To be written to the bot' })
    await shown.waitFor()
    expect(await shown.inputValue()).toBe('/pair ABCD-EFGH-JKMN-PQRS')
    expect(standIn.received.get('makeChatCode')).toEqual([{ permission: 'read' }])
    standIn.state.chatBot = {
      ...standIn.state.chatBot,
      chats: [{ id: 'c1', name: 'Ada @ada', permission: 'read', paired_at: 1_700_000_000 }],
    }
    await page.getByRole('button', { name: 'Remove Ada @ada' }).click()
    await page.getByText('No chat is paired yet.').waitFor()
    expect(troubles).toEqual([])
  })

  test('a channel that failed says why, how much waits, and what was given up', async ({ expect }) => {
    const { page } = await open('#/channels')
    const row = page.locator('.channels > li', { hasText: 'Phone' })
    await row.waitFor()
    expect(await row.innerText()).toMatch(/3 waiting/)
    expect(await row.innerText()).toMatch(/1 given up/)
    expect(await row.innerText()).toMatch(/Last message not taken: It cannot be reached/)
  })
})
