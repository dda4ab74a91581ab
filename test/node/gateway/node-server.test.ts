import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import OpenAI from 'openai'
import { describe, test } from 'vitest'
import { WebSocket } from 'ws'
import { startNodeGateway } from '../../../local/gateway/node-server.ts'
import { publicLookup, strangerPool } from '../../../local/gateway/outgoing-pool.ts'
import { textSteps } from '../../../local/gateway/sandbox/provider-shapes.ts'
import { sandboxLabel } from '../../../local/gateway/sandbox/sandbox-model.ts'
import { someCard, startFakeBedrock } from '../../support/fake-bedrock.ts'
import { gatewayOnNode } from '../../support/gateway-on-node.ts'
import { environmentFor, framesOf, sonnet, testKey } from '../../support/gateway-under-test.ts'

async function nodeGateway(environment: Readonly<Record<string, string>> = {}) {
  const bedrock = await startFakeBedrock()
  const started = await gatewayOnNode({ ...environmentFor(bedrock), ...environment })
  return {
    bedrock,
    url: started.url,
    stop: () => started.stop(),
    client: new OpenAI({ apiKey: testKey, baseURL: started.url, maxRetries: 0 }),
    async [Symbol.asyncDispose]() {
      await bedrock.close()
      await started.stop()
    },
  }
}

const ask = { model: sonnet, messages: [{ role: 'user' as const, content: 'hello there' }] }

describe('the gateway on Node', () => {
  test('serves the official client over a real socket: whole, streamed, models, embeddings', async ({ expect }) => {
    await using host = await nodeGateway()
    const whole = await host.client.chat.completions.create(ask)
    const streamed = await host.client.chat.completions.stream(ask).finalChatCompletion()
    const embedded = await host.client.embeddings.create({ model: 'cohere.embed-english-v3', input: 'x' })
    const id = 'arn:aws:bedrock:us-west-2:123456789012:application-inference-profile/abc123'

    expect(whole.choices[0]?.message.content).toBe(`${sandboxLabel} You said: hello there`)
    expect(streamed.choices[0]?.message.content).toBe(`${sandboxLabel} You said: hello there`)
    expect(embedded.data[0]?.embedding).toHaveLength(1024)
    expect(await host.client.models.retrieve(id)).toMatchObject({ id })
  })

  test('sees itself where a client calls from, on both kinds of connection, whatever it says', async ({ expect }) => {
    await using host = await nodeGateway()
    const make = async (addresses: readonly string[]) => {
      const made = await fetch(`${host.url}/admin/keys`, {
        method: 'POST',
        headers: { authorization: `Bearer ${testKey}` },
        body: JSON.stringify({ name: 'near', addresses }),
      })
      return (await made.json()) as { readonly secret: string }
    }
    const [near, far] = [await make(['127.0.0.1', '::1']), await make(['203.0.113.7'])]
    const statusOf = async ({ secret }: { readonly secret: string }) => {
      const answer = await fetch(`${host.url}/models`, {
        headers: {
          authorization: `Bearer ${secret}`,
          'cf-connecting-ip': '203.0.113.7',
          'x-forwarded-for': '203.0.113.7',
        },
      })
      await answer.text()
      return answer.status
    }
    const firstOf = async ({ secret }: { readonly secret: string }) => {
      const socket = new WebSocket(`${host.url.replace('http', 'ws')}/responses`, {
        headers: { authorization: `Bearer ${secret}` },
      })
      const said = await new Promise<string>((resolve) => {
        socket.on('open', () => socket.send(JSON.stringify({ type: 'response.create', model: sonnet, input: 'hi' })))
        socket.on('message', (data) => resolve(String(data)))
        socket.on('error', (error) => resolve(error.message))
      })
      socket.close()
      return said
    }

    expect([await statusOf(near), await statusOf(far)]).toEqual([200, 403])
    expect(JSON.parse(await firstOf(near))).toMatchObject({ type: 'response.created' })
    expect(await firstOf(far)).toContain('403')
  })

  const longMs = 180_000
  test('ends the provider’s call when the client hangs up, a thousand streams included', {
    tags: 'slow',
    timeout: longMs,
  }, async ({ expect }) => {
    await using host = await nodeGateway()
    const never = new Promise(() => {})
    const hangUp = async () => {
      host.bedrock.next({ steps: [...textSteps(['Hel']).slice(0, 2), { gate: never }] })
      const leaving = new AbortController()
      const answer = await fetch(`${host.url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${testKey}` },
        body: JSON.stringify({ ...ask, stream: true }),
        signal: leaving.signal,
      })
      await answer.body?.getReader().read()
      leaving.abort()
    }
    for (let round = 0; round < 50; round += 1) await Promise.all(Array.from({ length: 20 }, hangUp))

    await expect.poll(() => host.bedrock.openCalls()).toBe(0)
    expect(host.bedrock.callsOf('converse-stream')).toHaveLength(1_000)
  })

  test.for([
    ['a whole answer', false],
    ['the first piece of a stream', true],
  ] as const)(
    'ends the provider’s call when the client does not wait for %s',
    { tags: 'slow' },
    async ([, stream], { expect }) => {
      await using host = await nodeGateway()
      host.bedrock.next({ hang: new Promise(() => {}) })
      const leaving = new AbortController()
      const asked = fetch(`${host.url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${testKey}` },
        body: JSON.stringify({ ...ask, stream }),
        signal: leaving.signal,
      })
      await expect.poll(() => host.bedrock.callsOf(stream ? 'converse-stream' : 'converse')).toHaveLength(1)
      leaving.abort()

      await expect(asked).rejects.toThrow()
      await expect.poll(() => host.bedrock.openCalls()).toBe(0)
    },
  )

  test('lets an answer under way finish when it is told to stop, and takes no new one', async ({ expect }) => {
    const host = await nodeGateway()
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const steps = textSteps(['Hel', 'lo'])
    host.bedrock.next({ steps: [...steps.slice(0, 2), { gate }, ...steps.slice(2)] })
    const answer = await fetch(`${host.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}` },
      body: JSON.stringify({ ...ask, stream: true }),
    })
    const stopped = host.stop()
    await expect(fetch(`${host.url}/health`)).rejects.toThrow()
    release()
    const text = await answer.text()
    await stopped
    await host.bedrock.close()

    expect(framesOf(text).at(-1)?.data).toBe('[DONE]')
  })

  test('refuses a body over the limit without reading the rest of it', async ({ expect }) => {
    await using host = await nodeGateway({ MAX_BODY_SIZE_MB: '1' })
    const { port } = new URL(host.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `POST /api/v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${testKey}\r\ncontent-length: 5000000\r\n\r\n{`,
    )
    const [chunk] = await once(socket, 'data')
    socket.destroy()

    expect(String(chunk)).toMatch(/^HTTP\/1\.1 413 /)
  })

  test.for([
    ['one key', 1, 200],
    ['the key twice', 2, 401],
  ] as const)('answers %s with the status it gets at the edge', async ([_, count, status], { expect }) => {
    await using host = await nodeGateway()
    const keys = Array.from({ length: count }, () => ['Authorization', `Bearer ${testKey}`])
    const asked = request(`${host.url}/models`, { headers: [['Host', 'x'], ...keys].flat() })
    asked.end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.resume()

    expect(answer.statusCode).toBe(status)
  })

  test('refuses to start without a key, and on a port that is taken', async ({ expect }) => {
    await using host = await nodeGateway()
    const start = (environment: Record<string, string>, port: number) =>
      startNodeGateway({ environment, port, hostname: '127.0.0.1', log: () => {} })
    const { API_KEY: _, ...keyless } = environmentFor(host.bedrock)

    expect(await start(keyless, 0)).toMatchObject({ ok: false, failure: { fault: { kind: 'no_key' } } })
    expect(await start(environmentFor(host.bedrock), Number(new URL(host.url).port))).toMatchObject({
      ok: false,
      failure: { kind: 'listen', cause: 'EADDRINUSE' },
    })
  })

  test('takes the owner’s registry file where it parses, and its own where it does not', async ({ expect }) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'gateway-config-'))
    writeFileSync(path.join(folder, 'embeddings.toml'), '[[model]]\nmodel_id = "cohere.embed-next-v9"\nfamily = "A"\n')
    writeFileSync(path.join(folder, 'models.toml'), '[[model]\nbroken')
    await using host = await nodeGateway({ CONFIG_DIR: folder })
    const { account } = host.bedrock
    const cards = [...account.cards, someCard('cohere.embed-next-v9', { output: 'EMBEDDING' })]
    host.bedrock.account = { ...account, cards }

    await expect(host.client.embeddings.create({ model: 'cohere.embed-next-v9', input: 'x' })).resolves.toBeDefined()
    await expect(host.client.embeddings.create({ model: 'cohere.embed-english-v3', input: 'x' })).rejects.toMatchObject(
      { status: 400 },
    )
    await expect(host.client.chat.completions.create(ask)).resolves.toBeDefined()
  })

  test('started as a program, says in one line why it cannot start, and serves when it can', async ({ expect }) => {
    const bedrock = await startFakeBedrock()
    const run = (environment: Record<string, string>) =>
      spawn(process.execPath, ['local/gateway.ts', '--port', '0', '--host', '127.0.0.1'], {
        env: environment,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
    const refused = run({ AWS_ENDPOINT_URL: bedrock.url })
    const [line] = await once(refused.stderr, 'data')
    const [code] = await once(refused, 'exit')
    const serving = run(environmentFor(bedrock))
    const [greeting] = await once(serving.stderr, 'data')
    const url = /http:\S+/.exec(String(greeting))?.[0] ?? ''
    const health = await fetch(`${url}/health`)
    serving.kill('SIGTERM')
    const [ended] = await once(serving, 'exit')
    await bedrock.close()

    expect(String(line)).toBe('no API key: set API_KEY, API_KEY_SECRET_ARN or API_KEY_PARAM_NAME\n')
    expect(code).toBe(1)
    expect(await health.text()).toBe('OK')
    expect(ended).toBe(0)
  })

  test.for([
    [['--help'], 0, /^Usage: wharf gateway .*--port N.*--host NAME/s, /^$/],
    [['--prot', '1'], 1, /^$/, /^Unknown option '--prot'[^\n]*; --help lists the options\n$/],
    [['--port', '70000'], 1, /^$/, /^--port must be a whole number up to 65535\n$/],
    [['--port', ''], 1, /^$/, /^--port must be a whole number up to 65535\n$/],
    [['--port', '8o'], 1, /^$/, /^--port must be a whole number up to 65535\n$/],
    [['8080'], 1, /^$/, /^Unexpected argument '8080'[^\n]*; --help lists the options\n$/],
  ] as const)('started with %j, says so in words', ([flags, code, out, err], { expect }) => {
    const run = spawnSync(process.execPath, ['local/gateway.ts', ...flags], { env: {}, encoding: 'utf8' })

    expect(run.status).toBe(code)
    expect(run.stdout).toMatch(out)
    expect(run.stderr).toMatch(err)
  })
})

describe('names that strangers chose', () => {
  test('a name that leads to a private address is refused after it was resolved', async ({ expect }) => {
    const outcome = await new Promise((resolve) => publicLookup('localhost', {}, (error) => resolve(error)))

    expect(outcome).toBeInstanceOf(Error)
  })

  test('the connection goes to the address that was judged', async ({ expect }) => {
    let lookups = 0
    const pool = strangerPool(1_000, (_, options, callback) => {
      lookups += 1
      const address = { address: '127.0.0.1', family: 4 }
      return options.all === true ? callback(null, [address]) : callback(null, address.address, 4)
    })
    const bedrock = await startFakeBedrock()
    const { port } = new URL(bedrock.url)
    const answer = await pool.outgoing({
      method: 'GET',
      url: `http://any-name.example:${port}/`,
      headers: {},
      signal: new AbortController().signal,
    })
    for await (const _ of answer.body);
    await pool.close()
    await bedrock.close()

    expect(answer.status).toBe(403)
    expect(lookups).toBe(1)
  })
})
