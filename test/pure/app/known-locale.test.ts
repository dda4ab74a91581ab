import { test } from 'vitest'
import { renderTemplate } from '../../../workers/app/adapters/template-engine.ts'
import { createAssistantNotices } from '../../../workers/app/services/assistant/assistant-notices.ts'
import { knownLocale } from '../../../workers/app/services/assistant/known-locale.ts'
import { localeOf } from '../../support/locale-of.ts'

const unreadable = { read: () => Promise.reject(new Error('away')), forget: () => {} }

function logging() {
  const logged: string[] = []
  return { logged, logger: { info: () => {}, error: (event: string) => void logged.push(event) } }
}

test('the owner is answered in the chosen language, and in that of the documents while it cannot be read', async ({
  expect,
}) => {
  const { logged, logger } = logging()

  expect(await knownLocale({ locale: localeOf('Asia/Tokyo', 'en'), logger })).toEqual({
    timeZone: 'Asia/Tokyo',
    language: 'en',
  })
  expect(logged).toEqual([])
  expect(await knownLocale({ locale: unreadable, logger })).toEqual({ timeZone: 'UTC', language: 'zh' })
  expect(logged).toEqual(['owner_locale_unreadable'])
})

test('why an answer ended is said while neither the settings nor the owner’s words can be read', async ({ expect }) => {
  const { logged, logger } = logging()
  const notices = createAssistantNotices({
    templates: { render: () => Promise.reject(new Error('away')) } as never,
    clock: { nowMs: () => 0 },
    logger,
    locale: unreadable,
    renderTemplate,
  })

  expect(await notices.say({ kind: 'run.cut' })).toMatch(/\p{Script=Han}.*。$/u)
  expect(await notices.write('assistant.failed', { reason: { kind: 'run.interrupted' } })).toMatch(/\p{Script=Han}/u)
  expect(logged).toEqual(['owner_locale_unreadable', 'owner_locale_unreadable', 'template_unreadable'])
})
