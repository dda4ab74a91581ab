import { createServer } from 'node:http'
import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  InvokeModelCommand,
} from '@aws-sdk/client-bedrock-runtime'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { SignatureV4 } from '@smithy/signature-v4'
import { describe, test } from 'vitest'
import { nodeDigests } from '../../../local/gateway/node-platform.ts'
import { sandboxLabel } from '../../../local/gateway/sandbox/sandbox-model.ts'
import { credentialSource, type HostFiles } from '../../../workers/gateway/adapters/credentials.ts'
import { fetchOutgoing, webDigests, webTimers } from '../../../workers/gateway/adapters/edge-platform.ts'
import { RequestSigner } from '../../../workers/gateway/adapters/request-signer.ts'
import { composeGateway } from '../../../workers/gateway/compose.ts'
import { fakeAccess, fakeBearer, startFakeBedrock } from '../../support/fake-bedrock.ts'
import {
  environmentFor,
  gatewayUnderTest,
  registries,
  sonnet,
  storageInMemory,
  testKey,
} from '../../support/gateway-under-test.ts'
import { endServer, listenOnLoopback } from '../../support/loopback.ts'
import { SmithyHash } from '../../support/smithy-hash.ts'

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const nowMs = Date.UTC(2015, 7, 30, 12, 36, 0)

describe('signatures', () => {
  const requests: readonly (readonly [string, string, string, string])[] = [
    ['a model id with a colon', 'POST', `/model/${encodeURIComponent(sonnet)}/converse`, '{"a":1}'],
    [
      'an ARN',
      'POST',
      `/model/${encodeURIComponent('arn:aws:bedrock:us-west-2:123456789012:application-inference-profile/abc')}/invoke`,
      '',
    ],
    ['a query', 'GET', '/inference-profiles?type=SYSTEM_DEFINED&maxResults=1000&nextToken=a%2Bb%20c', ''],
    ['text beyond ASCII', 'POST', '/model/x/converse', '{"a":"é—☃"}'],
  ]
  test.for(requests)(
    'of %s equal those of the provider’s own SDK, by both kinds of digest',
    async ([, method, target, body], { expect }) => {
      const url = new URL(`https://bedrock-runtime.us-west-2.amazonaws.com${target}`)
      for (const sessionToken of [undefined, 'session/token+=']) {
        const identity = sessionToken === undefined ? credentials : { ...credentials, sessionToken }
        const theirs = await new SignatureV4({
          credentials: identity,
          region: 'us-west-2',
          service: 'bedrock',
          sha256: SmithyHash,
        }).sign(
          {
            method,
            protocol: 'https:',
            hostname: url.hostname,
            path: url.pathname,
            query: Object.fromEntries(url.searchParams),
            headers: { host: url.hostname, 'content-type': 'application/json' },
            body,
          },
          { signingDate: new Date(nowMs) },
        )
        for (const digests of [nodeDigests, webDigests]) {
          const ours = await new RequestSigner(digests, { nowMs: () => nowMs }).sign(
            { method, url: url.href, headers: { 'content-type': 'application/json' }, body },
            identity,
            'us-west-2',
            'bedrock',
          )
          expect(ours['authorization']).toBe(theirs.headers['authorization'])
        }
      }
    },
  )

  test('the time and the scope are written as the service reads them', async ({ expect }) => {
    const headers = await new RequestSigner(nodeDigests, { nowMs: () => nowMs }).sign(
      { method: 'GET', url: 'https://example.amazonaws.com/', headers: {}, body: new Uint8Array() },
      credentials,
      'us-east-1',
      'service',
    )

    expect(headers['x-amz-date']).toBe('20150830T123600Z')
    expect(headers['authorization']).toContain('Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request')
  })
})

test('the stand-in is taken for the real provider by the provider’s own SDK', async ({ expect }) => {
  const bedrock = await startFakeBedrock()
  const client = new BedrockRuntimeClient({
    endpoint: bedrock.url,
    region: 'us-west-2',
    credentials: fakeAccess,
    maxAttempts: 1,
    // By itself the SDK speaks HTTP/2, which needs an address with TLS.
    requestHandler: new NodeHttpHandler(),
  })
  const messages = [{ role: 'user' as const, content: [{ text: 'hello there' }] }]
  const whole = await client.send(new ConverseCommand({ modelId: sonnet, messages }))
  const streamed = await client.send(new ConverseStreamCommand({ modelId: sonnet, messages }))
  const texts: string[] = []
  let stopReason: string | undefined
  let tokens: number | undefined
  for await (const event of streamed.stream ?? []) {
    texts.push(event.contentBlockDelta?.delta?.text ?? '')
    stopReason ??= event.messageStop?.stopReason
    tokens ??= event.metadata?.usage?.totalTokens
  }
  const embedded = await client.send(
    new InvokeModelCommand({ modelId: 'amazon.titan-embed-text-v1', body: '{"inputText":"x"}' }),
  )
  bedrock.next(
    { status: 429, error: 'ThrottlingException', message: 'slow down' },
    {
      steps: [
        { event: 'messageStart', payload: { role: 'assistant' } },
        { exception: 'modelStreamErrorException', message: 'broke' },
      ],
    },
  )
  const throttled = await client
    .send(new ConverseCommand({ modelId: sonnet, messages }))
    .catch((error: unknown) => error)
  const broken = await client.send(new ConverseStreamCommand({ modelId: sonnet, messages }))
  const read = async () => {
    for await (const _ of broken.stream ?? []);
  }

  expect(whole.output?.message?.content).toEqual([{ text: `${sandboxLabel} You said: hello there` }])
  expect([texts.join(''), stopReason, tokens]).toEqual([`${sandboxLabel} You said: hello there`, 'end_turn', 26])
  expect(JSON.parse(new TextDecoder().decode(embedded.body)).embedding).toHaveLength(1536)
  expect(throttled).toMatchObject({ name: 'ThrottlingException', message: 'slow down' })
  await expect(read()).rejects.toMatchObject({ name: 'ModelStreamErrorException' })
  client.destroy()
  await bedrock.close()
})

test('a provider API key is sent as it is, without a signature', async ({ expect }) => {
  await using under = await gatewayUnderTest(
    { AWS_BEARER_TOKEN_BEDROCK: fakeBearer, AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' },
    {},
    { authentication: 'bearer' },
  )
  const answer = await under.call('/chat/completions', {
    json: { model: sonnet, messages: [{ role: 'user', content: 'x' }] },
  })

  expect(answer.status).toBe(200)
  expect(under.bedrock.callsOf('converse')[0]?.headers['authorization']).toBe(`Bearer ${fakeBearer}`)
  expect(JSON.stringify(under.bedrock.calls.map((call) => call.headers))).not.toContain(testKey)
})

test('the provider denying the gateway’s identity is answered 401', async ({ expect }) => {
  await using under = await gatewayUnderTest({ AWS_SECRET_ACCESS_KEY: 'wrong' })
  const answer = await under.call('/chat/completions', {
    json: { model: sonnet, messages: [{ role: 'user', content: 'x' }] },
  })

  expect(answer.status).toBe(401)
  expect(await answer.json()).toMatchObject({ error: { code: 'unauthorized', type: 'invalid_request_error' } })
})

test.for([
  ['a day behind', -86_400_000],
  ['a day ahead', 86_400_000],
] as const)('a clock %s is named, and is no denied identity', async ([_, driftMs], { expect }) => {
  await using under = await gatewayUnderTest({}, { clock: { nowMs: () => Date.now() + driftMs } })
  const answer = await under.call('/chat/completions', {
    json: { model: sonnet, messages: [{ role: 'user', content: 'x' }] },
  })

  expect(answer.status).toBe(502)
  expect(await answer.json()).toMatchObject({
    error: { code: 'upstream_error', message: expect.stringContaining('clock') },
  })
})

/** A small outside service that answers by path and remembers what it was asked. */
async function service(
  answers: Readonly<
    Record<string, (headers: Record<string, unknown>, body: string) => { status?: number; body: unknown }>
  >,
) {
  const asked: { path: string; headers: Record<string, unknown>; body: string }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const path = request.url ?? ''
    asked.push({ path, headers: request.headers, body })
    const found = answers[`${request.method} ${path}`]?.(request.headers, body) ?? { status: 404, body: 'no' }
    response.writeHead(found.status ?? 200, { 'content-type': 'application/json' })
    response.end(typeof found.body === 'string' ? found.body : JSON.stringify(found.body))
  })
  const { port } = await listenOnLoopback(server)
  return {
    asked,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => endServer(server),
  }
}

describe('the key clients present', () => {
  const arn = 'arn:aws:secretsmanager:us-west-2:123456789012:secret:gateway'
  const secret = (value: unknown) => () => ({ body: { SecretString: JSON.stringify(value) } })
  const ask = async (environment: Record<string, string>) => {
    const gateway = composeGateway(
      { ...environmentFor({ url: 'http://127.0.0.1:9' }), ...environment },
      { registries, ...storageInMemory(), log: () => {} },
    )
    const models = (key: string) =>
      gateway.fetch(
        new Request('http://gateway.test/api/v1/nothing-but-auth', { headers: { authorization: `Bearer ${key}` } }),
      )
    const embeddings = (key: string) =>
      gateway.fetch(
        new Request('http://gateway.test/api/v1/embeddings', {
          method: 'POST',
          body: '{}',
          headers: { authorization: `Bearer ${key}` },
        }),
      )
    return { gateway, models, status: async (key: string) => (await embeddings(key)).status }
  }

  test('comes from a secret with the field api_key, read once, signed', async ({ expect }) => {
    await using store = await service({ 'POST /': secret({ api_key: 'from-the-secret-store' }) })
    const host = await ask({ AWS_ENDPOINT_URL_SECRETS_MANAGER: store.url, API_KEY_SECRET_ARN: arn })

    expect([await host.status('from-the-secret-store'), await host.status(testKey)]).toEqual([400, 401])
    expect(store.asked).toHaveLength(1)
    expect(store.asked[0]?.headers).toMatchObject({
      'x-amz-target': 'secretsmanager.GetSecretValue',
      'content-type': 'application/x-amz-json-1.1',
      authorization: expect.stringContaining('/us-west-2/secretsmanager/aws4_request'),
    })
    expect(JSON.parse(store.asked[0]?.body ?? '')).toEqual({ SecretId: arn })
  })

  test('comes from a parameter before a secret, and from a secret before the plain variable', async ({ expect }) => {
    await using parameters = await service({
      'POST /': () => ({ body: { Parameter: { Value: 'from-the-parameter-store' } } }),
    })
    await using secrets = await service({ 'POST /': secret({ api_key: 'from-the-secret-store' }) })
    const host = await ask({
      AWS_ENDPOINT_URL_SSM: parameters.url,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      API_KEY_PARAM_NAME: '/gateway/key',
      API_KEY_SECRET_ARN: arn,
    })

    expect([
      await host.status('from-the-parameter-store'),
      await host.status('from-the-secret-store'),
      await host.status(testKey),
    ]).toEqual([400, 401, 401])
    expect(JSON.parse(parameters.asked[0]?.body ?? '')).toEqual({ Name: '/gateway/key', WithDecryption: true })
  })

  test.for([
    [
      'a parameter',
      'AWS_ENDPOINT_URL_SSM',
      { API_KEY_PARAM_NAME: '/gateway/key' },
      { Parameter: { Value: 'a-key\n' } },
    ],
    [
      'a secret',
      'AWS_ENDPOINT_URL_SECRETS_MANAGER',
      { API_KEY_SECRET_ARN: arn },
      { SecretString: JSON.stringify({ api_key: ' a-key\r\n' }) },
    ],
  ] as const)('is what stands in %s without the line break behind it', async ([_, place, named, body], { expect }) => {
    await using store = await service({ 'POST /': () => ({ body }) })
    const host = await ask({ [place]: store.url, ...named })

    expect([await host.status('a-key'), await host.status('a-kex')]).toEqual([400, 401])
  })

  test.for([
    ['refuses', () => ({ status: 400, body: { __type: 'AccessDeniedException' } })],
    ['has no such field', secret({ other: 'x' })],
    ['holds an empty key', secret({ api_key: '' })],
    ['holds a blank key', secret({ api_key: ' \n' })],
  ] as const)('a store that %s leaves the gateway closed, not open', async ([, answer], { expect }) => {
    await using store = await service({ 'POST /': answer })
    const host = await ask({ AWS_ENDPOINT_URL_SECRETS_MANAGER: store.url, API_KEY_SECRET_ARN: arn })

    expect(await host.status(testKey)).toBe(503)
    expect(await host.gateway.start()).toMatchObject({ ok: false })
  })
})

describe('credentials of the gateway', () => {
  const source = (
    environment: Record<string, string>,
    more: { files?: HostFiles; tokenServiceUrl?: string; nowMs?: () => number } = {},
  ) =>
    credentialSource({
      environment,
      outgoing: fetchOutgoing,
      clock: { nowMs: more.nowMs ?? (() => nowMs) },
      timers: webTimers,
      region: 'us-west-2',
      tokenServiceUrl: more.tokenServiceUrl ?? 'http://127.0.0.1:9',
      files: more.files,
    })
  const files = (content: Readonly<Record<string, string>>): HostFiles => ({
    home: '/home/x',
    read: async (path) => content[path],
  })
  const issued = (id: string, lifeMs: number) => ({
    AccessKeyId: id,
    SecretAccessKey: 'secret',
    Token: 'token',
    Expiration: new Date(nowMs + lifeMs).toISOString(),
  })

  test('come from the environment', async ({ expect }) => {
    const found = await source({ AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'S', AWS_SESSION_TOKEN: 'T' }).current()

    expect(found).toEqual({ ok: true, value: { accessKeyId: 'A', secretAccessKey: 'S', sessionToken: 'T' } })
  })

  test('are looked for as if settings that are empty were not there', async ({ expect }) => {
    const text = `[default]\naws_access_key_id = ${fakeAccess.accessKeyId}\naws_secret_access_key = ${fakeAccess.secretAccessKey}`
    const empty = [
      'AWS_ACCESS_KEY_ID',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_PROFILE',
      'AWS_SHARED_CREDENTIALS_FILE',
      'AWS_WEB_IDENTITY_TOKEN_FILE',
      'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
      'DEFAULT_MODEL',
    ]
    await using under = await gatewayUnderTest(
      { ...Object.fromEntries(empty.map((name) => [name, ''])), APP_DEFAULT_MODEL: sonnet },
      { files: files({ '/home/x/.aws/credentials': text }) },
    )
    const answer = await under.call('/chat/completions', { json: { messages: [{ role: 'user', content: 'x' }] } })

    expect(answer.status).toBe(200)
    expect(answer.headers.get('openai-model')).toBe(sonnet)
  })

  test('come from the named profile of the file', async ({ expect }) => {
    const text =
      '[default]\naws_access_key_id = D\naws_secret_access_key = S\n\n[work]\naws_access_key_id=W\naws_secret_access_key=S2\n'
    const found = async (environment: Record<string, string>) =>
      source(environment, { files: files({ '/home/x/.aws/credentials': text }) }).current()

    expect(await found({})).toMatchObject({ value: { accessKeyId: 'D', secretAccessKey: 'S' } })
    expect(await found({ AWS_PROFILE: 'work' })).toMatchObject({ value: { accessKeyId: 'W', secretAccessKey: 'S2' } })
  })

  test('come from the container agent, with its token read again each time', async ({ expect }) => {
    await using agent = await service({
      'GET /creds': (headers) => ({ body: headers['authorization'] === 'tok' ? issued('C', 3_600_000) : {} }),
    })
    const found = await source(
      { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${agent.url}/creds`, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: '/token' },
      { files: files({ '/token': 'tok\n' }) },
    ).current()

    expect(found).toMatchObject({ value: { accessKeyId: 'C', sessionToken: 'token', expiresAtMs: nowMs + 3_600_000 } })
  })

  test('never come from a plain address outside the machine', async ({ expect }) => {
    const found = await source(
      { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://agent.example/creds' },
      { files: files({}) },
    ).current()

    expect(found).toMatchObject({ ok: false, failure: { code: 'unauthorized' } })
  })

  test('come from instance metadata by its session token', async ({ expect }) => {
    await using metadata = await service({
      'PUT /latest/api/token': (headers) => ({
        body: headers['x-aws-ec2-metadata-token-ttl-seconds'] === '21600' ? 'session' : '',
      }),
      'GET /latest/meta-data/iam/security-credentials/': (headers) => ({
        body: headers['x-aws-ec2-metadata-token'] === 'session' ? 'role' : '',
      }),
      'GET /latest/meta-data/iam/security-credentials/role': () => ({ body: issued('I', 3_600_000) }),
    })
    const found = await source({ AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url }, { files: files({}) }).current()

    expect(found).toMatchObject({ value: { accessKeyId: 'I' } })
  })

  test.for([
    [
      'XML',
      `<R><Credentials><AccessKeyId>X</AccessKeyId><SecretAccessKey>S</SecretAccessKey><SessionToken>T</SessionToken><Expiration>2030-01-01T00:00:00Z</Expiration></Credentials></R>`,
    ],
    [
      'JSON',
      {
        AssumeRoleWithWebIdentityResponse: {
          AssumeRoleWithWebIdentityResult: {
            Credentials: { AccessKeyId: 'X', SecretAccessKey: 'S', SessionToken: 'T', Expiration: 1_893_456_000 },
          },
        },
      },
    ],
  ] as const)('come from a web identity token, answered in %s', async ([, body], { expect }) => {
    await using sts = await service({ 'POST /': () => ({ body }) })
    const found = await source(
      { AWS_ROLE_ARN: 'arn:aws:iam::1:role/r', AWS_WEB_IDENTITY_TOKEN_FILE: '/jwt', AWS_ROLE_SESSION_NAME: 'name' },
      { files: files({ '/jwt': 'header.body.sig' }), tokenServiceUrl: sts.url },
    ).current()

    expect(found).toMatchObject({ value: { accessKeyId: 'X', sessionToken: 'T', expiresAtMs: 1_893_456_000_000 } })
    expect(Object.fromEntries(new URLSearchParams(sts.asked[0]?.body))).toEqual({
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: 'arn:aws:iam::1:role/r',
      RoleSessionName: 'name',
      WebIdentityToken: 'header.body.sig',
    })
  })

  test('are renewed before they end, once for all who ask, and kept when the renewal fails', async ({ expect }) => {
    let time = nowMs
    let served = 0
    let isDown = false
    await using agent = await service({
      'GET /creds': () => {
        served += 1
        return isDown ? { status: 500, body: '' } : { body: issued(`C${served}`, 600_000) }
      },
    })
    const found = source(
      { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${agent.url}/creds` },
      { files: files({}), nowMs: () => time },
    )
    const ids = async () =>
      (await Promise.all([found.current(), found.current(), found.current()])).map((entry) =>
        entry.ok ? entry.value.accessKeyId : 'none',
      )

    expect(await ids()).toEqual(['C1', 'C1', 'C1'])
    time += 301_000
    isDown = true
    expect(await ids()).toEqual(['C1', 'C1', 'C1'])
    expect(served).toBe(2)
    time += 300_000
    expect(await ids()).toEqual(['none', 'none', 'none'])
  })
})
