// @module-tag slow
/** The form of a service as a channel in Chromium: drawn from what the server says of it. */
import { describe, test } from 'vitest'
import { channelServices } from '../../workers/app/core/channel-services/services.ts'
import { axeFindings, chromiumPart } from '../support/chromium.ts'
import { consoleScreens } from '../support/console-screens.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }

describe.skipIf(chromiumPart.isMissing)(`services as channels ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test('one is tried, added, changed without its secret, and loses it', async ({ expect }) => {
    const { page, standIn, troubles } = await open('#/channels/new')
    await page.getByLabel('Name', { exact: true }).fill('Pocket')
    await page.getByRole('radio', { name: /^A service/ }).check()
    await page.getByLabel('Service', { exact: true }).selectOption('gotify')
    await page.getByLabel('Service', { exact: true }).selectOption('ntfy')
    expect(await page.getByLabel('Server').inputValue()).toBe('https://ntfy.sh')
    await page.getByRole('button', { name: 'Add channel' }).click()
    await page.getByText('This is needed.').waitFor()
    await page.getByLabel('Topic').fill('harbour')
    await page.getByLabel('Server').fill('ntfy.example')
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('An address that starts with http:// or https:// is needed.').waitFor()
    await page.getByLabel('Server').fill('https://refused.example')
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The token or key is not accepted').waitFor()
    await page.getByLabel('Server').fill('https://ntfy.example')
    await page.getByLabel('Access token').fill('tk_secret')
    expect(await page.getByLabel('Access token').getAttribute('type')).toBe('password')
    await page.getByRole('button', { name: 'Add channel' }).click()
    const row = page.locator('.channels > li', { hasText: 'Pocket' })
    await row.waitFor()
    expect(standIn.received.get('addChannel')?.[0]).toMatchObject({
      type: 'ntfy',
      fields: { server: 'https://ntfy.example', topic: 'harbour', token: 'tk_secret' },
    })
    expect(await row.innerText()).toMatch(/Pocket\s*ntfy\s*https:\/\/ntfy\.example harbour ·/)

    await row.getByRole('link', { name: 'Edit' }).click()
    await page.getByText('Stored. Leave it empty to keep it.').waitFor()
    await page.getByLabel('Topic').fill('quay')
    await page.getByRole('button', { name: 'Save' }).click()
    await row.waitFor()
    expect(standIn.received.get('changeChannel')?.at(-1)).toMatchObject({
      type: 'ntfy',
      fields: { server: 'https://ntfy.example', topic: 'quay' },
    })
    await row.getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('Take it away').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await row.waitFor()
    expect(standIn.received.get('changeChannel')?.at(-1)).toMatchObject({ fields: { token: '' } })
    expect(troubles).toEqual([])
  })

  test.for([
    ['en', 'A service', 'Service'],
    ['zh', '推送服务', '服务'],
  ] as const)(
    'in %s each service has its own boxes, which fit a phone and are accessible',
    async ([language, card, label], { expect }) => {
      const { page } = await open('#/channels/new', {}, { ...phone, locale: language === 'zh' ? 'zh-CN' : 'en-GB' })
      await page.getByRole('radio', { name: new RegExp(`^${card}`) }).check()
      const findings: string[] = []
      for (const { type, name, fields } of channelServices) {
        await page.getByLabel(label, { exact: true }).selectOption({ label: name[language] })
        for (const field of fields) await page.getByLabel(field.label[language], { exact: true }).waitFor()
        findings.push(...(await axeFindings(page)).map((finding) => `${type}: ${finding}`))
        const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
        if (over > 0) findings.push(`${type} is too wide by ${over} px`)
      }
      expect(findings).toEqual([])
    },
  )
})
