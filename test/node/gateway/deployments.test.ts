import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, test, vi } from 'vitest'
import { functionEnvironment, serveInvocations } from '../../../local/gateway/function-host.ts'
import { startComposed } from '../../../local/gateway/node-compose.ts'
import { textSteps } from '../../../local/gateway/sandbox/provider-shapes.ts'
import { leanNodeFlags, leanProcessVariables } from '../../../scripts/lean-process.mjs'
import { startFakeBedrock } from '../../support/fake-bedrock.ts'
import { environmentFor, framesOf, sonnet, testKey } from '../../support/gateway-under-test.ts'
import { endServer, listenOnLoopback } from '../../support/loopback.ts'
import { unwrap } from '../../support/unwrap.ts'

describe('what npm run build:gateway makes', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'gateway-build-'))
    const built = spawnSync(process.execPath, ['scripts/build-gateway.ts', path.join(folder, 'built')], {
      encoding: 'utf8',
    })
    if (built.status !== 0) throw new Error(built.stderr)
  }, 180_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const container = readFileSync('local/gateway/Containerfile', 'utf8')
  const [, copied = ''] = /^COPY (\S+) /m.exec(container) ?? []
  const [, entry = '[]'] = /^ENTRYPOINT (.+)$/m.exec(container) ?? []
  const [, ...containerArgs] = JSON.parse(entry) as string[]
  const executable = `gateway-${process.platform}-${process.arch}`

  test('is one file for Node and one executable for this platform', ({ expect }) => {
    expect(readdirSync(path.join(folder, 'built')).sort()).toEqual([executable, 'gateway.mjs'])
    expect(containerArgs).toEqual([...leanNodeFlags, copied])
    for (const pair of Object.entries(leanProcessVariables)) expect(container).toContain(pair.join('='))
  })

  test('is held in memory at a byte a character', ({ expect }) => {
    const text = readFileSync(path.join(folder, 'built', 'gateway.mjs'), 'utf8')

    expect(/[^\0-\x7f]/.exec(text)).toBeNull()
    expect(text).toContain('formdata-polyfill. MIT License. Jimmy W\\u00e4rting')
  })

  /** Starts it in a folder that holds nothing else, asks for a chat, a stream and an embedding, and ends it. */
  async function tryAlone(file: string, command: string, args: readonly string[]) {
    const alone = mkdtempSync(path.join(tmpdir(), 'gateway-alone-'))
    copyFileSync(path.join(folder, 'built', file), path.join(alone, file))
    const bedrock = await startFakeBedrock()
    const child = spawn(command, args, {
      cwd: alone,
      env: { ...environmentFor(bedrock), PORT: '0', BIND_ADDR: '127.0.0.1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const [greeting] = await once(child.stderr, 'data')
    const url = /http:\S+/.exec(String(greeting))?.[0] ?? String(greeting)
    const ask = (route: string, body: object) =>
      fetch(url + route, {
        method: 'POST',
        headers: { authorization: `Bearer ${testKey}` },
        body: JSON.stringify(body),
      })
    const chat = await ask('/chat/completions', { model: sonnet, messages: [{ role: 'user', content: 'hi' }] })
    const stream = await ask('/responses', { model: sonnet, input: 'hi', stream: true })
    const frames = framesOf(await stream.text())
    const tokens = await ask('/embeddings', { model: 'vendor-b.embed-text-v1', input: [15339, 1917] })
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    await bedrock.close()
    rmSync(alone, { recursive: true, force: true })

    return {
      statuses: [chat.status, tokens.status],
      lastEvent: frames.at(-1)?.event,
      embedded: bedrock.callsOf('invoke')[0]?.body,
      code,
    }
  }
  const worked = {
    statuses: [200, 200],
    lastEvent: 'response.completed',
    embedded: { inputText: 'hello world' },
    code: 0,
  }

  test('runs by itself from an empty folder, as the container file starts it', async ({ expect }) => {
    expect(await tryAlone(copied, process.execPath, containerArgs)).toEqual(worked)
  })

  test('runs by itself from an empty folder, as an executable without any Node', async ({ expect }) => {
    expect(await tryAlone(executable, `./${executable}`, [])).toEqual(worked)
  })

  test('the executable refuses to start without a key, in one line', ({ expect }) => {
    const refused = spawnSync(path.join(folder, 'built', executable), ['--port', '0'], { env: {}, encoding: 'utf8' })

    expect(refused.stderr).toBe('no API key: set API_KEY, API_KEY_SECRET_ARN or API_KEY_PARAM_NAME\n')
    expect(refused.status).toBe(1)
  })
})

/** A function service on loopback: hands out events and collects what is posted back, of one answer only the beginning. */
async function functionService(events: readonly object[], cutAnswer = Number.POSITIVE_INFINITY) {
  const waiting = [...events]
  const answers: { path: string; mode: unknown; type: unknown; body: Buffer }[] = []
  const server = createServer(async (request, response) => {
    if (answers.length === cutAnswer && request.method === 'POST') {
      answers.push({ path: request.url ?? '', mode: 'cut', type: undefined, body: Buffer.alloc(0) })
      request.once('data', () => request.destroy())
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (request.url?.endsWith('/next')) {
      const event = waiting.shift()
      // With nothing left to do the service keeps its caller waiting.
      if (event === undefined) return
      response.writeHead(200, { 'lambda-runtime-aws-request-id': `id-${waiting.length}` })
      response.end(JSON.stringify(event))
      return
    }
    answers.push({
      path: request.url ?? '',
      mode: request.headers['lambda-runtime-function-response-mode'],
      type: request.headers['content-type'],
      body: Buffer.concat(chunks),
    })
    response.writeHead(202).end()
  })
  const { port } = await listenOnLoopback(server)
  return {
    address: `127.0.0.1:${port}`,
    answers,
    [Symbol.asyncDispose]: () => endServer(server),
  }
}

const event = (method: string, rawPath: string, body?: unknown, isBase64Encoded = false) => {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return {
    rawPath,
    rawQueryString: '',
    headers: {
      host: 'abc.lambda-url.us-west-2.on.aws',
      authorization: `Bearer ${testKey}`,
      'content-type': 'application/json',
    },
    requestContext: { http: { method } },
    ...(text === undefined ? {} : { body: isBase64Encoded ? Buffer.from(text).toString('base64') : text }),
    isBase64Encoded,
  }
}

/** Serves the events of a service until it has got so many answers. */
async function serveAll(service: Awaited<ReturnType<typeof functionService>>, bedrockUrl: string, count: number) {
  const composed = unwrap(await startComposed(functionEnvironment(environmentFor({ url: bedrockUrl })), () => {}))
  const stop = new AbortController()
  const serving = serveInvocations(composed, service.address, stop.signal).catch(() => {})
  await vi.waitUntil(() => service.answers.length === count, { timeout: 20_000 })
  stop.abort()
  await serving
  await composed.close()
}

test('a function service is served invocation by invocation, streams included', async ({ expect }) => {
  const bedrock = await startFakeBedrock()
  const chat = { model: sonnet, messages: [{ role: 'user', content: 'hi' }] }
  await using service = await functionService([
    event('GET', '/api/v1/health'),
    event('POST', '/api/v1/chat/completions', chat),
    event('POST', '/api/v1/chat/completions', { ...chat, stream: true }, true),
    event('POST', '/api/v1/chat/completions', { ...chat, padding: 'x'.repeat(6 * 1_048_576) }),
  ])
  await serveAll(service, bedrock.url, 4)
  await bedrock.close()

  const read = service.answers.map(({ body }) => {
    const end = body.indexOf(Buffer.alloc(8))
    return { prelude: JSON.parse(body.subarray(0, end).toString()), text: body.subarray(end + 8).toString() }
  })
  expect(new Set(service.answers.map((answer) => `${answer.mode} ${answer.type}`))).toEqual(
    new Set(['streaming application/vnd.awslambda.http-integration-response']),
  )
  expect(read.map((answer) => answer.prelude.statusCode)).toEqual([200, 200, 200, 413])
  expect(read[0]?.text).toBe('OK')
  expect(JSON.parse(read[1]?.text ?? '')).toMatchObject({ object: 'chat.completion' })
  expect(framesOf(read[2]?.text ?? '').at(-1)?.data).toBe('[DONE]')
  expect(JSON.parse(read[3]?.text ?? '')).toMatchObject({
    error: { code: 'request_too_large', message: expect.stringContaining('6 MiB') },
  })
})

test('a key with addresses goes by the caller that the service saw', async ({ expect }) => {
  const bedrock = await startFakeBedrock()
  const composed = unwrap(await startComposed(functionEnvironment(environmentFor(bedrock)), () => {}))
  const made = await composed.fetch(
    new Request('http://function/api/v1/admin/keys', {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}` },
      body: JSON.stringify({ name: 'office', addresses: ['203.0.113.7'] }),
    }),
  )
  const { secret } = (await made.json()) as { readonly secret: string }
  const from = (sourceIp: string | undefined) => {
    const asked = event('GET', '/api/v1/models')
    const headers = { ...asked.headers, authorization: `Bearer ${secret}`, 'cf-connecting-ip': '203.0.113.7' }
    return { ...asked, headers, requestContext: { http: { method: 'GET', sourceIp } } }
  }
  await using service = await functionService([from('203.0.113.7'), from('198.51.100.7'), from(undefined)])
  const stop = new AbortController()
  const serving = serveInvocations(composed, service.address, stop.signal).catch(() => {})
  await vi.waitUntil(() => service.answers.length === 3, { timeout: 20_000 })
  stop.abort()
  await serving
  await composed.close()
  await bedrock.close()

  const statusOf = (body: unknown) => /"statusCode":(\d+)/.exec(String(body))?.[1]
  expect(service.answers.map(({ body }) => statusOf(body))).toEqual(['200', '403', '403'])
})

test('an event that is no request of the address fails alone', async ({ expect }) => {
  const bedrock = await startFakeBedrock()
  const health = event('GET', '/api/v1/health')
  const odd = [
    {},
    { httpMethod: 'GET', path: '/api/v1/health', headers: {}, requestContext: { httpMethod: 'GET' } },
    { ...health, requestContext: { http: { method: 'TRACE' } } },
    { ...health, headers: { 'x-broken': 'a\nb' } },
  ]
  await using service = await functionService([...odd, { ...health, headers: undefined }])
  await serveAll(service, bedrock.url, 5)
  await bedrock.close()

  expect(service.answers.map(({ path: place }) => place.split('/').at(-1))).toEqual([
    ...odd.map(() => 'error'),
    'response',
  ])
  expect(JSON.parse(String(service.answers[0]?.body))).toEqual({
    errorType: 'Gateway.UnknownEvent',
    errorMessage: expect.stringContaining('2.0'),
  })
})

test('an answer that is cut off ends its provider’s call, and the next invocation is served', async ({ expect }) => {
  const bedrock = await startFakeBedrock()
  const chat = { model: sonnet, stream: true, messages: [{ role: 'user', content: 'hi' }] }
  bedrock.next({ steps: [...textSteps(['word ']).slice(0, 2), { gate: new Promise(() => {}) }] })
  const invocations = [event('POST', '/api/v1/chat/completions', chat), event('GET', '/api/v1/health')]
  await using service = await functionService(invocations, 0)
  await serveAll(service, bedrock.url, 2)

  expect(service.answers.map((answer) => answer.mode)).toEqual(['cut', 'streaming'])
  await expect.poll(() => bedrock.openCalls()).toBe(0)
  await bedrock.close()
})

test.for([
  [undefined, '6'],
  ['', '6'],
  ['20', '6'],
  ['6', '6'],
  ['5', '5'],
  ['0', '0'],
  ['many', 'many'],
])('a body limit of %s is %s in a function service', ([set, used], { expect }) => {
  expect(functionEnvironment({ MAX_BODY_SIZE_MB: set }).MAX_BODY_SIZE_MB).toBe(used)
})
