import { describe, test } from 'vitest'
import { parseRoute, signInHash } from '../../../../workers/app/web/model/hash-route.ts'

describe('parseRoute', () => {
  test.for([
    ['', 'overview'],
    ['#/', 'overview'],
    ['#/nowhere', 'overview'],
    ['#/overview', 'overview'],
    ['#/sites?show=off', 'sites'],
    ['#/search?q=x', 'search'],
    ['#/library?status=failed', 'library'],
    ['#/subscriptions?status=done', 'subscriptions'],
    ['#/profiles', 'profiles'],
    ['#/tasks', 'tasks'],
    ['#/brush', 'brush'],
    ['#/feeds', 'feeds'],
    ['#/rules/1', 'rules'],
    ['#/jobs', 'jobs'],
    ['#/assistant', 'assistant'],
    ['#/more', 'more'],
    ['#/torrents?state=seeding', 'torrents'],
    ['#/downloaders', 'downloaders'],
    ['#/tokens', 'tokens'],
    ['#/log?page=2', 'log'],
    ['#/settings', 'settings'],
    ['#/templates', 'templates'],
    ['#/channels', 'channels'],
    ['#/welcome', 'welcome'],
    ['#/setup', 'setup'],
    ['#/sign-in', 'sign-in'],
  ] as const)('%s leads to %s', ([hash, name], { expect }) => {
    expect(parseRoute(hash).name).toBe(name)
  })

  test.for([
    ['#/assistant', { at: 'list' }],
    ['#/assistant/new', { at: 'new' }],
    ['#/assistant/c_1-Z.9', { at: 'one', id: 'c_1-Z.9' }],
    [`#/assistant/${'c'.repeat(65)}`, { at: 'list' }],
    ['#/assistant/<b>', { at: 'list' }],
    ['#/assistant/%2e%2e', { at: 'list' }],
  ] as const)('%s shows of the assistant what it names', ([hash, place], { expect }) => {
    expect(parseRoute(hash)).toEqual({ name: 'assistant', place })
  })

  test('the set-up code is read from the address', ({ expect }) => {
    expect(parseRoute('#/setup?code=a%2Bb-_9')).toEqual({ name: 'setup', code: 'a+b-_9' })
    expect(parseRoute('#/setup?code=')).toEqual({ name: 'setup' })
  })

  test.for([
    ['#/downloaders/new', 'new'],
    ['#/downloaders/7', 7],
    ['#/downloaders/0', undefined],
    ['#/downloaders/-1', undefined],
    ['#/downloaders/1e3', undefined],
    ['#/downloaders/9999999999999999', undefined],
    ['#/channels/new', 'new'],
    ['#/channels/3', 3],
    ['#/brush/5', 5],
    ['#/feeds/5', 5],
    ['#/rules/new', 'new'],
    ['#/library/new', 'new'],
    ['#/library/3', 3],
    ['#/library', undefined],
    ['#/profiles/new', 'new'],
    ['#/profiles/3', 3],
  ] as const)('%s opens the form of %s', ([hash, form], { expect }) => {
    const route = parseRoute(hash)
    expect('form' in route ? route.form : undefined).toBe(form)
  })
})

test.for([
  ['#/templates', undefined],
  ['#/templates/', undefined],
  ['#/templates/rss.matched', 'rss.matched'],
] as const)('%s shows the template of %s', ([hash, type], { expect }) => {
  const route = parseRoute(hash)
  expect(route.name === 'templates' ? route.type : 'no such screen').toBe(type)
})

describe('what of the sites is shown', () => {
  test.for([
    ['#/sites', { at: 'list' }],
    ['#/sites/new?definition=mteam', { at: 'new' }],
    ['#/sites/7', { at: 'one', id: 7 }],
    ['#/sites/7/edit', { at: 'edit', id: 7 }],
    ['#/sites/7/elsewhere', { at: 'one', id: 7 }],
    ['#/sites/0', { at: 'list' }],
    ['#/sites/x/edit', { at: 'list' }],
  ] as const)('%s is %o', ([hash, place], { expect }) => {
    const route = parseRoute(hash)
    expect(route.name === 'sites' ? route.place : 'no such screen').toEqual(place)
  })
})

describe('the way back after signing in', () => {
  test.for([
    ['#/tokens', '#/sign-in?back=%23%2Ftokens'],
    ['#/torrents?state=error&page=2', '#/sign-in?back=%23%2Ftorrents%3Fstate%3Derror%26page%3D2'],
    ['#/torrents', '#/sign-in?back=%23%2Ftorrents'],
    ['#/overview', '#/sign-in'],
    ['#/sign-in?back=%23%2Ftokens', '#/sign-in'],
    ['#/setup', '#/sign-in'],
    ['', '#/sign-in'],
  ] as const)('from %s is %s', ([from, expected], { expect }) => {
    expect(signInHash(from)).toBe(expected)
    const route = parseRoute(expected)
    const back = route.name === 'sign-in' ? route.back : 'no such screen'
    expect(back).toBe(expected === '#/sign-in' ? undefined : from)
  })

  test.for(['https://elsewhere.example/', '//elsewhere.example', 'javascript:alert(1)', '#/sign-in', '#tokens'])(
    'never leads to %s',
    (back, { expect }) => {
      expect(parseRoute(`#/sign-in?back=${encodeURIComponent(back)}`)).toEqual({ name: 'sign-in' })
    },
  )
})
