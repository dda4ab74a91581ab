/** Routes that the owner keeps by the gateway's own interface: tried, saved, in effect, and put back. */
import { afterAll, beforeEach, describe, test } from 'vitest'
import type { CallObject, RoutingObject } from '../../../workers/gateway/contract/admin.ts'
import type { RouteChangeObject, RouteTrialObject } from '../../../workers/gateway/contract/admin-routes.ts'
import { firstTokenSecondsMax, routeStepsMax } from '../../../workers/gateway/core/providers/model-route.ts'
import { circuitOpenMs } from '../../../workers/gateway/core/providers/route-plan.ts'
import { routeNameCharactersMax, routesFreshMs } from '../../../workers/gateway/limits.ts'
import { startChatStandIn } from '../../support/chat-stand-in.ts'
import { type GatewayUnderTest, gatewayUnderTest, sonnet, storageInMemory } from '../../support/gateway-under-test.ts'

const messages = [{ role: 'user' as const, content: 'who are you?' }]
const two = { steps: [{ model: 'north/small-1' }, { model: 'south/small-1' }] }

let offsetMs = 0
const clock = { nowMs: () => Date.now() + offsetMs }
const north = await startChatStandIn(['small-1'])
const south = await startChatStandIn(['small-1'])
afterAll(async () => {
  await north.close()
  await south.close()
})
beforeEach(() => {
  north.calls.length = 0
  south.calls.length = 0
  offsetMs = 0
})

const environment = () => ({
  PROVIDERS: JSON.stringify({
    north: { address: north.url, key: north.key, prices: 'free' },
    south: { address: south.url, key: south.key, calls_at_once: 2, prices: 'free' },
    locked: { address: north.url, key: 'wrong' },
  }),
  MODEL_ROUTES: JSON.stringify({ fixed: [{ model: 'north/small-1' }] }),
  AWS_MAX_RETRY_ATTEMPTS: '1',
  MAX_BODY_SIZE_MB: '1',
})
const under = (host = {}) => gatewayUnderTest(environment(), { clock, ...host })

const save = (gateway: GatewayUnderTest, name: string, route: object, revision?: number) =>
  gateway.call(`/admin/routes/${name}`, { json: { route, ...(revision === undefined ? {} : { revision }) } })
const ask = (gateway: GatewayUnderTest, model: string, more: object = {}) =>
  gateway.call('/chat/completions', { json: { model, max_tokens: 5, messages, ...more } })
const json = async <T>(answer: Promise<Response>) => (await (await answer).json()) as T
const changesOf = async (gateway: GatewayUnderTest) =>
  (await json<{ data: RouteChangeObject[] }>(gateway.call('/admin/route-changes'))).data
const routeIn = async (gateway: GatewayUnderTest, name: string) =>
  (await json<RoutingObject>(gateway.call('/admin/routing'))).routes.find((one) => one.name === name)
const tried = async (gateway: GatewayUnderTest, route: object, request: object = { messages }) =>
  (await json<RouteTrialObject>(gateway.call('/admin/route-trials', { json: { route, request } }))).steps.map(
    ({ provider, state, why }) => [provider, state, why],
  )
const codeOf = async (answer: Response) =>
  [answer.status, ((await answer.json()) as { error: { param: string | null } }).error.param] as const

describe('a route that is saved', () => {
  test('answers at once, is listed, and is gone when it is removed', async ({ expect }) => {
    await using gateway = await under()
    const before = await ask(gateway, 'code')
    const saved = await save(gateway, 'code', two, 0)
    const listed = await json<{ data: { id: string }[] }>(gateway.call('/models'))
    const answered = await ask(gateway, 'code')
    const shown = await routeIn(gateway, 'code')
    const removed = await gateway.call('/admin/routes/code?revision=1', { method: 'DELETE' })
    const after = await ask(gateway, 'code')

    expect([before.status, saved.status, answered.status, removed.status, after.status]).toEqual([
      before.status,
      200,
      200,
      200,
      before.status,
    ])
    expect(before.status).toBeGreaterThanOrEqual(400)
    expect(await saved.json()).toEqual({ object: 'gateway.route', name: 'code', revision: 1 })
    expect(listed.data.map(({ id }) => id)).toContain('code')
    expect(shown).toMatchObject({
      revision: 1,
      go_on_when: ['busy', 'failed', 'slow', 'too_long', 'key_refused'],
      first_token_seconds: null,
      sticky: true,
      steps: [
        { name: 'north/small-1', model: 'small-1', provider: 'north', order: 1, weight: 1, calls_at_once: null },
        { name: 'south/small-1', order: 2 },
      ],
    })
  })

  test('is known to the other processes of the same store within a second, and not before they look', async ({
    expect,
  }) => {
    const { routeStore } = storageInMemory()
    const startMs = Date.now()
    const host = { routeStore, clock: { nowMs: () => startMs + offsetMs } }
    await using one = await under(host)
    await using other = await under(host)
    await save(one, 'code', two)
    const first = await ask(other, 'code')
    await save(one, 'code', { steps: [{ model: 'south/small-1' }] })
    offsetMs = routesFreshMs - 1
    north.calls.length = 0
    await ask(other, 'code')
    const inTheSecond = [north.calls.length, south.calls.length]
    offsetMs = routesFreshMs
    await ask(other, 'code')

    expect([first.status, inTheSecond, north.calls.length, south.calls.length]).toEqual([200, [1, 0], 1, 1])
  })

  test('stays known while its store cannot be read', async ({ expect }) => {
    const { routeStore } = storageInMemory()
    let isBroken = false
    const routes: typeof routeStore.routes = (known) =>
      isBroken ? Promise.reject(new Error('the store is away')) : routeStore.routes(known)
    await using gateway = await under({ routeStore: { ...routeStore, routes } })
    await save(gateway, 'code', two)
    isBroken = true
    offsetMs = routesFreshMs

    expect((await ask(gateway, 'code')).status).toBe(200)
    expect(gateway.logs.filter(({ event }) => event === 'routes-unreadable')).toHaveLength(1)
  })

  test.for<readonly [string, object, string | null]>([
    ['no steps', { steps: [] }, 'route.steps'],
    ['a step too many', { steps: Array.from({ length: routeStepsMax + 1 }, () => ({ model: sonnet })) }, 'route.steps'],
    ['an unknown member', { ...two, colour: 'red' }, 'route'],
    ['an unknown reason', { ...two, go_on_when: ['bored'] }, 'route.go_on_when[0]'],
    ['too long a wait', { ...two, first_token_seconds: firstTokenSecondsMax + 1 }, 'route.first_token_seconds'],
    ['a weight of nothing', { steps: [{ model: sonnet, weight: 0 }] }, 'route.steps[0].weight'],
    ['a route as its step', { steps: [{ model: 'fixed' }] }, 'route.steps[0].model'],
    ['a model of another region', { steps: [{ model: 'arn:aws:bedrock:eu-west-1::x' }] }, 'route.steps[0].model'],
  ])('may not have %s', async ([, route, param], { expect }) => {
    await using gateway = await under()
    const [status, at] = await codeOf(await save(gateway, 'code', route))

    expect([status, at?.startsWith(param ?? '')]).toEqual([400, true])
    expect(await changesOf(gateway)).toEqual([])
  })

  test('may be as large as it may be', async ({ expect }) => {
    await using gateway = await under()
    const steps = Array.from({ length: routeStepsMax }, () => ({ model: sonnet }))

    expect((await save(gateway, 'r'.repeat(routeNameCharactersMax), { steps, first_token_seconds: 600 })).status).toBe(
      200,
    )
    expect(await codeOf(await save(gateway, 'r'.repeat(routeNameCharactersMax + 1), { steps }))).toEqual([400, 'name'])
  })

  test('is the settings’ where they have one of its name, and not changed here', async ({ expect }) => {
    await using gateway = await under()
    const saved = await codeOf(await save(gateway, 'fixed', two))
    const removed = await codeOf(await gateway.call('/admin/routes/fixed', { method: 'DELETE' }))

    expect([saved, removed, (await routeIn(gateway, 'fixed'))?.revision]).toEqual([[400, 'name'], [400, 'name'], null])
  })

  test('is refused to whoever saw another one, and to keys that are not the owner’s', async ({ expect }) => {
    await using gateway = await under()
    const made = await json<{ secret: string }>(gateway.call('/admin/keys', { json: { name: 'x' } }))
    const headers = { authorization: `Bearer ${made.secret}` }
    await save(gateway, 'code', two)
    const stale = await codeOf(await save(gateway, 'code', { steps: [{ model: sonnet }] }, 0))
    const foreign = await gateway.call('/admin/routes/code', { json: { route: two }, headers })

    expect([stale, foreign.status]).toEqual([[400, 'revision'], 403])
  })
})

describe('a change', () => {
  test('is put back, which is a change as well', async ({ expect }) => {
    await using gateway = await under()
    await save(gateway, 'code', two)
    await save(gateway, 'code', { steps: [{ model: sonnet }] })
    const undone = await gateway.call('/admin/route-changes/2/undo', { method: 'POST' })
    const back = await routeIn(gateway, 'code')
    await gateway.call('/admin/route-changes/1/undo', { method: 'POST' })
    const none = await gateway.call('/admin/route-changes/99/undo', { method: 'POST' })

    expect([undone.status, back?.steps.map(({ name }) => name), none.status]).toEqual([
      200,
      ['north/small-1', 'south/small-1'],
      404,
    ])
    expect(await routeIn(gateway, 'code')).toBeUndefined()
    expect((await changesOf(gateway)).map(({ seq, before, after }) => [seq, before === null, after === null])).toEqual([
      [4, false, true],
      [3, false, false],
      [2, false, false],
      [1, true, false],
    ])
  })
})

describe('what a route says', () => {
  test.for<readonly [string, readonly string[], number, boolean]>([
    ['busy', ['busy'], 429, true],
    ['busy, not failed', ['busy'], 500, false],
    ['failed', ['failed'], 500, true],
    ['failed, not busy', ['failed'], 429, false],
    ['nothing', [], 503, false],
  ])('decides when a request goes on: %s', async ([, go_on_when, status, goesOn], { expect }) => {
    await using gateway = await under()
    await save(gateway, 'code', { ...two, go_on_when })
    north.next(status)
    const answer = await ask(gateway, 'code')

    expect([answer.ok, south.calls.length]).toEqual([goesOn, goesOn ? 1 : 0])
  })

  test('bounds how long a step may be silent before a streamed answer', async ({ expect }) => {
    await using gateway = await under()
    await save(gateway, 'code', { ...two, go_on_when: ['slow'], first_token_seconds: 1 })
    north.next('hang')
    const answer = await ask(gateway, 'code', { stream: true })
    const text = await answer.text()
    const [last] = (await json<{ data: CallObject[] }>(gateway.call('/admin/requests'))).data

    expect([answer.status, text.includes('small-1.'), south.calls.length]).toEqual([200, true, 1])
    expect(last?.attempts).toMatchObject([
      { provider: 'north', code: 'upstream_error' },
      { provider: 'south', code: null },
    ])
  })

  test('passes a provider over that has as many calls as the step allows', async ({ expect }) => {
    await using gateway = await under()
    const steps = [{ model: 'north/small-1', calls_at_once: 1 }, { model: 'south/small-1' }]
    await save(gateway, 'code', { steps })
    north.next('hang')
    const leave = new AbortController()
    const hanging = gateway.call('/chat/completions', {
      json: { model: 'code', max_tokens: 5, messages },
      signal: leave.signal,
    })
    await expect.poll(() => north.calls.length).toBe(1)
    const trial = await tried(gateway, { steps })
    const answered = await ask(gateway, 'code')
    leave.abort()
    await hanging

    expect([answered.status, north.calls.length, south.calls.length]).toEqual([200, 1, 1])
    expect(trial).toEqual([
      ['north', 'passed_over', 'full'],
      ['south', 'asked', null],
    ])
  })

  test('shares every request by weight where conversations do not stay', async ({ expect }) => {
    let fraction = 0
    await using gateway = await under({
      random: { hex: (bytes: number) => 'a'.repeat(2 * bytes), fraction: () => fraction },
    })
    const shared = [
      { model: 'north/small-1', order: 1 },
      { model: 'south/small-1', order: 1 },
    ]
    await save(gateway, 'code', { steps: shared, sticky: false })
    for (fraction of [0, 0.25 + 2 ** -32, 0.5, 0.75 + 2 ** -32]) await ask(gateway, 'code')

    expect([north.calls.length, south.calls.length]).toEqual([2, 2])
  })
})

describe('a route whose providers all speak the dialect of the request', () => {
  const counted = { stream: true, stream_options: { include_usage: true } }

  test('passes it as it is to each of them, and the answer as it comes', async ({ expect }) => {
    await using gateway = await under()
    await save(gateway, 'code', two)
    north.next(503)
    const more = { seed: 7, user: 'me', metadata: { of: 'mine' } }
    const whole = await ask(gateway, 'code', more)
    const streamed = await ask(gateway, 'code', { ...more, ...counted })
    const calls = async () =>
      (await json<{ data: CallObject[] }>(gateway.call('/admin/requests'))).data.filter(
        ({ outcome }) => outcome === 'answered',
      )

    expect(await whole.json()).toMatchObject({ id: 'chatcmpl-1', service_tier: 'default', model: 'small-1' })
    expect(await streamed.text()).toContain('"id":"chatcmpl-1"')
    const sent = { model: 'small-1', max_tokens: 5, messages, ...more }
    expect(north.calls.map(({ body }) => body)).toEqual([sent, { ...sent, ...counted }])
    expect(south.calls.map(({ body }) => body)).toEqual([sent])
    await expect.poll(async () => (await calls()).length).toBe(2)
    const tokens = { input: 20, cache_read: 10, output: 6 }
    expect((await calls()).toSorted((left, right) => left.provider.localeCompare(right.provider))).toMatchObject([
      { provider: 'north', tokens },
      {
        provider: 'south',
        tokens,
        attempts: [
          { provider: 'north', code: 'upstream_error' },
          { provider: 'south', code: null },
        ],
      },
    ])
  })

  test.for([
    ['is cut in a whole answer', 'cut', {}],
    ['says an error before the first token', 'error', counted],
    ['is silent behind its head', 'silent', counted],
    ['does not answer', 'hang', counted],
  ] as const)('goes on from a step that %s', async ([, fault, more], { expect }) => {
    await using gateway = await under()
    await save(gateway, 'code', { ...two, first_token_seconds: 1 })
    north.next(fault)
    const answer = await ask(gateway, 'code', more)
    const text = await answer.text()

    expect([answer.status, text.includes('small-1'), text.includes('error')]).toEqual([200, true, false])
    expect([north.calls.length, south.calls.length]).toEqual([1, 1])
  })

  test('is not left once the answer has begun', async ({ expect }) => {
    await using gateway = await under()
    await save(gateway, 'code', two)
    north.next('cut')
    const text = await (await ask(gateway, 'code', counted)).text()

    expect([text.includes('error'), south.calls.length]).toEqual([true, 0])
  })

  test('is translated where one of them speaks another, or where the history holds the reasoning of another', async ({
    expect,
  }) => {
    await using gateway = await under()
    await save(gateway, 'mixed', { steps: [{ model: 'north/small-1' }, { model: sonnet }] })
    await save(gateway, 'code', two)
    const mixed = await (await ask(gateway, 'mixed')).json()
    const capsule = `brtc_v1.k.${'A'.repeat(40)}.${'B'.repeat(40)}`
    const called = {
      messages: [
        ...messages,
        {
          role: 'assistant',
          tool_calls: [{ id: capsule, type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: capsule, content: 'x' },
      ],
    }
    const forged = await ask(gateway, 'code', called)

    expect(mixed).toMatchObject({ id: expect.not.stringMatching(/^chatcmpl-1$/), model: 'mixed' })
    // Translating opens what such an id holds, and nobody signed this one.
    expect([forged.status, north.calls.length]).toEqual([400, 1])
  })
})

describe('a conversation', () => {
  const shared = {
    steps: [
      { model: sonnet, order: 1 },
      { model: 'south/small-1', order: 1 },
    ],
  }

  test.for(['/chat/completions', '/messages'])(
    'of %s stays with its step while marks for the cache move on',
    async (path, { expect }) => {
      await using gateway = await under()
      await save(gateway, 'code', shared)
      const asked = () => [gateway.bedrock.callsOf('converse').length, south.calls.length]
      const taken = new Set<number>()
      for (let name = 0; name < 12; name += 1) {
        const before = asked()
        const text = (words: string, isMarked: boolean) => [
          { type: 'text', text: words, ...(isMarked ? { cache_control: { type: 'ephemeral' } } : {}) },
        ]
        const first = (isMarked: boolean) => ({ role: 'user', content: text(`I am ${name}`, isMarked) })
        const second = { role: 'user', content: text('and you?', true) }
        for (const said of [[first(true)], [first(false), { role: 'assistant', content: 'hello' }, second]]) {
          const answer = await gateway.call(path, { json: { model: 'code', max_tokens: 5, messages: said } })
          expect(answer.status).toBe(200)
        }
        const [own = 0] = asked().map((count, index) => count - (before[index] ?? 0))
        taken.add(own)
      }
      // All of a conversation by one of them, and each had some.
      expect([...taken].toSorted()).toEqual([0, 2])
    },
  )
})

describe('a route that begins with its cheapest', () => {
  const dearFirst = {
    steps: [
      { model: sonnet, order: 1, weight: 1_000 },
      { model: 'locked/small-1', order: 1, weight: 1_000 },
      { model: 'south/small-1', order: 1 },
    ],
    cheapest_first: true,
  }

  test('asks it whatever the weights are, the dearer one after it, and last whose price is not known', async ({
    expect,
  }) => {
    await using gateway = await under()
    await save(gateway, 'code', dearFirst)
    const answered = await ask(gateway, 'code')
    south.next(500)
    const second = await ask(gateway, 'code')

    expect(await routeIn(gateway, 'code')).toMatchObject({ cheapest_first: true })
    expect([answered.status, second.status, south.calls.length, gateway.bedrock.callsOf('converse').length]).toEqual([
      200, 200, 2, 1,
    ])
    expect((await tried(gateway, dearFirst)).map(([provider]) => provider)).toEqual(['south', 'bedrock', 'locked'])
  })

  test('is refused where it is no yes or no', async ({ expect }) => {
    await using gateway = await under()

    expect(await codeOf(await save(gateway, 'code', { ...dearFirst, cheapest_first: 1 }))).toEqual([
      400,
      'route.cheapest_first',
    ])
  })
})

describe('a trial', () => {
  test('asks nobody, and says what a request would do and cost', async ({ expect }) => {
    await using gateway = await under()
    const steps = [{ model: 'north/small-1' }, { model: sonnet }]
    const request = { messages, max_tokens: 1_000 }
    const trial = await json<RouteTrialObject>(
      gateway.call('/admin/route-trials', { json: { route: { steps }, request } }),
    )

    expect(trial).toMatchObject({
      object: 'gateway.route_trial',
      steps: [
        { model: 'small-1', provider: 'north', state: 'asked', why: null, output_tokens_max: 1_000, cost_max_usd: 0 },
        { model: sonnet, provider: 'bedrock', state: 'reserve', why: null },
      ],
    })
    expect(trial.steps[1]?.cost_max_usd).toBeGreaterThan(0.015)
    expect([north.calls, await changesOf(gateway)]).toEqual([[], []])
  })

  test('knows who is held back, what is too long, and where the request ends', async ({ expect }) => {
    await using gateway = await under()
    await save(gateway, 'code', two)
    north.next(500, 500, 500, 500, 500)
    for (let count = 0; count < 5; count += 1) await ask(gateway, 'code')
    const held = await tried(gateway, two)
    const ends = await tried(gateway, { ...two, go_on_when: ['busy'] })
    offsetMs = circuitOpenMs
    const long = { messages: [{ role: 'user', content: 'word '.repeat(180_000) }] }
    const steps = [{ model: sonnet }, { model: 'south/small-1' }]

    expect(held).toEqual([
      ['north', 'passed_over', 'held_back'],
      ['south', 'asked', null],
    ])
    expect(ends).toEqual([
      ['north', 'asked', 'held_back'],
      ['south', 'never', null],
    ])
    expect(await tried(gateway, { steps }, long)).toEqual([
      ['bedrock', 'passed_over', 'too_long'],
      ['south', 'asked', null],
    ])
  })

  test('draws as the request itself does', async ({ expect }) => {
    await using gateway = await under()
    const steps = [
      { model: 'north/small-1', order: 1 },
      { model: 'south/small-1', order: 1 },
    ]
    await save(gateway, 'code', { steps })
    for (let name = 0; name < 12; name += 1) {
      const request = { messages: [{ role: 'user', content: `I am ${name}` }], max_tokens: 5 }
      const [[first] = []] = await tried(gateway, { steps }, request)
      north.calls.length = 0
      await ask(gateway, 'code', request)

      expect(north.calls.length === 1 ? 'north' : 'south').toBe(first)
    }
  })
})
