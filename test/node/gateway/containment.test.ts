import fc from 'fast-check'
import { describe, test } from 'vitest'
import { fetchOutgoing } from '../../../workers/gateway/adapters/edge-platform.ts'
import { composeGateway } from '../../../workers/gateway/compose.ts'
import { fakeAccess, startFakeBedrock } from '../../support/fake-bedrock.ts'
import {
  environmentFor,
  gatewayUnderTest,
  registries,
  sonnet,
  storageInMemory,
  testKey,
} from '../../support/gateway-under-test.ts'

const seed = 20_261_121

test('no body of a client decides where the gateway’s calls go', async ({ expect }) => {
  const bedrock = await startFakeBedrock()
  const targets: URL[] = []
  const gateway = composeGateway(environmentFor(bedrock), {
    registries,
    ...storageInMemory(),
    log: () => {},
    random: { hex: () => '0'.repeat(32), fraction: () => 0 },
    outgoing: (request) => {
      targets.push(new URL(request.url))
      return fetchOutgoing(request)
    },
  })
  const model = fc.oneof(
    fc.constantFrom(
      '../../secret',
      'a/../b',
      'x?y=z',
      'x#y',
      'a%2F..%2Fb',
      'a\r\nb: c',
      '@evil.example/',
      '//evil.example',
      '..',
      '.',
      '',
    ),
    fc.string(),
    fc.webUrl(),
  )
  const transport = fc.dictionary(
    fc.constantFrom(
      'base_url',
      'api_base',
      'endpoint',
      'url',
      'headers',
      'aws_region',
      'timeout',
      'extra_headers',
      'api_key',
    ),
    fc.oneof(fc.webUrl(), fc.string()),
  )
  await fc.assert(
    fc.asyncProperty(model, transport, transport, async (name, options, extra) => {
      targets.length = 0
      const body = { ...options, model: name, messages: [{ role: 'user', content: 'x' }], extra_body: extra }
      await gateway.fetch(
        new Request('http://gateway.test/api/v1/chat/completions', {
          method: 'POST',
          headers: { authorization: `Bearer ${testKey}` },
          body: JSON.stringify(body),
        }),
      )
      for (const target of targets) {
        expect(target.origin).toBe(bedrock.url)
        expect(target.pathname).toMatch(/^\/(model\/[^/]+\/converse|foundation-models|inference-profiles)$/)
      }
    }),
    { seed, numRuns: 200 },
  )
  await bedrock.close()
})

describe('what is secret stays inside', () => {
  const canary = 'CANARY5e1f00dCANARY5e1f00dCANARY5e1f00dCANARY'

  test('neither key nor credentials nor the provider’s own secrets leave in an answer or a log line', async ({
    expect,
  }) => {
    await using under = await gatewayUnderTest({ LOG_LEVEL: 'trace', AWS_MAX_RETRY_ATTEMPTS: '2' })
    const words = `denied for arn:aws:iam::123456789012:role/x with ${canary} at https://host.example/?token=${canary}`
    const errors = [
      'ValidationException',
      'AccessDeniedException',
      'ThrottlingException',
      'InternalServerException',
      'ModelErrorException',
    ]
    const answers: string[] = []
    for (const error of errors) {
      const refusal = { status: 400, error, message: words }
      under.bedrock.next(refusal, refusal)
      const answer = await under.call('/chat/completions', {
        json: { model: sonnet, messages: [{ role: 'user', content: 'a private question' }] },
      })
      answers.push(await answer.text(), JSON.stringify([...answer.headers]))
    }
    const told = [...answers, JSON.stringify(under.logs)].join('\n')

    for (const secret of [
      canary,
      testKey,
      fakeAccess.secretAccessKey,
      fakeAccess.accessKeyId,
      '123456789012',
      'a private question',
    ]) {
      expect(told).not.toContain(secret)
    }
  })

  test('no header of the client reaches the provider', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    await under.call('/chat/completions', {
      json: { model: sonnet, messages: [{ role: 'user', content: 'x' }] },
      headers: { cookie: canary, 'x-forwarded-for': canary, 'x-amz-security-token': canary, 'x-custom': canary },
    })

    expect(JSON.stringify(under.bedrock.calls.map((call) => call.headers))).not.toContain(canary)
    expect(JSON.stringify(under.bedrock.calls.map((call) => call.headers))).not.toContain(testKey)
  })
})
