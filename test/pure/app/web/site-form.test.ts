import { describe, test } from 'vitest'
import { addSite, testSite, type WireConsoleSite } from '../../../../workers/app/contract/console-sites.ts'
import { type SiteOverrides, siteOverrides } from '../../../../workers/app/contract/site-definition.ts'
import { labelNames as labelsOfServer, siteAbilities } from '../../../../workers/app/core/site.ts'
import { siteKinds } from '../../../../workers/app/core/vocabulary.ts'
import { siteUserAgentCharactersMax, utcOffsetMinutesMax } from '../../../../workers/app/limits.ts'
import {
  changedSite,
  credentialOfKind,
  type DraftField,
  definitionName,
  draftOf,
  faultyFields,
  findDefinitions,
  newDraft,
  type SiteDraft,
  siteBodyOf,
  siteNamePattern,
  suggestedName,
  testBodyOf,
} from '../../../../workers/app/web/model/site-form.ts'
import {
  labelNames,
  overrideDraft,
  overridesOf,
  pathNames,
  withoutOverride,
} from '../../../../workers/app/web/model/site-overrides.ts'
import { inventedLibrary } from '../../../support/invented-library.ts'

const sites = inventedLibrary(1_800_000_000).sites ?? []
const good: SiteDraft = { ...newDraft('nexusphp'), name: 'lantern', address: 'https://lantern.example' }

describe('what the page knows of site kinds', () => {
  test('is what the server knows', ({ expect }) => {
    for (const kind of siteKinds) {
      expect(credentialOfKind[kind]).toBe(siteAbilities[kind].credential)
      expect(newDraft(kind).autoSignIn).toBe(siteAbilities[kind].signIn)
    }
  })
})

describe('what an owner says of a site beyond its address', () => {
  const overrides: SiteOverrides = {
    user_agent: 'Mozilla/5.0 (mine)',
    labels: { bonus: ['贝壳', 'shells'], uploaded: ['支出'] },
    paths: { user: 'u.php', search: 'list.php' },
    headers: { 'accept-language': 'zh-CN', referer: 'https://a.example/?b: c' },
    hosts: ['kp.lantern.example', 'old.lantern.example:8443'],
    selectors: { title: 'a.t' },
  }
  const stored = { ...(sites[0] as WireConsoleSite), kind: 'nexusphp' as const, overrides }

  test('stands in the form as it is stored, and is sent as it stands there', ({ expect }) => {
    const draft = draftOf(stored)

    expect(draft.labels.bonus).toBe('贝壳, shells')
    expect(draft.paths.user).toBe('u.php')
    expect(draft.headers).toBe('accept-language: zh-CN\nreferer: https://a.example/?b: c')
    expect(draft.hosts).toBe('kp.lantern.example, old.lantern.example:8443')
    expect(JSON.parse(draft.others)).toEqual({ selectors: { title: 'a.t' } })
    expect(faultyFields(draft).size).toBe(0)
    expect(siteBodyOf(draft, 'cookie').overrides).toEqual(overrides)
    expect(siteOverrides.safeParse(siteBodyOf(draft, 'cookie').overrides).success).toBe(true)
  })

  test('may be typed as it comes', ({ expect }) => {
    const draft = {
      ...good,
      labels: { ...good.labels, bonus: ' 贝壳：， shells 、,' },
      paths: { ...good.paths, user: ' /u.php ' },
      headers: '\n Accept-Language :  en \r\n\n',
      hosts: ' https://KP.Lantern.example/index.php， old.lantern.example,kp.lantern.example ',
    }
    expect(siteBodyOf(draft, 'cookie').overrides).toEqual({
      labels: { bonus: ['贝壳', 'shells'] },
      paths: { user: 'u.php' },
      headers: { 'Accept-Language': 'en' },
      hosts: ['kp.lantern.example', 'old.lantern.example'],
    })
  })

  test('gone from the form is gone from the site', ({ expect }) => {
    const emptied = { ...draftOf(stored), ...overrideDraft(), userAgent: '', others: '' }
    expect(siteBodyOf(emptied, 'cookie').overrides).toEqual({})
  })

  test.for(['no colon', 'a: b\na: c', ': b', 'a b: c'])('is at fault with %j for headers', (headers, { expect }) => {
    expect([...faultyFields({ ...good, headers })]).toEqual(['headers'])
  })

  test.for(['lantern', 'a b', 'user@lantern.example', Array.from({ length: 9 }, (_, at) => `h${at}.example`).join()])(
    'is at fault with %j for hosts',
    (hosts, { expect }) => {
      expect([...faultyFields({ ...good, hosts })]).toEqual(['hosts'])
    },
  )

  test('has a field for every word and page that the server takes', ({ expect }) => {
    expect(labelNames.toSorted()).toEqual([...labelsOfServer].toSorted())
    expect(pathNames.toSorted()).toEqual(Object.keys(siteOverrides.shape.paths.unwrap().shape).toSorted())
  })
})

describe('a new site', () => {
  test('of a definition with an address starts with its name, address and limit', ({ expect }) => {
    const draft = newDraft({
      id: 'mteam',
      name: 'M-Team',
      kind: 'mteam',
      address: 'https://api.m-team.cc/api',
      inactivity_days: 40,
      sign_in: false,
    })
    expect(draft).toMatchObject({ displayName: 'M-Team', name: 'mteam', definition: 'mteam', inactivityDays: '40' })
    expect(faultyFields(draft).size).toBe(0)
  })

  test('with a cookie starts as the browser that it is set up in, one with a key does not', ({ expect }) => {
    const drafts = (['nexusphp', 'unit3d'] as const).map((kind) => newDraft(kind, 'Mozilla/5.0 of the owner'))

    expect(drafts.map(({ userAgent }) => userAgent)).toEqual(['Mozilla/5.0 of the owner', ''])
    const [first = good] = drafts
    expect(siteBodyOf({ ...first, name: 'a' }, 'cookie').overrides).toEqual({ user_agent: 'Mozilla/5.0 of the owner' })
    expect([...faultyFields({ ...good, userAgent: '浏览器' })]).toEqual(['userAgent'])
  })

  test.for([
    ['a browser', 'M'.repeat(siteUserAgentCharactersMax), true],
    ['a longer one', 'M'.repeat(siteUserAgentCharactersMax + 1), false],
    ['two lines', 'a\r\nx: 1', false],
    ['other letters', '浏览器', false],
    ['nothing', '', false],
  ] as const)('may be told %s: %#', ([, user_agent, isTaken], { expect }) => {
    expect(siteOverrides.safeParse({ user_agent }).success).toBe(isTaken)
  })

  test('of a definition that stands for many leaves the name to its owner', ({ expect }) => {
    const draft = newDraft({ id: 'nexusphp', name: 'NexusPHP 站点', kind: 'nexusphp', sign_in: true })
    expect(draft).toMatchObject({ displayName: '', name: '', address: '' })
    expect([...faultyFields(draft)].toSorted()).toEqual(['address', 'name'])
  })

  test.for([
    ['Ginkgo 银杏', 'ginkgo'],
    ['  The Salt & Road  ', 'the-salt-road'],
    ['Café', 'cafe'],
    ['观星台', ''],
    ['x'.repeat(80), 'x'.repeat(64)],
  ] as const)('%s suggests the name %j', ([from, name], { expect }) => {
    expect(suggestedName(from)).toBe(name)
    if (name !== '') expect(name).toMatch(siteNamePattern)
  })
})

describe('what is sent', () => {
  test('a filled form is accepted, and empty boxes are left out', ({ expect }) => {
    const body = siteBodyOf({ ...good, cookie: ' c_secure_pass=x ', apiKey: 'ignored' }, 'cookie')
    expect(addSite.body.parse(body)).toMatchObject({ cookie: 'c_secure_pass=x' })
    for (const absent of ['api_key', 'inactivity_days', 'remind_before_days', 'capacity_gib'])
      expect(body).not.toHaveProperty(absent)
  })

  test('overrides are put together from their boxes', ({ expect }) => {
    const draft = { ...good, intervalMs: '2500', utcOffset: '-60', others: '{"paths":{"search":"browse.php"}}' }
    expect(siteBodyOf(draft, 'cookie').overrides).toEqual({
      paths: { search: 'browse.php' },
      request_interval_ms: 2500,
      utc_offset_minutes: -60,
    })
  })

  test('a stored site comes back as it was, without its credentials', ({ expect }) => {
    for (const site of sites) {
      const body = addSite.body.parse(siteBodyOf(draftOf(site), site.credential))
      const { id: _, has_cookie: __, has_api_key: ___, answered: ____, credential, ...rest } = site
      const { statistics, sign_in, search, hit_and_run, capacity_gib, ...stored } = rest
      expect(body).toEqual({ ...stored, ...(capacity_gib === 0 ? {} : { capacity_gib }) })
      expect([statistics, sign_in, search, hit_and_run, credential].length).toBe(5)
      expect(changedSite(site, { enabled: !site.enabled })).toEqual({ ...body, enabled: !site.enabled })
    }
  })

  test('an empty box keeps the stored proxy, a tick takes it away, and an address wins over the tick', ({ expect }) => {
    const address = 'http://walker:secret@127.0.0.1:7890'
    expect(siteBodyOf(good, 'cookie')).not.toHaveProperty('proxy')
    expect(siteBodyOf({ ...good, noProxy: true }, 'cookie')).toMatchObject({ proxy: '' })
    for (const noProxy of [false, true]) {
      const draft = { ...good, noProxy, proxy: ` ${address} ` }
      expect(addSite.body.parse(siteBodyOf(draft, 'api_key'))).toMatchObject({ proxy: address })
      expect(testSite.body.parse(testBodyOf(draft, 'api_key', 1))).toMatchObject({ proxy: address })
    }
  })

  test('a test of a stored site names it, so that its own credentials are used', ({ expect }) => {
    const [site] = sites
    if (site === undefined) throw new Error('a site')
    const body = testSite.body.parse(testBodyOf(draftOf(site), site.credential, site.id))
    expect(body).toMatchObject({ id: site.id, address: site.address })
    expect(body).not.toHaveProperty('cookie')
    expect(testBodyOf(good, 'cookie', undefined)).not.toHaveProperty('id')
  })
})

describe('what cannot be sent', () => {
  const edge = utcOffsetMinutesMax
  test.for([
    ['name', '', true],
    ['name', 'a', false],
    ['name', 'x'.repeat(64), false],
    ['name', 'x'.repeat(65), true],
    ['name', '../x', true],
    ['name', '-x', true],
    ['address', 'tracker.example', false],
    ['address', 'http://127.0.0.1:8080/base', false],
    ['address', '', true],
    ['address', 'https://', true],
    ['address', 'two words', true],
    ['proxy', '', false],
    ['proxy', 'http://walker:secret@127.0.0.1:7890', false],
    ['proxy', 'https://proxy.example/', false],
    ['proxy', 'socks5://127.0.0.1:1080', true],
    ['proxy', '127.0.0.1:7890', true],
    ['proxy', 'http://proxy.example/path', true],
    ['proxy', 'http://proxy.example:port', true],
    ['inactivityDays', '', false],
    ['inactivityDays', '1', false],
    ['inactivityDays', '0', true],
    ['inactivityDays', '3650', false],
    ['inactivityDays', '3651', true],
    ['inactivityDays', '1.5', true],
    ['remindBeforeDays', '0', false],
    ['remindBeforeDays', '3651', true],
    ['capacityGib', '1048576', false],
    ['capacityGib', '1048577', true],
    ['intervalMs', '60000', false],
    ['intervalMs', '60001', true],
    ['utcOffset', String(-edge), false],
    ['utcOffset', String(-edge - 1), true],
    ['utcOffset', String(edge + 1), true],
    ['others', '{}', false],
    ['others', '[]', true],
    ['others', 'null', true],
    ['others', '{"a"', true],
  ] as const satisfies readonly (readonly [DraftField, string, boolean])[])(
    '%s %j is refused: %s',
    ([field, text, isFaulty], { expect }) => {
      const draft = { ...good, [field]: text }
      expect(faultyFields(draft).has(field)).toBe(isFaulty)
      // The page never lets through what the server's shape refuses.
      if (!isFaulty) expect(addSite.body.safeParse(siteBodyOf(draft, 'cookie')).error?.issues ?? []).toEqual([])
    },
  )
})

describe('finding a definition', () => {
  const all = [
    { id: 'mteam', name: 'M-Team', kind: 'mteam', address: 'https://api.m-team.cc/api' },
    { id: 'nexusphp', name: 'NexusPHP 站点', kind: 'nexusphp' },
    { id: 'jackett', name: 'Jackett 索引器', name_en: 'Jackett indexer', kind: 'torznab' },
  ]
  test.for([
    ['', ['mteam', 'nexusphp', 'jackett']],
    ['站点', ['nexusphp']],
    ['TORZNAB jack', ['jackett']],
    ['indexer', ['jackett']],
    ['api.m-team', ['mteam']],
    ['nothing', []],
  ] as const)('%j finds %j', ([typed, ids], { expect }) => {
    expect(findDefinitions(all, typed).map((one) => one.id)).toEqual(ids)
  })

  test('each has a name in the language of the page, if it has one there', ({ expect }) => {
    expect(all.map((one) => definitionName(one, 'en'))).toEqual(['M-Team', 'NexusPHP 站点', 'Jackett indexer'])
    expect(all.map((one) => definitionName(one, 'zh'))).toEqual(['M-Team', 'NexusPHP 站点', 'Jackett 索引器'])
  })
})

describe('what an owner says of a site', () => {
  const usual = {
    user_agent: 'Mozilla/5.0 (compatible; x)',
    request_interval_ms: 1000,
    utc_offset_minutes: 480,
    ...{ labels: { bonus: ['魔力'] }, paths: { bonus: 'mybonus.php' }, selectors: {}, categories: {} },
    headers: { 'accept-language': 'en' },
    hosts: ['kp.lantern.example'],
    adds_headers: false,
  }
  const own: SiteOverrides = {
    request_interval_ms: 1000,
    utc_offset_minutes: 0,
    labels: { bonus: ['魔力'], ratio: ['分享'] },
    paths: { bonus: 'other.php' },
    headers: { 'Accept-Language': 'zh' },
    hosts: ['old.lantern.example'],
    signs_in: false,
  }

  test('is listed where it differs from its definition, beside what stands there', ({ expect }) => {
    expect(overridesOf(own, usual)).toEqual([
      { part: 'utc_offset_minutes', own: '0', usual: '480' },
      { part: 'labels', name: 'ratio', own: '分享', usual: '' },
      { part: 'paths', name: 'bonus', own: 'other.php', usual: 'mybonus.php' },
      { part: 'headers', name: 'Accept-Language', own: 'zh', usual: 'en' },
      { part: 'hosts', own: 'old.lantern.example', usual: 'kp.lantern.example' },
      { part: 'signs_in', own: 'false', usual: '' },
    ])
    expect(overridesOf({}, usual)).toEqual([])
  })

  test('goes one by one, and leaves the others', ({ expect }) => {
    const left = overridesOf(own, usual).reduce((rest, one) => withoutOverride(rest, one), own)
    expect(left).toEqual({ request_interval_ms: 1000, labels: { bonus: ['魔力'] } })
    expect(withoutOverride(own, { part: 'labels', name: 'ratio', own: '', usual: '' })).toEqual({
      ...own,
      labels: { bonus: ['魔力'] },
    })
  })
})
