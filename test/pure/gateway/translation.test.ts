import { BlockList } from 'node:net'
import fc from 'fast-check'
import { parse } from 'smol-toml'
import { describe, test } from 'vitest'
import { ServerSentDecoder } from '#shared/sse/server-sent-decode.ts'
import { isPrivateAddress, isPrivateHost } from '../../../workers/gateway/core/address-guard.ts'
import {
  base64FromBytes,
  base64UrlFromBytes,
  bytesFromBase64,
  bytesFromBase64Url,
} from '../../../workers/gateway/core/base64.ts'
import { redactedMessage } from '../../../workers/gateway/core/redaction.ts'
import { readModelRegistry, traitsOf } from '../../../workers/gateway/core/registry.ts'
import { readClientTools } from '../../../workers/gateway/core/responses/client-tools.ts'
import { CustomInput } from '../../../workers/gateway/core/responses/custom-input.ts'
import { sayModelRegistryFault } from '../../../workers/gateway/core/start-fault.ts'
import { Conversation } from '../../../workers/gateway/core/to-provider/conversation.ts'
import { withClosedObjects } from '../../../workers/gateway/core/to-provider/output-schema.ts'
import { placeCachePoints } from '../../../workers/gateway/core/to-provider/prompt-cache.ts'
import { planReasoning, reasoningEfforts } from '../../../workers/gateway/core/to-provider/reasoning-fields.ts'
import { registries } from '../../support/gateway-under-test.ts'
import { unwrap } from '../../support/unwrap.ts'

const registry = unwrap(readModelRegistry(parse(registries.models)))
const traits = (id: string) => traitsOf(registry, id)

describe('tool names', () => {
  test('any name survives the round trip, and the provider can take every one', ({ expect }) => {
    const tool = fc.record({
      type: fc.constantFrom('function', 'custom'),
      name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 90 }),
    })
    const namespace = fc.record({
      type: fc.constant('namespace'),
      name: fc.string({ minLength: 1, maxLength: 40 }),
      tools: fc.uniqueArray(tool, { selector: (entry) => `${entry.type} ${entry.name}`, maxLength: 4 }),
    })
    fc.assert(
      fc.property(
        fc.uniqueArray(tool, { selector: (entry) => `${entry.type} ${entry.name}`, maxLength: 6 }),
        fc.uniqueArray(namespace, { selector: (entry) => entry.name, maxLength: 3 }),
        (tools, namespaces) => {
          const read = readClientTools([...tools, ...namespaces])
          if (!read.ok) throw new Error(read.failure.message)
          const wanted = [
            ...tools.map(({ type, name }) => [type, name, undefined]),
            ...namespaces.flatMap((space) => space.tools.map(({ type, name }) => [type, name, space.name])),
          ]
          const back = read.value.tools.map((entry) => {
            expect(entry.providerName).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
            expect(read.value.nameFor(entry)).toBe(entry.providerName)
            const found = read.value.byProviderName.get(entry.providerName)
            return [found?.kind, found?.name, found?.namespace]
          })
          expect(back).toEqual(wanted)
        },
      ),
    )
  })
})

test('the input of a custom tool is the same however its JSON is cut', ({ expect }) => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.array(fc.nat(), { maxLength: 20 }),
      fc.boolean(),
      (input, places, isAscii) => {
        const plain = JSON.stringify({ input })
        const json = isAscii
          ? plain.replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
          : plain
        const cuts = [...new Set(places.map((place) => place % (json.length + 1)))].sort((left, right) => left - right)
        const reader = new CustomInput()
        const shown = [0, ...cuts]
          .map((from, index) => reader.accept(json.slice(from, cuts[index] ?? json.length)))
          .join('')
        expect(shown).toBe(input)
      },
    ),
  )
})

test('server-sent events are the same however their bytes are cut', ({ expect }) => {
  const text = 'event: a\ndata: {"x":"é"}\n\n: comment\n\ndata: 1\ndata: 2\r\n\r\nevent: b\rdata:3\r\rdata: [DONE]\n\n'
  const bytes = new TextEncoder().encode(text)
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 30 }), (places) => {
      const cuts = [...new Set(places)].sort((left, right) => left - right)
      const decoder = new ServerSentDecoder(text.length)
      const events = [0, ...cuts].flatMap<unknown>((from, index) => {
        const read = decoder.push(bytes.slice(from, cuts[index] ?? bytes.length))
        return read.ok ? read.value : [read.failure]
      })
      expect(events).toEqual([
        { event: 'a', data: '{"x":"é"}' },
        { event: undefined, data: '1\n2' },
        { event: 'b', data: '3' },
        { event: undefined, data: '[DONE]' },
      ])
    }),
    { numRuns: 5_000 },
  )
})

test('a server-sent event is waited for up to its bound, and no further', ({ expect }) => {
  const sent = (text: string) => new TextEncoder().encode(text)
  const decoder = new ServerSentDecoder(100)

  expect(decoder.push(sent(`data: ${'a'.repeat(94)}`))).toEqual({ ok: true, value: [] })
  expect(decoder.push(sent('\n\ndata: b'))).toMatchObject({ ok: true, value: [{ data: 'a'.repeat(94) }] })
  expect(decoder.push(sent('b'.repeat(94)))).toEqual({ ok: false, failure: 'too_large' })
})

test('base64 round trips, and base64url has one spelling for each value', ({ expect }) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(bytesFromBase64(base64FromBytes(bytes))).toEqual(bytes)
      expect(bytesFromBase64Url(base64UrlFromBytes(bytes))).toEqual(bytes)
      expect(base64UrlFromBytes(bytes)).toBe(Buffer.from(bytes).toString('base64url'))
    }),
  )
  expect(bytesFromBase64Url('AB')).toBeUndefined()
  expect(bytesFromBase64Url('AA==')).toBeUndefined()
})

describe('addresses', () => {
  const judged: readonly (readonly [string, boolean])[] = [
    ['8.8.8.8', false],
    ['1.1.1.1', false],
    ['100.63.255.255', false],
    ['100.64.0.0', true],
    ['100.127.255.255', true],
    ['100.128.0.0', false],
    ['172.15.255.255', false],
    ['172.31.255.255', true],
    ['172.32.0.0', false],
    ['192.167.255.255', false],
    ['169.254.0.1', true],
    ['198.18.0.1', true],
    ['198.20.0.0', false],
    ['223.255.255.255', false],
    ['224.0.0.1', true],
    ['255.255.255.255', true],
    ['2606:4700::1111', false],
    ['2001:4860:4860::8888', false],
    ['2001:db8::1', true],
    ['2001::1', true],
    ['::ffff:8.8.8.8', false],
    ['::ffff:10.0.0.1', true],
    ['::10.0.0.1', true],
    ['::ffff:0:10.0.0.1', true],
    ['64:ff9b::808:808', true],
    ['64:ff9b:1::1', true],
    ['fc00::1', true],
    ['fdff::1', true],
    ['fe80::1%eth0', true],
    ['fec0::1', true],
    ['ff02::1', true],
    ['::', true],
    ['1::2::3', true],
    ['1:2:3:4:5:6:7', true],
    ['12345::', true],
    ['not an address', true],
    ['', true],
  ]
  test.for(judged)('%s is private: %s', ([address, isPrivate], { expect }) => {
    expect(isPrivateAddress(address)).toBe(isPrivate)
  })

  test.for(['example.com', 'a.b.example.', '8.8.8.8', '[2606:4700::1111]'])(
    '%s is a public host',
    (host, { expect }) => {
      expect(isPrivateHost(host)).toBe(false)
    },
  )

  test('every spelling of a mapped IPv4 address is judged as the address itself', ({ expect }) => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const parts = address.split('.').map(Number)
        const groups = [0, 2].map((at) => (((parts[at] ?? 0) << 8) | (parts[at + 1] ?? 0)).toString(16))
        const mapped = URL.parse(`http://[::ffff:${address}]/`)?.hostname ?? ''
        expect(isPrivateHost(mapped)).toBe(isPrivateAddress(address))
        expect(isPrivateAddress(`::ffff:${groups.join(':')}`)).toBe(isPrivateAddress(address))
        expect(isPrivateAddress(`0:0:0:0:0:ffff:${groups.join(':')}`)).toBe(isPrivateAddress(address))
      }),
    )
  })
})

describe('addresses beside a judge that only knows a table of ranges', () => {
  const four = (text: string) => text.split('/') as [string, string]
  const list = (family: 'ipv4' | 'ipv6', ranges: readonly string[]) => {
    const judge = new BlockList()
    for (const [net, bits] of ranges.map(four)) judge.addSubnet(net, Number(bits), family)
    return judge
  }
  const private4 = [
    ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
    ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
    '224.0.0.0/3',
  ]
  const private6 = ['2001::/23', '2001:db8::/32']
  const judge4 = list('ipv4', private4)
  const judge6 = list('ipv6', private6)
  const public6 = list('ipv6', ['2000::/3'])
  const sixToFour = list('ipv6', ['2002::/16'])

  /** Half of them anywhere, half beside the edge of a range, where a mistake would be. */
  const number4 = fc.oneof(
    fc.nat(0xffff_ffff),
    fc
      .tuple(fc.constantFrom(...private4), fc.boolean(), fc.integer({ min: -2, max: 2 }))
      .map(([range, isEnd, step]) => {
        const [net, bits] = four(range)
        const start = net.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
        return (start + (isEnd ? 2 ** (32 - Number(bits)) : 0) + step + 2 ** 32) % 2 ** 32
      }),
  )
  const address4 = number4.map((value) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.'))
  const group = fc.oneof(
    fc.nat(0xffff),
    fc.constantFrom(0, 1, 0x1ff, 0x200, 0xdb8, 0x1fff, 0x2000, 0x2001, 0x2002, 0x3fff, 0x4000),
  )
  const address6 = fc
    .array(group, { minLength: 8, maxLength: 8 })
    .map((groups) => groups.map((part) => part.toString(16)).join(':'))

  test('IPv4 addresses are judged alike', ({ expect }) => {
    fc.assert(
      fc.property(address4, (address) => {
        expect([address, isPrivateAddress(address)]).toEqual([address, judge4.check(address)])
      }),
      { numRuns: 10_000 },
    )
  })

  test('IPv6 addresses are judged alike', ({ expect }) => {
    fc.assert(
      fc.property(address6, address4, (address, inside) => {
        const isPrivate = sixToFour.check(address, 'ipv6')
          ? judge4.check(
              address
                .split(':')
                .slice(1, 3)
                .flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255])
                .join('.'),
            )
          : !public6.check(address, 'ipv6') || judge6.check(address, 'ipv6')
        expect([address, isPrivateAddress(address)]).toEqual([address, isPrivate])
        expect(isPrivateAddress(`::ffff:${inside}`)).toBe(judge4.check(inside))
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('outside words that leave the gateway', () => {
  const secrets: readonly (readonly [string, string])[] = [
    ['an account number', 'User: arn:aws:sts::123456789012:assumed-role/x is not authorized'],
    ['an access key', 'The key AKIAIOSFODNN7EXAMPLE is wrong'],
    ['a signature', 'Credential=ABC/20261121, Signature=deadbeefdeadbeef'],
    ['a bearer token', 'got Bearer abc.def-ghi'],
    ['a query', 'GET https://host.example/path?token=s3cr3t failed'],
    ['a user part', 'GET https://user:s3cr3t@host.example/ failed'],
    ['a long token', `token ${'Ab1'.repeat(20)}`],
    ['a long token of small letters in a path', `https://a.example/en/${'deadbeef'.repeat(5)}`],
  ]
  test.for(secrets)('%s is masked', ([, text], { expect }) => {
    expect(redactedMessage(text)).not.toMatch(/123456789012|IOSFODNN|deadbeef|abc\.def|s3cr3t|(Ab1){5}/)
  })

  test('ordinary words stay, the length is bounded, control characters go', ({ expect }) => {
    expect(redactedMessage('The provided model identifier is invalid.')).toBe(
      'The provided model identifier is invalid.',
    )
    const manual = 'see https://docs.example.com/en/docs/build-with-models/v2/extended-thinking#budgets'
    expect(redactedMessage(manual)).toBe(manual)
    expect(redactedMessage('x y '.repeat(500))).toHaveLength(300)
    expect(redactedMessage('a\r\nb\u0000c')).toBe('a b c')
  })
})

describe('a conversation takes the shape the provider insists on', () => {
  const use = (toolUseId: string) => ({ toolUse: { toolUseId, name: 't', input: {} } })
  const shaped = (build: (conversation: Conversation) => void, canEndOnAssistant = true) => {
    const conversation = new Conversation()
    build(conversation)
    return conversation.turns({ canEndOnAssistant })
  }

  test('turns of one role are joined, blank texts dropped', ({ expect }) => {
    const turns = shaped((conversation) => {
      conversation.user([{ text: 'a' }, { text: ' ' }])
      conversation.user([{ text: 'b' }])
    })

    expect(turns).toEqual([{ role: 'user', content: [{ text: 'a' }, { text: 'b' }] }])
  })

  test('results nobody asked for and repeated ones are dropped, open calls are answered', ({ expect }) => {
    const turns = shaped((conversation) => {
      conversation.toolResult('zero', [{ text: 'early' }])
      conversation.user([{ text: 'go' }])
      conversation.assistant([use('a'), use('b')])
      conversation.toolResult('a', [{ text: 'one' }])
      conversation.toolResult('a', [{ text: 'again' }])
      conversation.toolResult('c', [{ text: 'stray' }])
      conversation.user([{ text: 'next' }])
    })

    expect(turns).toEqual([
      { role: 'user', content: [{ text: 'go' }] },
      { role: 'assistant', content: [use('a'), use('b')] },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'a', content: [{ text: 'one' }] } },
          { toolResult: { toolUseId: 'b', content: [{ text: '(no output)' }], status: 'error' } },
          { text: 'next' },
        ],
      },
    ])
  })

  test('it begins with the user, and ends with the user where the model has no prefill', ({ expect }) => {
    const build = (conversation: Conversation) => conversation.assistant([{ text: 'Once upon ' }])

    expect(shaped(build).map((turn) => turn.role)).toEqual(['user', 'assistant'])
    expect(shaped(build).at(-1)?.content).toEqual([{ text: 'Once upon' }])
    expect(shaped(build, false).map((turn) => turn.role)).toEqual(['user', 'assistant', 'user'])
  })

  test('roles alternate and every call is answered next, whatever the client tells', ({ expect }) => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('user' as const), text: fc.constantFrom('x', ' ') }),
      fc.record({
        kind: fc.constant('assistant' as const),
        text: fc.constantFrom('y', ''),
        calls: fc.subarray(['a', 'b', 'c']),
      }),
      fc.record({ kind: fc.constant('tool' as const), id: fc.constantFrom('a', 'b', 'c', 'd') }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const turns = shaped((conversation) => {
          for (const entry of steps) {
            if (entry.kind === 'user') conversation.user([{ text: entry.text }])
            else if (entry.kind === 'tool') conversation.toolResult(entry.id, [{ text: 'r' }])
            else conversation.assistant([{ text: entry.text }, ...entry.calls.map(use)])
          }
        }, false)
        turns.forEach((turn, index) => {
          expect(turn.role).toBe(index % 2 === 0 ? 'user' : 'assistant')
          const results = turn.content.flatMap((block) => ('toolResult' in block ? [block.toolResult.toolUseId] : []))
          const calls = (turns[index - 1]?.content ?? []).flatMap((block) =>
            'toolUse' in block ? [block.toolUse.toolUseId] : [],
          )
          expect([...results].sort()).toEqual([...calls].sort())
        })
        expect(turns.at(-1)?.role ?? 'user').toBe('user')
      }),
    )
  })
})

describe('reasoning per family', () => {
  test.for([
    [
      'anthropic.claude-sonnet-4-5-20250929-v1:0',
      'low',
      10_000,
      { thinking: { type: 'enabled', budget_tokens: 3_000 } },
    ],
    [
      'anthropic.claude-sonnet-4-5-20250929-v1:0',
      'medium',
      10_000,
      { thinking: { type: 'enabled', budget_tokens: 6_000 } },
    ],
    [
      'anthropic.claude-sonnet-4-5-20250929-v1:0',
      'high',
      10_000,
      { thinking: { type: 'enabled', budget_tokens: 8_000 } },
    ],
    [
      'anthropic.claude-sonnet-4-5-20250929-v1:0',
      'low',
      1_280,
      { thinking: { type: 'enabled', budget_tokens: 1_024 } },
    ],
    ['anthropic.claude-sonnet-4-5-20250929-v1:0', 'low', 1_279, {}],
    [
      'anthropic.claude-opus-5-v1',
      'max',
      10,
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'max' } },
    ],
    ['deepseek.v3-v1:0', 'minimal', 10, { reasoning_config: 'low' }],
    ['amazon.nova-2-lite-v1:0', 'medium', 10, { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'medium' } }],
    ['openai.gpt-oss-120b-1:0', 'xhigh', 10, { reasoning_effort: 'high' }],
    ['openai.gpt-6-sol', 'xhigh', 10, { reasoning: { effort: 'xhigh' } }],
    ['anthropic.claude-3-5-sonnet-20241022-v2:0', 'high', 10, {}],
    ['meta.llama3-1-70b-instruct-v1:0', 'high', 10, {}],
  ] as const)('%s with %s', ([id, effort, maxTokens, fields], { expect }) => {
    expect(planReasoning(effort, traits(id), maxTokens).fields).toEqual(fields)
  })

  test('none sends nothing to any family, and a budget always leaves room for the answer', ({ expect }) => {
    for (const id of [
      'anthropic.claude-sonnet-4-5',
      'anthropic.claude-opus-5',
      'deepseek.v3',
      'amazon.nova-2-lite',
      'openai.gpt-6',
    ]) {
      expect(planReasoning('none', traits(id), 10).fields).toEqual({})
    }
    fc.assert(
      fc.property(
        fc.constantFrom(...reasoningEfforts),
        fc.option(fc.integer({ min: 1, max: 200_000 }), { nil: undefined }),
        (effort, maxTokens) => {
          const plan = planReasoning(effort, traits('anthropic.claude-sonnet-4-5'), maxTokens)
          const thinking = plan.fields['thinking'] as { budget_tokens: number } | undefined
          if (thinking !== undefined) expect(plan.maxTokens).toBeGreaterThanOrEqual(thinking.budget_tokens + 256)
        },
      ),
    )
  })
})

describe('cache points', () => {
  const tool = { toolSpec: { name: 't', inputSchema: { json: {} } } }
  const long = [{ text: 'word '.repeat(5_000) }]
  const turns = [
    { role: 'user' as const, content: [{ text: 'a' }] },
    { role: 'assistant' as const, content: [{ text: 'b' }] },
    { role: 'user' as const, content: [{ toolResult: { toolUseId: 'x', content: [{ text: 'c' }] } }] },
  ]
  const wish = { system: true, messages: true, ttl: '1h' as const }

  test('come in the order tools, system, messages, all of one TTL, beside tool results and never inside', ({
    expect,
  }) => {
    const cached = placeCachePoints([tool], long, turns, wish, traits('anthropic.claude-sonnet-4-5'))
    const point = { cachePoint: { type: 'default', ttl: '1h' } }

    expect(cached.tools.at(-1)).toEqual(point)
    expect(cached.system.at(-1)).toEqual(point)
    expect(cached.turns.map((turn) => turn.content.at(-1))).toEqual([point, { text: 'b' }, point])
    expect(JSON.stringify(cached.turns[2]?.content[0])).not.toContain('cachePoint')
  })

  test('an hour is shortened where the model has none, a short system is left alone, Nova’s tools too', ({
    expect,
  }) => {
    const old = placeCachePoints([tool], [{ text: 'short' }], turns, wish, traits('anthropic.claude-3-5-sonnet'))
    const nova = placeCachePoints([tool], long, turns, wish, traits('amazon.nova-pro-v1:0'))

    expect(JSON.stringify(old)).not.toContain('1h')
    expect(old.system).toEqual([{ text: 'short' }])
    expect(nova.tools).toEqual([tool])
    expect(nova.system).toHaveLength(2)
  })

  test('are never more than the budget, and none where the model has no cache', ({ expect }) => {
    const many = Array.from({ length: 9 }, (_, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: [{ text: 'x' }],
    }))
    const count = (value: unknown) => JSON.stringify(value).split('cachePoint').length - 1

    expect(count(placeCachePoints([tool], long, many, wish, traits('anthropic.claude-opus-4-6')))).toBe(4)
    expect(count(placeCachePoints([tool], long, many, wish, traits('meta.llama3-1-70b')))).toBe(0)
  })
})

test('every object of a schema is closed unless it says otherwise', ({ expect }) => {
  const schema = {
    type: 'object',
    properties: {
      a: { type: 'object', properties: {} },
      b: { type: 'object', additionalProperties: true },
      c: { type: 'array', items: { type: 'object' } },
    },
    $defs: { d: { anyOf: [{ type: 'object' }, { type: 'string' }] } },
  }

  expect(withClosedObjects(schema)).toEqual({
    type: 'object',
    additionalProperties: false,
    properties: {
      a: { type: 'object', properties: {}, additionalProperties: false },
      b: { type: 'object', additionalProperties: true },
      c: { type: 'array', items: { type: 'object', additionalProperties: false } },
    },
    $defs: { d: { anyOf: [{ type: 'object', additionalProperties: false }, { type: 'string' }] } },
  })
})

describe('the model registry', () => {
  test('adds capabilities up and takes parameters from the first entry that matches', ({ expect }) => {
    const sonnet = traits('anthropic.claude-sonnet-5-5-v1')

    expect([...sonnet.capabilities]).toEqual(
      expect.arrayContaining(['drop_sampling', 'structured_output', 'prompt_caching']),
    )
    expect(sonnet.parameters.cacheTokensMin).toBe(512)
    expect(traits('anthropic.claude-sonnet-5-v1').parameters.cacheTokensMin).toBe(1_024)
  })

  test.for([
    [{ model: [{ capabilities: [] }] }, 'needs match'],
    [{ model: [{ match: 'x', capabilities: ['flying'] }] }, 'unknown capability flying'],
    [{ model: [{ match: 'x', params: { compatible_surface: 'both' } }] }, 'compatible_surface'],
    [{ alias: [{ from: 'x' }] }, 'from and to'],
    [[], 'not a table'],
  ] as const)('refuses %j', ([file, words], { expect }) => {
    const read = readModelRegistry(file)

    expect(read.ok ? '' : sayModelRegistryFault(read.failure)).toContain(words)
  })
})
