/** What a start compiled is written in one go, which holds the loop: no turn waits for it. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, test } from 'vitest'
import { type AgentProgram, killAgentProgram, startAgentProgram } from '../../support/agent-program.ts'
import { type FakeModel, gate, startFakeModel } from '../../support/fake-model.ts'

let folder: string
let model: FakeModel
let program: AgentProgram

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-compiled-'))
  model = await startFakeModel()
  await mkdir(path.join(folder, 'project'))
  await mkdir(path.join(folder, 'config', 'svc'), { recursive: true })
  const provider = { fake: { baseURL: model.url, models: { one: {} } } }
  await writeFile(path.join(folder, 'config', 'svc', 'svc.json'), JSON.stringify({ model: 'fake/one', provider }))
})

afterEach(async () => {
  await killAgentProgram(program)
  await model.close()
  await rm(folder, { recursive: true, force: true })
})

async function post(target: string, body: unknown) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${program.address}${target}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return answer.status === 204 ? undefined : answer.json()
}

test('what was compiled is written once no turn runs', async ({ expect }) => {
  const held = gate()
  model.otherwise({ text: ['Hello'], hold: held.wait })
  program = await startAgentProgram(folder)
  const { data } = (await post('/api/session', {})) as { data: { id: string } }
  await post(`/api/session/${data.id}/prompt`, { prompt: { text: 'Hi' } })
  await model.arrived(1)
  await post(`/api/session/${data.id}/prompt`, { prompt: { text: 'And now?' }, delivery: 'queue' })
  await killAgentProgram(program)

  // It begins with the prompt that waits.
  const compiled = path.join(folder, 'compiled')
  program = await startAgentProgram(folder, { NODE_COMPILE_CACHE: compiled })
  await model.arrived(2)
  const files = async () => (await readdir(compiled, { recursive: true })).length
  const before = await files()
  await delay(2_500)
  expect(await files()).toBe(before)

  held.open()
  await expect.poll(files, { timeout: 30_000 }).toBeGreaterThan(before + 50)
})
