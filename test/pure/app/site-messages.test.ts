/**
 * Unread messages of an account: pages as the software lists its inbox (`public/messages.php`, and that of hongcoo/NEXUSPT at
 * 9baff49), answers as a fork gives them.
 */
import { describe, test } from 'vitest'
import { createSiteDriver } from '../../../workers/app/adapters/sites/create-driver.ts'
import { siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import type { SiteKind } from '../../../workers/app/core/vocabulary.ts'
import { siteMessagesMax } from '../../../workers/app/limits.ts'
import { allLooks, mailboxPage, type PageMessage } from '../../support/nexusphp-pages.ts'
import { themeAccount } from '../../support/nexusphp-themes.ts'
import { siteRuntime } from '../../support/site-runtime.ts'

function messagesOf(kind: SiteKind, answer: string) {
  const asked: string[] = []
  const driver = createSiteDriver(
    { kind, baseUrl: 'https://site.example', credentials: { cookie: 'c', apiKey: '' }, profile: siteProfile(kind, {}) },
    siteRuntime(async (address) => {
      asked.push(address)
      return new Response(answer)
    }),
  )
  return { asked, read: () => driver.messages?.(AbortSignal.timeout(5000)) }
}

const message = (id: number, change: Partial<PageMessage> = {}): PageMessage => ({
  ...{ id, subject: `Notice ${id} &amp; more`, sender: '<b>keeper</b>', time: '2026-11-20 18:30:00', isUnread: true },
  ...change,
})
const shown = { subject: 'Notice 1 & more', sender: 'keeper', atUnix: Date.UTC(2026, 10, 20, 10, 30) / 1000 }

describe('the inbox as pages list it', () => {
  test.for(allLooks.filter(({ promotionStyle }) => promotionStyle === 'icon'))(
    'gives subject, sender and time of what is unread: $version $language $timeType',
    async (look, { expect }) => {
      const page = mailboxPage(look, themeAccount, [message(1), message(2, { isUnread: false })])
      const { asked, read } = messagesOf('nexusphp', page)
      expect(await read()).toEqual({ ok: true, value: [shown] })
      expect(asked).toEqual(['https://site.example/messages.php?action=viewmailbox&box=1&unread=yes'])
    },
  )

  test('is read by what the mark says, where a fork has another picture', async ({ expect }) => {
    const [look] = allLooks
    if (look === undefined) throw new Error('no look')
    const page = mailboxPage(look, themeAccount, [message(1), message(2, { isUnread: false })])
    const forked = page.replaceAll(/class="(?:un)?readpm"/g, 'class="bookmark"')
    expect(forked).not.toBe(page)
    expect(await messagesOf('nexusphp', forked).read()).toEqual({ ok: true, value: [shown] })
  })

  test('may be empty, is bounded, and is no other page', async ({ expect }) => {
    const [look] = allLooks
    if (look === undefined) throw new Error('no look')
    const of = (count: number) =>
      mailboxPage(
        look,
        themeAccount,
        Array.from({ length: count }, (_, at) => message(at)),
      )
    const countOf = async (page: string) => {
      const read = await messagesOf('nexusphp', page).read()
      return read?.ok === true ? read.value.length : read?.failure
    }
    expect(await countOf(of(0))).toBe(0)
    expect(await countOf(of(siteMessagesMax))).toBe(siteMessagesMax)
    expect(await countOf(of(siteMessagesMax + 1))).toBe(siteMessagesMax)
    expect(await countOf('<html><body>moved</body></html>')).toEqual({ kind: 'broken', part: 'page' })
  })
})

/** `app/Json/Inbox.php` of OPSnet/Gazelle at 0a3f8e3a. */
describe('the inbox as JSON', () => {
  const one = { convId: 7, sticky: false, senderId: 0, username: 'System', avatar: null, date: '2026-11-20 10:30:00' }
  test('gives what is unread', async ({ expect }) => {
    const messages = [
      { ...one, subject: 'Notice &amp; more', unread: true },
      { ...one, subject: 'Read', unread: false },
    ]
    const answer = { status: 'success', response: { currentPage: 1, pages: 1, messages } }
    const { asked, read } = messagesOf('gazelle', JSON.stringify(answer))
    expect(await read()).toEqual({ ok: true, value: [{ ...shown, subject: 'Notice & more', sender: 'System' }] })
    expect(asked).toEqual(['https://site.example/ajax.php?action=inbox&type=inbox&sort=unread'])
  })
})

test('a site without a list of them has none', ({ expect }) => {
  expect(messagesOf('unit3d', '{}').read()).toBeUndefined()
})
