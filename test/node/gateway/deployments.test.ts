import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { functionEnvironment, serveInvocations } from '../../../local/gateway/function-host.ts'
import { startComposed } from '../../../local/gateway/node-compose.ts'
import { gatewayNodeFlags, gatewayProcessVariables } from '../../../scripts/gateway-process.mjs'
import { startFakeBedrock } from '../../support/fake-bedrock.ts'
import { environmentFor, framesOf, sonnet, testKey } from '../../support/gateway-under-test.ts'

describe('the one-file build', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'gateway-build-'))
    const built = spawnSync(process.execPath, ['scripts/build-gateway.ts', path.join(folder, 'built')], {
      encoding: 'utf8',
    })
    if (built.status !== 0) throw new Error(built.stderr)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('runs by itself from an empty folder, as the container file starts it', async ({ expect }) => {
    const alone = mkdtempSync(path.join(tmpdir(), 'gateway-alone-'))
    const container = readFileSync('local/gateway/Containerfile', 'utf8')
    const [, copied = ''] = /^COPY (\S+) /m.exec(container) ?? []
    const [, entry = '[]'] = /^ENTRYPOINT (.+)$/m.exec(container) ?? []
    copyFileSync(path.join(folder, 'built', copied), path.join(alone, copied))
    const [, ...args] = JSON.parse(entry) as string[]
    const bedrock = await startFakeBedrock()
    const child = spawn(process.execPath, args, {
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
    const tokens = await ask('/embeddings', { model: 'vendor-b.embed-text-v1', input: [15339, 1917] })
    child.kill('SIGTERM')
    await once(child, 'exit')
    await bedrock.close()

    expect(readdirSync(path.join(folder, 'built'))).toEqual(['gateway.mjs'])
    expect(args).toEqual([...gatewayNodeFlags, copied])
    for (const pair of Object.entries(gatewayProcessVariables)) expect(container).toContain(pair.join('='))
    expect([chat.status, tokens.status]).toEqual([200, 200])
    expect(bedrock.callsOf('invoke')[0]?.body).toEqual({ inputText: 'hello world' })
    rmSync(alone, { recursive: true, force: true })
  })
})

/** A function service on loopback: hands out events and collects what is posted back. */
async function functionService(events: readonly object[]) {
  const waiting = [...events]
  const answers: { mode: unknown; type: unknown; body: Buffer }[] = []
  const server = createServer(async (request, response) => {
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
      mode: request.headers['lambda-runtime-function-response-mode'],
      type: request.headers['content-type'],
      body: Buffer.concat(chunks),
    })
    response.writeHead(202).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    address: `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    answers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
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

test('a function service is served invocation by invocation, streams included', async ({ expect }) => {
  const bedrock = await startFakeBedrock()
  const chat = { model: sonnet, messages: [{ role: 'user', content: 'hi' }] }
  await using service = await functionService([
    event('GET', '/api/v1/health'),
    event('POST', '/api/v1/chat/completions', chat),
    event('POST', '/api/v1/chat/completions', { ...chat, stream: true }, true),
    event('POST', '/api/v1/chat/completions', { ...chat, padding: 'x'.repeat(6 * 1_048_576) }),
  ])
  const composed = await startComposed(functionEnvironment(environmentFor(bedrock)), () => {})
  if (!composed.ok) throw new Error(composed.failure)
  const stop = new AbortController()
  const serving = serveInvocations(composed.value, service.address, stop.signal).catch(() => {})
  await expect.poll(() => service.answers.length, { timeout: 10_000 }).toBe(4)
  stop.abort()
  await serving
  await composed.value.close()
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
