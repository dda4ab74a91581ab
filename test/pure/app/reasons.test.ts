import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'vitest'
import { wireErrorCode } from '../../../workers/app/contract/error.ts'
import { inChinese, reasonKinds } from '../../../workers/app/core/reason/chinese.ts'
import { inEnglish } from '../../../workers/app/core/reason/english.ts'
import { modelReasonInFull, siteReason } from '../../../workers/app/core/reason/of-fault.ts'
import type { Reason } from '../../../workers/app/core/reason/reason.ts'
import { Reasons } from '../../../workers/app/core/reason/reasons.ts'
import { prefersEnglish, sayFor } from '../../../workers/app/core/reason/say.ts'
import { readReason, storeReason } from '../../../workers/app/core/reason/stored-reason.ts'
import { cutTo, redact } from '../../../workers/app/core/redact.ts'
import { failureCodes } from '../../../workers/app/core/vocabulary.ts'
import { renderFailure } from '../../../workers/app/http/render-failure.ts'
import { messageCharactersMax } from '../../../workers/app/limits.ts'
import { chineseSites } from '../../../workers/app/web/locales/chinese-sites.ts'
import { englishSites } from '../../../workers/app/web/locales/english-sites.ts'
import { heartOf, isMendedInForm, mended, templateReasonOf } from '../../../workers/app/web/model/reasons.ts'
import { everyReason } from '../../support/every-reason.ts'

const told = Object.values(everyReason).flat() as readonly (readonly [Reason, string])[]
const timeout: Reason = { kind: 'site.timeout' }

/** With every mark that sentences put between names and reasons. */
const hardNames = ['站点（新）', 'a；b', '（（', '））', 'c、d：e', 'f (g); h', '「站」', '; 搜索失败：x（y）', '|][{}']

test.for([
  [519, 'site.status'],
  [520, 'site.behind_down'],
  [526, 'site.behind_down'],
  [527, 'site.status'],
  [529, 'site.status'],
  [530, 'site.behind_down'],
  [531, 'site.status'],
  [503, 'site.status'],
] as const)('a site that answers with %i is told of as %s', ([status, kind], { expect }) => {
  expect(siteReason({ kind: 'status', status })).toEqual({ kind, status })
})

describe('the sentences of reasons', () => {
  test.for(told)('%j is said in Chinese as the interface always said it', ([reason, chinese], { expect }) => {
    expect(inChinese(reason)).toBe(chinese)
  })

  test.for(told)('%j is said in English without a Chinese word of ours', ([reason, chinese], { expect }) => {
    const english = inEnglish(reason)
    const names = JSON.stringify(reason)
    expect(english === '').toBe(chinese === '')
    for (const word of english.match(/\p{Script=Han}+/gu) ?? []) expect(names).toContain(word)
    expect(english).not.toMatch(/undefined|\[object/)
  })

  test('none has a mark at its end, which a page sets', ({ expect }) => {
    const marked = told.filter(([reason]) => /[^ .]\.$|。$/mu.test(`${inEnglish(reason)}\n${inChinese(reason)}`))
    expect(marked).toEqual([])
  })

  test('the documents list every kind, and no other', ({ expect }) => {
    const listed = readFileSync(path.join(import.meta.dirname, '../../../docs/reasons.md'), 'utf8')
    const kinds = [...listed.matchAll(/^\| `([a-z_.]+)` \|/gm)].map(([, kind]) => kind)
    expect(kinds.toSorted()).toEqual([...reasonKinds].toSorted())
  })
})

describe('a search that no site answered', () => {
  const failed = (count: number): Reason => ({
    kind: 'search.failed',
    sites: Array.from({ length: count }, (_, at) => ({
      site: hardNames[at % hardNames.length] + String(Math.floor(at / hardNames.length)),
      reason: at % 3 === 0 ? { kind: 'site.status', status: 500 + (at % 7) } : timeout,
    })),
  })

  test.for([1, 25, 30, 100, 1000])(
    '%i sites stay what they are through storage and both languages',
    (count, { expect }) => {
      const reason = failed(count)
      if (reason.kind !== 'search.failed') throw new Error('not a search')
      expect(readReason(storeReason(reason))).toEqual(reason)
      for (const say of [inChinese, inEnglish]) {
        const said = say(reason)
        for (const { site } of reason.sites) expect(said).toContain(site)
      }
    },
  )
})

describe('a stored reason', () => {
  test.for(told)('%j comes back as it was', ([reason], { expect }) => {
    expect(readReason(storeReason(reason))).toEqual(reason)
  })

  test.for([
    '站点响应超时',
    '搜索失败：站点响应超时（站点（新））',
    '{站}：站点响应超时',
    '{"kind":"no such kind"}',
    '{"kind":"constructor"}',
    '{"kind":',
  ])('the sentence %j of an older version is quoted', (sentence, { expect }) => {
    const reason = readReason(sentence)
    expect(reason).toEqual({ kind: 'quoted', words: sentence })
    expect(inChinese(reason as Reason)).toBe(sentence)
  })

  test('none is none', ({ expect }) => {
    expect(readReason(storeReason(undefined))).toBeUndefined()
    expect(readReason(null)).toBeUndefined()
  })

  test('a secret in what somebody else said is gone when the reason is made', ({ expect }) => {
    const said = 'see https://api.example/v1?api_key=s3cretvalue and Bearer abcdef123456789'
    const reason = modelReasonInFull({ kind: 'refused', status: 400, detail: said })
    expect(JSON.stringify(reason)).not.toMatch(/s3cretvalue|abcdef123456789/)
    expect(storeReason(readReason('token=s3cretvalue'))).not.toContain('s3cretvalue')
  })
})

test('what goes wrong with one thing is told once each, in the order in which it came', ({ expect }) => {
  const faults = new Reasons()
  expect(faults.asOne()).toBeUndefined()
  faults.add(timeout)
  faults.add({ kind: 'site.timeout' })
  expect(faults.asOne()).toEqual(timeout)
  const more = new Reasons()
  more.add({ kind: 'push.space_unread' })
  faults.addAll(more)
  expect(faults.asOne()).toEqual({ kind: 'each', reasons: [timeout, { kind: 'push.space_unread' }] })
})

describe('the language of messages', () => {
  test.for<[accepted: string | null, isEnglish: boolean]>([
    [null, false],
    ['', false],
    ['*', false],
    ['en', true],
    ['en-GB,en;q=0.9', true],
    ['en,zh', true],
    ['zh,en', false],
    ['zh-CN,zh;q=0.9,en;q=0.8', false],
    ['zh;q=0.5,en;q=0.6', true],
    ['en;q=0', false],
    ['de,fr;q=0.8', false],
    ['de,en;q=0.1', true],
    ['EN-us', true],
    ['en;q=2', false],
    ['english', false],
  ])('%j prefers English: %s', ([accepted, isEnglish], { expect }) => {
    expect(prefersEnglish(accepted)).toBe(isEnglish)
  })
})

describe('reasons on a page', () => {
  test('where the page says what failed, it tells why', ({ expect }) => {
    expect(heartOf({ kind: 'sign_in.failed', reason: timeout })).toEqual(timeout)
    expect(heartOf({ kind: 'push.download', reason: timeout })).toEqual(timeout)
    expect(
      heartOf({ kind: 'field.wrong', field: 'name', part: 'field', rule: { kind: 'name_taken', what: 'site' } }),
    ).toEqual({ kind: 'name_taken', what: 'site' })
    const bound: Reason = { kind: 'field.wrong', field: 'q', part: 'parameter', rule: { kind: 'rule.not_empty' } }
    expect(heartOf(bound)).toEqual(bound)
  })

  test('what the form of a site mends leads there', ({ expect }) => {
    expect(isMendedInForm({ kind: 'sign_in.failed', reason: { kind: 'site.login_expired' } })).toBe(true)
    expect(isMendedInForm(timeout)).toBe(false)
    expect(isMendedInForm(undefined)).toBe(false)
  })

  test('what can be done is told of the same reasons in both languages', ({ expect }) => {
    const kinds = Object.keys(englishSites.reasonTodos)
    expect(Object.keys(chineseSites.reasonTodos)).toEqual(kinds)
    expect(kinds.filter((kind) => !(reasonKinds as readonly string[]).includes(kind))).toEqual([])
  })

  test('a name that is nearly right is put right in its line alone', ({ expect }) => {
    const fault = templateReasonOf({
      kind: 'template.unknown_variable',
      part: 'text',
      line: 2,
      name: 'titel',
      near: 'title',
    })
    if (fault === undefined) throw new Error('not of a template')
    expect(mended('{{ titel }}\n{{ titel }}\n', fault)).toBe('{{ titel }}\n{{ title }}\n')
    expect(templateReasonOf(timeout)).toBeUndefined()
  })
})

describe('a refusal', () => {
  test.for(failureCodes)(
    'with %s is in English for who prefers it and in Chinese for everybody else',
    async (code, { expect }) => {
      const { status, error } = wireErrorCode(code)
      for (const [reason, sentence] of told) {
        const answer = async (accepted?: string) => {
          const headers = new Headers(accepted === undefined ? {} : { 'accept-language': accepted })
          const response = renderFailure({ code, reason }, sayFor(headers))
          expect(response.status).toBe(status)
          return (await response.json()) as { error: string; message: string; reason: Reason }
        }
        const chinese = { error, message: cutTo(redact(sentence), messageCharactersMax), reason }
        for (const accepted of [undefined, '*', 'zh-CN,zh;q=0.9,en;q=0.8', 'de'])
          expect(await answer(accepted)).toEqual(chinese)
        const english = await answer('en-GB,en;q=0.9,zh;q=0.8')
        expect({ ...english, message: '' }).toEqual({ ...chinese, message: '' })
        expect(english.message === '').toBe(chinese.message === '')
        const names = JSON.stringify(reason)
        for (const word of english.message.match(/\p{Script=Han}+/gu) ?? []) expect(names).toContain(word)
      }
    },
  )
})
