/** Works in small repositories, by models that behave as families of models do: the harness ends right in all of them. */
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, test } from 'vitest'
import { startTestServer } from '../../support/agent-server.ts'
import { recordAnswers, replayAnswers } from '../../support/agent-tasks/answer-source.ts'
import { agentTasksInShort, runTask, testsPass } from '../../support/agent-tasks/run-task.ts'
import { startFakeModel } from '../../support/fake-model.ts'

const server = await startTestServer({ modelAttemptsMax: 5 })
const temporary = await mkdtemp(path.join(tmpdir(), 'agent-tasks-'))

afterAll(async () => {
  await server.close()
  await rm(temporary, { recursive: true, force: true })
})

test.for(agentTasksInShort.map((task) => [task.name, task] as const))(
  '%s',
  { timeout: 180_000 },
  async ([name, task], { expect }) => {
    const folder = path.join(server.project, name.replaceAll(/[^a-z]+/gi, '-'))
    await mkdir(folder)
    const outcome = await runTask(server, task, folder)
    expect(outcome.faults, outcome.calls.join('\n')).toEqual([])
    expect(await testsPass(folder, task.language, temporary)).not.toBe(false)
  },
)

test('answers of a model are kept as they came, without its key, and said again without it', async ({ expect }) => {
  const [task] = agentTasksInShort
  if (task === undefined) throw new Error('there is no task')
  const model = await startFakeModel()
  model.script(...task.habit.answers(task.work))
  const key = 'key-of-the-real-one'
  const place = async (name: string) => {
    const folder = path.join(server.project, name)
    await mkdir(folder)
    return folder
  }
  const recording = recordAnswers({ url: model.url, id: 'real', key }, temporary, task.name)
  const first = await runTask(server, task, await place('recorded'), recording)
  await model.close()
  const again = await runTask(server, task, await place('replayed'), await replayAnswers(temporary, task.name))

  expect(model.asked[0]).toMatchObject({ model: 'real' })
  expect(first).toMatchObject({ faults: [], steps: task.work.steps.length + 1 })
  expect(again).toEqual(first)
  const files = await readdir(temporary)
  const kept = files.filter((name) => name.endsWith('.json'))
  expect(kept).toHaveLength(1)
  expect(await readFile(path.join(temporary, kept[0] ?? ''), 'utf8')).not.toContain(key)
})
