import { describe, test } from 'vitest'
import { describeFailedSearch } from '../../../../workers/app/core/search-plan.ts'
import { describeSiteFault, type SiteFault } from '../../../../workers/app/core/site-fault.ts'
import { sitesOfFailedSearch } from '../../../../workers/app/web/model/failed-search.ts'
import { isMendedInForm, siteFaultOf, siteFaults } from '../../../../workers/app/web/model/site-faults.ts'
import { chinese } from '../../../../workers/app/web/words/chinese.ts'
import { english } from '../../../../workers/app/web/words/english.ts'

/** Typed against the server's list, so that a new reason does not compile until it stands here. */
const everyFault: Readonly<Record<SiteFault['kind'], readonly SiteFault[]>> = {
  login_expired: [{ kind: 'login_expired' }],
  challenge: [{ kind: 'challenge' }],
  rate_limited: [{ kind: 'rate_limited' }],
  unreachable: [{ kind: 'unreachable' }],
  proxy_unreachable: [{ kind: 'proxy_unreachable' }],
  proxy_refused: [{ kind: 'proxy_refused' }],
  proxy_unsupported: [{ kind: 'proxy_unsupported' }],
  certificate: [{ kind: 'certificate' }],
  timeout: [{ kind: 'timeout' }],
  too_large: [{ kind: 'too_large' }],
  redirected: [{ kind: 'redirected' }],
  broken: (['page', 'json', 'xml', 'list', 'account', 'sign_in', 'torrent'] as const).map((part) => ({
    kind: 'broken',
    part,
  })),
  search_first: [{ kind: 'search_first' }],
  refused: [{ kind: 'refused' }],
  status: [{ kind: 'status', status: 503 }],
  no_credentials: [{ kind: 'no_credentials' }],
  secrets: [
    { kind: 'secrets', state: 'missing' },
    { kind: 'secrets', state: 'changed' },
  ],
  unsupported: [{ kind: 'unsupported' }],
  busy: [{ kind: 'busy' }],
  interrupted: [{ kind: 'interrupted' }],
}

describe('reasons of sites', () => {
  test.for(Object.values(everyFault).flat())('the page knows what the server says of %o', (fault, { expect }) => {
    const sentence = describeSiteFault(fault)
    expect(siteFaultOf(sentence)?.name).toBe(fault.kind)
    expect(siteFaultOf(`签到失败：${sentence}`)?.name).toBe(fault.kind)
  })

  test('a status is told with its number', ({ expect }) => {
    expect(siteFaultOf(describeSiteFault({ kind: 'status', status: 418 }))).toEqual({ name: 'status', status: '418' })
  })

  test('the page knows no reason the server does not give', ({ expect }) => {
    const said = new Set(Object.values(everyFault).flat().map(describeSiteFault))
    // These two come from the work itself and not from a site.
    const own = new Set<string>([...siteFaults.gave_up, ...siteFaults.internal])
    const known = Object.values(siteFaults).flat()
    expect(known.filter((sentence) => !said.has(sentence) && !own.has(sentence))).toEqual([])
  })

  test.for(['', 'constructor', '站点返回了意外的 HTTP 状态 12', '别的话'])(
    '%j is no known reason',
    (words, { expect }) => {
      expect(siteFaultOf(words)).toBeUndefined()
    },
  )

  test('every reason has words in both languages, and one that the form mends says so', ({ expect }) => {
    for (const name of Object.keys(siteFaults) as (keyof typeof siteFaults)[]) {
      expect(english.siteFaults[name].what).toMatch(/\.$/)
      expect(chinese.siteFaults[name].what).toMatch(/。$/)
      if (isMendedInForm(name)) expect(english.siteFaults[name].todo).not.toBe('')
    }
  })

  test('the page knows which sites a failed search names, and why', ({ expect }) => {
    const errors = Object.values(everyFault)
      .flat()
      .flatMap((fault, at) => [`first${at}`, `second.${at}`].map((site) => ({ site, error: describeSiteFault(fault) })))

    expect(sitesOfFailedSearch(describeFailedSearch(errors))).toEqual(errors)
  })

  test('a failed search whose message was cut names those before the cut', ({ expect }) => {
    expect(sitesOfFailedSearch('搜索失败：站点响应超时（first、second）；无法连接站点（thi…')).toEqual([
      { site: 'first', error: '站点响应超时' },
      { site: 'second', error: '站点响应超时' },
    ])
    expect(sitesOfFailedSearch('搜索失败')).toEqual([])
  })
})
