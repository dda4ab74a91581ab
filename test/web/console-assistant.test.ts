/** The assistant's screen in Chromium against a stand-in whose events the test tells one by one. */

import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { axeFindings, chromiumPart, policyViolations } from '../support/chromium.ts'
import { consoleScreens, now } from '../support/console-screens.ts'
import { inventedConversations } from '../support/invented-conversations.ts'
import { saying } from '../support/said.ts'
import { noAssistant, type StandInAssistant } from '../support/stand-in-assistant.ts'

const idle = 'space'
const asking = 'sites'
const given = { targets: [{ downloader_id: 1, task_id: 'abc' }] }
const summary = {
  action: 'pause' as const,
  targets: [{ title: 'Open.Charts', downloader: 'nas-1', info_hash: 'ab'.repeat(20) }],
}

/** A question and the run that answers it, as another page or device would have begun it. */
function begin(assistant: StandInAssistant, id: string, question: string): void {
  assistant.tell(id, { type: 'run_started', run_id: 'r9' })
  assistant.tell(id, { type: 'message', message: assistant.message(id, { role: 'user', content: question }) })
}

const box = (page: Page) => page.getByLabel('Message', { exact: true })

describe.skipIf(chromiumPart.isMissing)(`the assistant's screen ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test('an answer shows while it is written, and once when it is stored', async ({ expect }) => {
    const { page, standIn, troubles } = await open(`#/assistant/${idle}`)
    const { assistant } = standIn
    await box(page).fill('How much is left?')
    await box(page).press('Enter')
    await page.locator('.turn.me', { hasText: 'How much is left?' }).waitFor()
    expect(await box(page).inputValue()).toBe('')
    await expect.poll(() => standIn.received.get('sendMessage')).toEqual([{ text: 'How much is left?' }])
    await page.getByText('The assistant is at work').waitFor()
    assistant.tell(idle, { type: 'delta', text: '**4.82 TiB** on ' })
    const live = page.locator('.turn.live')
    await live.locator('b', { hasText: '4.82 TiB' }).waitFor()
    assistant.tell(idle, { type: 'delta', text: '`nas-1`.' })
    await live.locator('code', { hasText: 'nas-1' }).waitFor()
    expect(await page.locator('[role=log] .prose').count()).toBe(0)
    assistant.finish(idle, 'done')
    await page.locator('[role=log] .prose', { hasText: '4.82 TiB on nas-1.' }).waitFor()
    await expect.poll(() => page.locator('.turn.live').count()).toBe(0)
    expect(await page.getByText('How much is left?').count()).toBe(1)
    expect(await page.locator('.prose').count()).toBe(1)
    expect(troubles).toEqual([])
  })

  test('a line break and a word that is being composed send nothing', async ({ expect }) => {
    const { page, standIn } = await open(`#/assistant/${idle}`)
    await box(page).fill('one')
    await box(page).press('Shift+Enter')
    await box(page).pressSequentially('two')
    expect(await box(page).inputValue()).toBe('one\ntwo')
    await page.evaluate(`document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }))`)
    expect(standIn.received.get('sendMessage')).toBeUndefined()
  })

  test('4000 characters go out and one more does not', async ({ expect }) => {
    const { page, standIn } = await open(`#/assistant/${idle}`)
    const send = page.getByRole('button', { name: 'Send' })
    await box(page).fill(`${'😀'.repeat(4000)}x`)
    await page.getByText('1 character too many').waitFor()
    expect(await send.isDisabled()).toBe(true)
    await box(page).fill('😀'.repeat(4000))
    await page.getByText('4,000 / 4,000').waitFor()
    await send.click()
    await page.locator('.turn.me').waitFor()
    expect(standIn.received.get('sendMessage')).toHaveLength(1)
  })

  test('a refused message comes back to its box, with the reason', async ({ expect }) => {
    const { page, standIn } = await open(`#/assistant/${idle}`)
    const refusals = [
      [409, 'busy', 'An answer is still being written.'],
      [429, 'too_many', 'The assistant is answering too many questions at once.'],
      [409, 'assistant_disabled', 'The assistant was turned off.'],
      [503, 'unavailable', '稍后再试'],
    ] as const
    for (const [status, error, words] of refusals) {
      standIn.refusals.set('sendMessage', { status, error, reason: saying('稍后再试') })
      await box(page).fill(error)
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByRole('alert').getByText(words).waitFor()
      expect(await box(page).inputValue()).toBe(error)
      expect(await page.locator('.turn.me').count()).toBe(0)
    }
  })

  test('a first message begins a conversation, which the list shows', async ({ expect }) => {
    const { page, standIn } = await open('#/assistant')
    await page.getByRole('button', { name: 'How much space' }).click()
    await page.keyboard.press('Enter')
    await page.locator('.turn.me', { hasText: 'How much space' }).waitFor()
    expect(new URL(page.url()).hash).toMatch(/^#\/assistant\/n\d+$/)
    expect(standIn.received.get('createConversation')).toEqual([
      { message: 'How much space is left on each downloader?' },
    ])
    await page.locator('.convs [aria-current=page]', { hasText: 'How much space' }).waitFor()
    // Writing goes on where it was.
    await expect.poll(() => page.evaluate<string>('document.activeElement.tagName')).toBe('TEXTAREA')
  })

  describe('an action that waits', () => {
    const card = (page: Page) => page.locator('.ask:not(.settled)')

    test('has the focus where nobody types, and one key allows it once', async ({ expect }) => {
      const { page, standIn } = await open(`#/assistant/${asking}`)
      await card(page).waitFor()
      expect(await card(page).innerText()).toMatch(
        /Copper\.Season.*\d:\d\d left.*61\.28\sGiB\s+Ratio 3\.42.*Delete the files too\s+Yes/s,
      )
      await expect.poll(() => page.evaluate<string>('document.activeElement.className')).toBe('ask danger')
      await page.keyboard.press('y')
      const settled = page.locator('.ask.settled')
      await settled.getByText('by you, here').waitFor()
      expect(await settled.innerText()).toMatch(/Allowed.*Copper\.Season/)
      await page.keyboard.press('x')
      await page.locator('.tool', { hasText: 'delete_torrent' }).getByText('done').waitFor()
      expect(standIn.received.get('decideConfirmation')).toEqual([{ approve: true }])
      await expect
        .poll(() => page.evaluate<string>('document.activeElement.className'), { timeout: 10_000 })
        .toContain('ask')
    })

    test('does not take the letters of somebody who writes', async ({ expect }) => {
      const { page, standIn } = await open(`#/assistant/${idle}`)
      begin(standIn.assistant, idle, 'pause it')
      await page.getByText('The assistant is at work').waitFor()
      await box(page).fill('wh')
      standIn.assistant.ask(idle, 'pause_torrent', given, summary)
      await card(page).getByText('Pause the torrent: “Open.Charts” (nas-1).').waitFor()
      await page.keyboard.type('y x')
      expect(await box(page).inputValue()).toBe('why x')
      await page.keyboard.press('Escape')
      await expect
        .poll(() => page.evaluate<string>('document.activeElement.className'), { timeout: 10_000 })
        .toBe('ask')
      expect(standIn.received.get('decideConfirmation')).toBeUndefined()
      await card(page).getByRole('button', { name: 'Refuse' }).click()
      await page.locator('.ask.settled').getByText('Refused').waitFor()
      expect(await page.locator('.tool').count()).toBe(0)
      expect(standIn.received.get('decideConfirmation')).toEqual([{ approve: false }])
    })

    test('shows how it was decided elsewhere', async ({ expect }) => {
      const { page, standIn } = await open(`#/assistant/${idle}`)
      const { assistant } = standIn
      begin(assistant, idle, 'pause them')
      const ways = [
        ['expired', undefined, 'Not decided in time'],
        ['approved', 'session', 'Allowed'],
        ['denied', 'session', 'in another window'],
      ] as const
      for (const [status, by, words] of ways) {
        const { id } = assistant.ask(idle, 'pause_torrent', given, summary)
        await card(page)
          .getByText(/[45]:\d\d left/)
          .waitFor()
        assistant.decide(id, status, by)
        await page.locator('.ask.settled').getByText(words).last().waitFor()
      }
      expect(await page.locator('.ask').count()).toBe(3)
    })

    test('says so when another decision was quicker', async ({ expect }) => {
      const { page, standIn } = await open(`#/assistant/${asking}`)
      standIn.refusals.set('decideConfirmation', {
        status: 409,
        error: 'decided',
        reason: { kind: 'assistant.decided' },
      })
      await card(page).getByRole('button', { name: 'Delete with files' }).click()
      await card(page).getByText('Already decided').waitFor()
      expect(await card(page).getByRole('button').count()).toBe(0)
      standIn.assistant.decide('q1', 'denied', 'session')
      await page.locator('.ask.settled').getByText('Refused').waitFor()
    })

    test('stays open when the decision did not get through', async ({ expect }) => {
      const { page, standIn } = await open(`#/assistant/${asking}`)
      standIn.refusals.set('decideConfirmation', { status: 500, error: 'internal', reason: { kind: 'internal' } })
      await card(page).getByRole('button', { name: 'Refuse' }).click()
      await card(page).getByText('Not decided.').waitFor()
      standIn.refusals.clear()
      await card(page).getByRole('button', { name: 'Refuse' }).click()
      await page.locator('.ask.settled').waitFor()
      expect(await page.locator('.ask.settled').innerText()).toContain('Refused')
    })

    test('cannot be decided by who may only read', async ({ expect }) => {
      const assistant = { ...inventedConversations(now), canConfirm: false }
      const { page } = await open(`#/assistant/${asking}`, { assistant })
      await card(page).getByText('somebody else has to decide').waitFor()
      expect(await card(page).getByRole('button').count()).toBe(0)
    })

    test('is voided with the answer that is stopped', async ({ expect }) => {
      const { page } = await open(`#/assistant/${asking}`)
      await card(page).waitFor()
      await page.getByRole('button', { name: 'Stop' }).click()
      await page.locator('.ask.settled').getByText('Not decided in time').waitFor()
      await page.locator('.notice', { hasText: '已停止。' }).waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Stop' }).count()).toBe(0)
    })
  })

  test('a tool is one line that opens to what was asked and what came of it', async ({ expect }) => {
    const { page } = await open(`#/assistant/${asking}`)
    const tool = page.locator('.tool').first()
    await tool.waitFor()
    expect(await tool.locator('summary').innerText()).toMatch(
      /list_downloader_torrents\s+state = paused, downloader_id = 1\s+3 entries/,
    )
    await tool.locator('summary').click()
    await tool.locator('pre', { hasText: 'Copper.Season' }).waitFor()
    expect(await tool.locator('dl').innerText()).toMatch(/Downloader\s+1/)
    expect(await axeFindings(page)).toEqual([])
  })

  test('a lost connection keeps what is there, and nothing is missed or doubled', async ({ expect }) => {
    const { page, standIn } = await open(`#/assistant/${idle}`)
    const { assistant } = standIn
    begin(assistant, idle, 'count')
    await page.getByText('The assistant is at work').waitFor()
    // What is told next goes to a poll that waits; only the one after it is refused.
    await expect.poll(() => assistant.waitingCount).toBe(1)
    standIn.refusals.set('followConversation', {
      status: 503,
      error: 'unavailable',
      reason: { kind: 'account.unreadable' },
    })
    assistant.tell(idle, { type: 'delta', text: 'one ' })
    await page.locator('.turn.live', { hasText: 'one' }).waitFor()
    await page.getByText('No connection.').waitFor()
    assistant.tell(idle, { type: 'delta', text: 'two ' })
    assistant.finish(idle, 'done')
    expect(await page.locator('.turn.me').count()).toBe(1)
    standIn.refusals.clear()
    // The page may have asked again by itself, and then there is nothing to press.
    void page
      .getByRole('button', { name: 'Retry' })
      .click()
      .catch(() => undefined)
    await page.locator('[role=log] .prose').waitFor()
    expect(await page.locator('.prose').allInnerTexts()).toEqual(['one two'])
    await expect.poll(() => page.getByText('No connection.').count()).toBe(0)
  })

  test('after events were lost the conversation is read again', async ({ expect }) => {
    const { page, standIn } = await open(`#/assistant/${idle}`)
    const { assistant } = standIn
    begin(assistant, idle, 'count')
    assistant.tell(idle, { type: 'delta', text: 'half an ans' })
    await page.locator('.turn.live', { hasText: 'half an ans' }).waitFor()
    const readings = standIn.received.get('getConversation')?.length ?? 0
    assistant.finish(idle, 'failed', '服务在回答过程中重新启动，这次回答已中断。')
    assistant.lose(idle)
    await page.locator('.notice', { hasText: '已中断' }).waitFor()
    await expect.poll(() => standIn.received.get('getConversation')?.length).toBe(readings + 1)
    expect(await page.locator('.turn.me').count()).toBe(1)
    begin(assistant, idle, 'again')
    await page.locator('.turn.me', { hasText: 'again' }).waitFor()
  })

  test('whoever leaves the screen waits for nothing any more', async ({ expect }) => {
    const { page, standIn } = await open(`#/assistant/${idle}`)
    await expect.poll(() => standIn.assistant.waitingCount).toBe(1)
    await page.getByRole('link', { name: 'How much will' }).waitFor()
    await page.getByRole('link', { name: '把刷流的种子清一清' }).click()
    // One at a time, whichever is open.
    await expect.poll(() => standIn.received.get('getConversation')?.length).toBe(2)
    await expect.poll(() => standIn.assistant.waitingCount).toBe(1)
    await page.getByRole('link', { name: 'Audit log' }).first().click()
    await expect.poll(() => standIn.assistant.waitingCount).toBe(0)
  })

  test('a conversation is deleted in two steps, and what is gone says so', async ({ expect }) => {
    const { page, standIn } = await open(`#/assistant/${idle}`)
    await page.getByRole('button', { name: 'Delete conversation' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Delete “How much will nas-1 still hold?”?').waitFor()
    await expect
      .poll(() => page.evaluate<string>('document.activeElement.textContent'), { timeout: 10_000 })
      .toBe('Cancel')
    expect(standIn.received.get('deleteConversation')).toBeUndefined()
    await dialog.getByRole('button', { name: 'Delete conversation' }).click()
    await expect.poll(() => page.locator('.convs a').count()).toBe(5)
    expect(new URL(page.url()).hash).toBe('#/assistant')
    await page.evaluate(`location.hash = '#/assistant/${idle}'`)
    await page.getByText('This conversation does not exist any more').waitFor()
  })

  test('where it is turned off it says where to turn it on, and old conversations stay readable', {
    tags: 'slow',
  }, async ({ expect }) => {
    const { conversations } = inventedConversations(now)
    const { page, standIn } = await open(`#/assistant/${asking}`, { assistant: { ...noAssistant, conversations } })
    await page.getByText('The assistant is not turned on.').waitFor()
    await page.locator('.turn.me').waitFor()
    expect(await page.locator('.composer').count()).toBe(0)
    await page.getByRole('link', { name: 'Set it up' }).click()
    const form = page.locator('.su-form', { hasText: 'Own gateway' })
    const offered = () =>
      form.locator('datalist option').evaluateAll((all) => all.map((one) => one.getAttribute('value')))
    await expect.poll(offered).toEqual(['default', 'maker.model-v1'])
    await form.getByLabel('Another service').check()
    await expect.poll(offered).toEqual([])
    await form.getByLabel('In use').check()
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('The name of a model is needed.').waitFor()
    await form.getByText('An address like').waitFor()
    expect(standIn.received.get('changeAssistantSettings')).toBeUndefined()
    await form.getByLabel('Address').fill('https://models.example/v1')
    await form.getByLabel('API key').fill('sk-planted')
    await form.getByRole('button', { name: 'Try it' }).click()
    await form.getByText('Models it lists, offered in the field: 3').waitFor()
    expect(await offered()).toEqual(['listed-1', 'listed-2', 'talker'])
    await form.getByLabel('Name of the model').fill('silent')
    await form.getByRole('button', { name: 'Try it' }).click()
    await form.getByText('The model service has no such address or model').waitFor()
    await form.getByLabel('Name of the model').fill('talker')
    await form.getByRole('button', { name: 'Try it' }).click()
    await form.getByText('It called no tool').waitFor()
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Saved.').waitFor()
    const model = { endpoint: 'address', address: 'https://models.example/v1', model: 'talker', api_key: 'sk-planted' }
    expect(standIn.received.get('testAssistant')?.at(-1)).toEqual(model)
    expect(standIn.received.get('changeAssistantSettings')).toEqual([{ enabled: true, ...model }])
    // The key is gone from the page; saving again leaves the stored one alone, another address needs it anew.
    expect(await form.getByLabel('API key').inputValue()).toBe('')
    await form.getByText('Stored. Leave empty to keep it.').waitFor()
    await form.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => standIn.received.get('changeAssistantSettings')?.length).toBe(2)
    expect(standIn.received.get('changeAssistantSettings')?.at(-1)).not.toHaveProperty('api_key')
    await form.getByLabel('Address').fill('https://other.example/v1')
    await form.getByText('For a new address the key has to be typed again.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(await page.content()).not.toContain('sk-planted')
  })

  test('whatever a model or a name holds, it is text', async ({ expect }) => {
    const payloads = [
      `<img src=x onerror="alert('model')">`,
      '<script>alert(1)</script>',
      '[a](javascript:alert(2))',
      '[b](data:text/html,<script>alert(3)</script>)',
      '\u202Egpj.exe',
      '[bank](https://evil.example/ö)',
    ]
    const hostile = payloads.join('\n\n')
    const { page, standIn, troubles } = await open(`#/assistant/${idle}`)
    const { assistant } = standIn
    begin(assistant, idle, hostile)
    assistant.tell(idle, { type: 'delta', text: `${hostile}\n\n\`\`\`\n${hostile}\n\`\`\`\n| ${payloads[0]} |\n|---|` })
    assistant.ask(idle, 'delete_torrent', { [hostile]: hostile, deep: { hostile }, targets: hostile }, hostile)
    await page.locator('.ask').waitFor()
    await page.locator('.ask summary').click()
    assistant.decide(
      assistant.state.conversations.find(({ id }) => id === idle)?.confirmations[0]?.id ?? '',
      'approved',
    )
    assistant.finish(idle, 'failed', hostile)
    await page.locator('.notice').waitFor()
    await page.locator('.tool summary').click()
    expect(await page.locator('main img, main script, main [onerror]').count()).toBe(0)
    const links = await page.locator('.talk a').all()
    const shown = await Promise.all(links.map(async (a) => [await a.innerText(), await a.getAttribute('href')]))
    for (const [text, href] of shown) expect(text).toBe(href)
    expect([...new Set(shown.map(([, href]) => href))]).toEqual(['https://evil.example/%C3%B6'])
    expect(await page.locator('.talk').innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    expect(await policyViolations(page)).toEqual([])
    expect(troubles).toEqual([])
  })

  test('on a phone the list is a screen of its own', async ({ expect }) => {
    const { page } = await open('#/assistant', {}, { viewport: { width: 390, height: 844 }, hasTouch: true })
    await page.getByRole('link', { name: /本周哪些站点快到期/ }).click()
    await page.locator('.ask').waitFor()
    expect(await page.locator('.convs').isVisible()).toBe(false)
    await page.getByText('1 action waits for you').waitFor()
    await page.getByRole('button', { name: 'Look' }).click()
    await expect
      .poll(() => page.evaluate<string>('document.activeElement.className'), { timeout: 10_000 })
      .toBe('ask danger')
    await page.getByRole('link', { name: 'All conversations' }).click()
    await page.locator('.convs').waitFor()
    expect(await page.locator('.chat').isVisible()).toBe(false)
  })
})
