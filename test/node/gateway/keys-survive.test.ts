/** What was spent survives the death of the process, and a folder belongs to one process at a time. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'vitest'
import { openStorage } from '../../../local/gateway/storage.ts'
import type { KeyObject, UsageObject } from '../../../workers/gateway/contract/admin.ts'
import { startFakeBedrock } from '../../support/fake-bedrock.ts'
import { environmentFor, sonnet, testKey } from '../../support/gateway-under-test.ts'
import { unwrap } from '../../support/unwrap.ts'

const root = path.join(import.meta.dirname, '../../..')

async function startGateway(providerUrl: string, folder: string) {
  const child = spawn(process.execPath, ['local/gateway.ts', '--port', '0'], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...environmentFor({ url: providerUrl }), DATA_DIR: folder, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [line] = await once(child.stderr, 'data')
  return { child, url: /http:\S+/.exec(String(line))?.[0] ?? '' }
}

async function killed(child: ChildProcess): Promise<void> {
  const over = once(child, 'exit')
  child.kill('SIGKILL')
  await over
}

test('a killed process forgets no answer that a client has, and lets go what was under way', { tags: 'slow' }, async ({
  expect,
}) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gateway-keys-'))
  const bedrock = await startFakeBedrock()
  const first = await startGateway(bedrock.url, folder)
  const asOwner = async <T>(url: string, target: string, body?: object): Promise<T> => {
    const answer = await fetch(`${url}/admin${target}`, {
      headers: { authorization: `Bearer ${testKey}` },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    return answer.json() as Promise<T>
  }
  const key = await asOwner<KeyObject & { secret: string }>(first.url, '/keys', {
    name: 'survivor',
    budget_day_usd: 100,
  })
  let answered = 0
  let sent = 0
  const askOnAndOn = async (secret: string) => {
    for (;;) {
      sent += 1
      const answer = await fetch(`${first.url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}` },
        body: JSON.stringify({ model: sonnet, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
      })
      await answer.text()
      if (answer.status === 200) answered += 1
    }
  }
  const clients = [key.secret, key.secret, key.secret, testKey].map((secret) => askOnAndOn(secret).catch(() => {}))
  await expect.poll(() => answered, { timeout: 20_000 }).toBeGreaterThan(100)
  await killed(first.child)
  await Promise.all(clients)
  const second = await startGateway(bedrock.url, folder)
  const { data } = await asOwner<{ data: UsageObject[] }>(second.url, '/usage')
  const now = await asOwner<KeyObject>(second.url, `/keys/${key.id}`)
  const another = openStorage(folder)
  await killed(second.child)
  await bedrock.close()
  rmSync(folder, { recursive: true, force: true })
  const written = data.reduce((sum, row) => sum + row.requests, 0)

  expect(written).toBeGreaterThanOrEqual(answered)
  expect(written).toBeLessThanOrEqual(sent)
  expect(now.used).toMatchObject({ reserved_usd: 0, calls_under_way: 0 })
  expect(another).toMatchObject({ ok: false, failure: { kind: 'storage' } })
})

test('an answer that was kept is there after a start, in a file that only its owner reads', async ({ expect }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gateway-answers-'))
  const kept = { id: 'resp_1', response: { id: 'resp_1' }, input: [{ id: 'a' }], output: [{ id: 'b' }] }
  const first = unwrap(openStorage(folder))
  await first.responseStore.put('key', kept, 1)
  const inMemory = openStorage(undefined)
  first.close()
  const second = openStorage(folder)
  if (!second.ok || !inMemory.ok) throw new Error('the storage cannot be opened')
  const found = await second.value.responseStore.get('key', 'resp_1', 2)
  const mode = statSync(path.join(folder, 'gateway-responses.sqlite')).mode & 0o777
  second.value.close()
  rmSync(folder, { recursive: true, force: true })

  expect(found).toMatchObject({ id: 'resp_1', items: [{ id: 'a' }, { id: 'b' }] })
  expect(mode).toBe(0o600)
  expect(await inMemory.value.responseStore.get('key', 'resp_1', 2)).toBeUndefined()
})
