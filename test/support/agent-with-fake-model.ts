/**
 * The agent's server as the program that is shipped, with a model that says what a test tells it to; both go when the test is over.
 * What the model follows is said by `fake-model.ts`.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { killAgentProgram, startAgentProgram } from './agent-program.ts'
import { startFakeModel } from './fake-model.ts'

/** `base`: where its data, its configuration and the folder `project` lie, which must be there. */
export async function agentWithFakeModel(base: string) {
  const model = await startFakeModel()
  onTestFinished(() => model.close())
  await mkdir(path.join(base, 'config/svc'), { recursive: true })
  const provider = { fake: { baseURL: model.url, models: { one: { context: 100_000, output: 4_000 } } } }
  await writeFile(path.join(base, 'config/svc/svc.json'), JSON.stringify({ model: 'fake/one', provider }))
  const program = await startAgentProgram(base)
  onTestFinished(() => killAgentProgram(program))
  const send = async (target: string, body: unknown) => {
    const answer = await fetch(`${program.address}${target}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return answer.status === 204 ? undefined : ((await answer.json()) as { data: { id: string } }).data
  }
  return { model, program, send }
}
