import { describe, test } from 'vitest'
import { wireErrorCode } from '../../../../workers/app/contract/error.ts'
import type { Reason } from '../../../../workers/app/core/reason/reason.ts'
import { failureCodes } from '../../../../workers/app/core/vocabulary.ts'
import { passwordCharactersMin } from '../../../../workers/app/limits.ts'
import { chinese } from '../../../../workers/app/web/locales/chinese.ts'
import { english } from '../../../../workers/app/web/locales/english.ts'
import { failureText, waitParts } from '../../../../workers/app/web/model/failure-words.ts'
import { isPasswordRefused, passwordStrength } from '../../../../workers/app/web/model/password-strength.ts'
import { refusedField } from '../../../../workers/app/web/model/reasons.ts'

type Leaf = string | ((...values: never[]) => string)
interface Tree {
  readonly [key: string]: Leaf | Tree
}

function leaves(tree: Tree, path = ''): [string, Leaf][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'object' ? leaves(value, `${path}${key}.`) : [[`${path}${key}`, value] as [string, Leaf]],
  )
}

const written = leaves(english).map(
  ([path, inEnglish], at) => [path, inEnglish, leaves(chinese)[at]?.[1] ?? ''] as const,
)

/** Names and signs that both languages write alike. */
const alike = /^(?:downloaders|siteForm)\.kinds\.|^(?:secrets|settings)\.joint$/

describe('the two dictionaries', () => {
  test.for(written)('%s is written in both languages', ([path, inEnglish, inChinese], { expect }) => {
    expect(typeof inChinese).toBe(typeof inEnglish)
    if (typeof inEnglish !== 'string' || typeof inChinese !== 'string') return
    expect(inEnglish).not.toMatch(/\p{Script=Han}/u)
    expect(inEnglish).not.toMatch(/!|please|oops/i)
    if (!alike.test(path) && inEnglish !== '') expect(inChinese).toMatch(/\p{Script=Han}|。/u)
    expect(inChinese).not.toMatch(/您|！/)
  })

  test('say one and many as their language does', ({ expect }) => {
    expect(english.torrents.confirmDelete('1', '8 GiB')).toBe('Delete 1 torrent and 8 GiB of files?')
    expect(english.torrents.confirmDelete('3', '8 GiB')).toBe('Delete 3 torrents and 8 GiB of files?')
    expect(chinese.torrents.confirmDelete('3', '8 GiB')).toBe('删除 3 个种子和 8 GiB 文件？')
    expect(english.timeLeft.days(1)).toBe('1 day')
  })
})

describe('words for failures', () => {
  test('every code a screen can meet has words of its own or the general ones', ({ expect }) => {
    for (const code of failureCodes) expect(failureText(english.failures, wireErrorCode(code).error)).not.toBe('')
    expect(failureText(english.failures, 'busy')).toBe(english.failures.busy)
    expect(failureText(english.failures, 'made_up')).toBe(english.failures.other)
    expect(failureText(chinese.failures, 'constructor')).toBe(chinese.failures.other)
  })

  test.for([
    [0, '1 seconds'],
    [59, '59 seconds'],
    [60, '1 minutes'],
    [61, '2 minutes'],
    [900, '15 minutes'],
  ] as const)('a wait of %d seconds is told as %s', ([seconds, text], { expect }) => {
    const { value, unit } = waitParts(seconds)
    expect(`${value} ${unit}`).toBe(text)
  })
})

describe('the strength of a password', () => {
  test.for([
    [0, 'too-short'],
    [passwordCharactersMin - 1, 'too-short'],
    [passwordCharactersMin, 'fair'],
    [13, 'fair'],
    [14, 'good'],
    [19, 'good'],
    [20, 'strong'],
  ] as const)('a password of %i characters is %s', ([length, strength], { expect }) => {
    expect(passwordStrength('x'.repeat(length))).toBe(strength)
  })

  test.for([
    [passwordCharactersMin, passwordCharactersMin, false],
    [passwordCharactersMin - 1, passwordCharactersMin - 1, true],
    [passwordCharactersMin, passwordCharactersMin + 1, true],
    [0, 0, true],
  ] as const)('of %i characters and %i the second time it is refused: %s', ([once, twice, isRefused], { expect }) => {
    expect(isPasswordRefused({ password: 'x'.repeat(once), again: 'x'.repeat(twice) })).toBe(isRefused)
  })
})

describe('the field that the server refuses', () => {
  test.for([
    [{ kind: 'field.wrong', field: 'path', part: 'field' }, 'path'],
    [{ kind: 'field.wrong', field: 'overrides.user_agent', part: 'field' }, 'overrides.user_agent'],
    [{ kind: 'field.missing', field: 'name', part: 'field' }, 'name'],
    [{ kind: 'field.wrong_type', field: 'enabled' }, 'enabled'],
    [{ kind: 'field.unknown', fields: ['path'] }, undefined],
    [{ kind: 'history_unreadable' }, undefined],
  ] satisfies [Reason, string | undefined][])('of %o it is %s', ([reason, field], { expect }) => {
    expect(refusedField(reason)).toBe(field)
  })
})
