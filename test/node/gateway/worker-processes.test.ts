/** Several processes on one port are one gateway: one budget, one list of keys, one count. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { workerProcessesMax } from '../../../local/gateway/limits.ts'
import type { KeyObject } from '../../../workers/gateway/contract/admin.ts'
import { addedMetrics } from '../../../workers/gateway/core/metrics.ts'
import { startFakeBedrock } from '../../support/fake-bedrock.ts'
import { environmentFor, sonnet, testKey } from '../../support/gateway-under-test.ts'

const root = path.join(import.meta.dirname, '../../..')

let url = ''
const bedrock = await startFakeBedrock()
const child = spawn(process.execPath, ['local/gateway.ts', '--port', '0', '--workers', '2'], {
  cwd: root,
  env: { PATH: process.env['PATH'], ...environmentFor(bedrock), LOG_LEVEL: 'error' },
  stdio: ['ignore', 'ignore', 'pipe'],
})
if (child.stderr === null) throw new Error('the process has no output')
const [line] = await once(child.stderr, 'data')
url = /http:\S+/.exec(String(line))?.[0] ?? ''
afterAll(async () => {
  if (child.exitCode === null) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await bedrock.close()
})

const question = { model: sonnet, max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] }

/** Each on a connection of its own, so that they go to all processes. */
function ask(target: string, secret: string, json?: object): Promise<Response> {
  return fetch(url + target, {
    headers: { authorization: `Bearer ${secret}`, connection: 'close' },
    ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
  })
}

/** The processes that serve, by the one that started them. */
function workers(): readonly number[] {
  const text = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  return text.trim().split(' ').map(Number)
}

describe('two processes on one port', () => {
  test('let no more through than a budget has, however many ask at once', async ({ expect }) => {
    const made = await ask('/admin/keys', testKey, { name: 'shared', requests_per_minute: 1_000, budget_day_usd: 0.02 })
    const key = (await made.json()) as KeyObject & { secret: string }
    const answers = await Promise.all(
      Array.from({ length: 200 }, async () => (await ask('/chat/completions', key.secret, question)).status),
    )
    const after = (await (await ask(`/admin/keys/${key.id}`, testKey)).json()) as KeyObject

    expect(new Set(answers)).toEqual(new Set([200, 429]))
    expect(after.used.day_usd).toBeLessThanOrEqual(0.02)
    expect(after.used).toMatchObject({ reserved_usd: 0, calls_under_way: 0 })
    expect(bedrock.callsOf('converse')).toHaveLength(answers.filter((status) => status === 200).length)
  })

  test('are counted as one', async ({ expect }) => {
    const served = bedrock.callsOf('converse').length
    const texts = await Promise.all(Array.from({ length: 4 }, async () => (await ask('/metrics', testKey)).text()))
    const counts = texts.map((text) => /gateway_calls_total\{.*outcome="answered"\} (\d+)/.exec(text)?.[1])

    expect(workers()).toHaveLength(2)
    expect(counts).toEqual(texts.map(() => String(served)))
  })

  test('go on from an answer that the other one kept', async ({ expect }) => {
    const first = (await (await ask('/responses', testKey, { model: sonnet, input: 'one' })).json()) as { id: string }
    const body = { model: sonnet, input: 'two', previous_response_id: first.id }
    const statuses = await Promise.all(
      Array.from({ length: 4 }, async () => (await ask('/responses', testKey, body)).status),
    )

    expect(statuses).toEqual([200, 200, 200, 200])
  })

  test('lose nothing of the other when one is killed, and it is started again', async ({ expect }) => {
    const made = await ask('/admin/keys', testKey, { name: 'held', budget_day_usd: 5 })
    const key = (await made.json()) as KeyObject & { secret: string }
    const never = new Promise<void>(() => {})
    bedrock.next({ hang: never }, { hang: never }, { hang: never }, { hang: never })
    const hanging = Array.from({ length: 4 }, () => ask('/chat/completions', key.secret, question).catch(() => {}))
    const standing = async () => (await (await ask(`/admin/keys/${key.id}`, testKey)).json()) as KeyObject
    await expect.poll(async () => (await standing()).used.calls_under_way).toBe(4)
    const before = workers()
    for (const pid of before) {
      process.kill(pid, 'SIGKILL')
      await expect.poll(() => workers().filter((one) => one !== pid).length).toBe(2)
    }
    await Promise.all(hanging)

    expect(workers().filter((pid) => before.includes(pid))).toEqual([])
    // The last one was killed before its successor listened, perhaps.
    const used = () =>
      standing().then(
        (key) => key.used,
        () => undefined,
      )
    await expect.poll(used).toMatchObject({ reserved_usd: 0, calls_under_way: 0 })
    expect((await ask('/chat/completions', key.secret, question)).status).toBe(200)
  })

  test('end with the one that started them, after what is under way', async ({ expect }) => {
    const pids = workers()
    child.kill('SIGTERM')
    await once(child, 'exit')

    expect(child.exitCode).toBe(0)
    expect(pids.filter(isThere)).toEqual([])
  })
})

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test.for(['0', String(workerProcessesMax + 1), 'two'])('%s processes are refused', async (count, { expect }) => {
  const refused = spawn(process.execPath, ['local/gateway.ts', '--port', '0', '--workers', count], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...environmentFor({ url: 'http://127.0.0.1:9' }) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = once(refused.stderr, 'data')
  const [code] = await once(refused, 'exit')

  expect(code).toBe(1)
  expect(String(await said)).toContain(`--workers must be a whole number from 1 to ${workerProcessesMax}`)
})

test('a setting that cannot be read stops the start of all of them', async ({ expect }) => {
  const refused = spawn(process.execPath, ['local/gateway.ts', '--port', '0', '--workers', '2'], {
    cwd: root,
    env: { PATH: process.env['PATH'], API_KEY: 'short' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = once(refused.stderr, 'data')
  const [code] = await once(refused, 'exit')

  expect([code, String(await said)]).toEqual([1, expect.stringContaining('API_KEY')])
})

test('samples of several processes are added, and each family stays together', ({ expect }) => {
  const one = '# TYPE a counter\na{x="1"} 2\n# TYPE b gauge\nb 1\n'
  const two = '# TYPE a counter\na{x="1"} 3\na{x="2"} 0.5\n# TYPE b gauge\nb 0\n'

  expect(addedMetrics([one, two])).toBe('# TYPE a counter\na{x="1"} 5\na{x="2"} 0.5\n# TYPE b gauge\nb 1\n')
})
