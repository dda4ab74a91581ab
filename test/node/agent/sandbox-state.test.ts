/** Whether commands run in a sandbox, as the server says it before any of them does. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterEach, test } from 'vitest'
import { sandboxLack } from '../../../local/agent/core/outside-reason.ts'
import { watchedPathsMax } from '../../../local/agent/limits.ts'
import type { SandboxStatus } from '../../../local/agent/runtime/sandbox-port.ts'
import { runTools, startTestServer, type TestServer } from '../../support/agent-server.ts'
import { requireReal } from '../../support/real-parts.ts'

const bubblewrap = requireReal('bwrap')
let server: TestServer

afterEach(() => server.close())

const state = async () => (await server.send('GET', '/api/sandbox')).body.data

test.skipIf(bubblewrap.isMissing)(
  `it is on, with the hosts that need no asking ${bubblewrap.skipNote}`,
  async ({ expect }) => {
    server = await startTestServer({
      config: { permission: { sandbox_network: { '*.npmjs.org': 'allow', 'other.example': 'deny' } } },
    })
    expect(await state()).toEqual({ state: 'on', hosts: ['*.npmjs.org'] })
  },
)

test('one that the owner turned off is off for that reason', async ({ expect }) => {
  server = await startTestServer({ config: { sandbox: { enabled: false } } })
  expect(await state()).toMatchObject({ state: 'off', kind: 'turned_off', detail: '' })
})

test('where the machine has none, what it lacks is said', async ({ expect }) => {
  server = await startTestServer({ sandbox: async () => sandboxLack('does_not_start', 'said why') })
  expect(await state()).toMatchObject({ state: 'off', kind: 'does_not_start', detail: 'said why' })
  expect((await state()).reason).toContain('said why')
})

test.skipIf(bubblewrap.isMissing)(
  `a project with more to cover than a command finds room for is said to be ${bubblewrap.skipNote}`,
  async ({ expect }) => {
    server = await startTestServer({ config: { permission: { bash_outside: 'allow' } } })
    for (let at = 0; at <= watchedPathsMax; at += 1) await server.write(`.env.${at}`, '')
    expect(await state()).toMatchObject({ state: 'on' })
    await runTools(server, { calls: [{ id: 'c1', name: 'bash', input: { command: 'true' } }] }, { text: ['done'] })
    expect(await state()).toMatchObject({ state: 'off', kind: 'too_large' })
  },
)

test('a server that ends while the machine is being tried answers all the same, and reports nothing', async ({
  expect,
}) => {
  const tried = Promise.withResolvers<void>()
  const found = Promise.withResolvers<SandboxStatus>()
  const reported: string[] = []
  server = await startTestServer({
    sandbox() {
      tried.resolve()
      return found.promise
    },
    logger: { error: (event) => void reported.push(event) },
  })
  const database = path.join(server.dataDir, 'agent.db-wal')
  const answer = state()
  await tried.promise
  const closed = server.suspend()
  // The journal goes with the database's last connection.
  await expect.poll(() => existsSync(database)).toBe(false)
  found.resolve({ kind: 'seatbelt', program: '/none' })

  expect(await answer).toEqual({ state: 'on', hosts: [] })
  await closed
  expect(reported).toEqual([])
})

test('a configuration that cannot be read is said, not guessed over', async ({ expect }) => {
  server = await startTestServer()
  await server.write('svc.json', '{"nonsense": 1}')
  expect((await server.send('GET', '/api/sandbox')).status).toBe(503)
})
