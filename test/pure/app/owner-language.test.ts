import { test } from 'vitest'
import { ownerLanguage } from '../../../workers/app/services/assistant/owner-language.ts'
import { localeOf } from '../../support/locale-of.ts'

test('the owner is answered in the chosen language, and in that of the documents while it cannot be read', async ({
  expect,
}) => {
  const logged: string[] = []
  const logger = { info: () => {}, error: (event: string) => void logged.push(event) }
  const unreadable = { read: () => Promise.reject(new Error('away')), forget: () => {} }

  expect(await ownerLanguage({ locale: localeOf('', 'en'), logger })).toBe('en')
  expect(logged).toEqual([])
  expect(await ownerLanguage({ locale: unreadable, logger })).toBe('zh')
  expect(logged).toEqual(['owner_language_unreadable'])
})
