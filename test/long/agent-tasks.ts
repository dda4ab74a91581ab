/** Works in small repositories of eight languages, by models that behave as families of models do. */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { startTestServer } from '../support/agent-server.ts'
import { answersAsked } from '../support/agent-tasks/answer-source.ts'
import { agentTasks, runTask, testsPass } from '../support/agent-tasks/run-task.ts'

export interface AgentTasksResult {
  readonly tasks: number
  readonly answers: number
  readonly calls: number
  /** Tasks whose tests this machine could run afterwards. */
  readonly tested: number
  readonly faults: readonly string[]
}

/** `rounds` is how many of them, from the first on. */
export async function runAgentTasks(rounds: number, folder: string, log: (line: string) => void) {
  const server = await startTestServer({ modelAttemptsMax: 5 })
  const asked = answersAsked(process.env)
  const faults: string[] = []
  let [answers, calls, tested] = [0, 0, 0]
  try {
    for (const task of agentTasks.slice(0, rounds)) {
      const place = path.join(server.project, task.name.replaceAll(/[^a-z]+/gi, '-'))
      await mkdir(place)
      const outcome = await runTask(server, task, place, await asked?.(task.name))
      const hasPassed = await testsPass(place, task.language, folder)
      const wrong = [...outcome.faults, ...(hasPassed === false ? ['its tests fail'] : [])]
      faults.push(...wrong.map((fault) => `${task.name}: ${fault}`))
      log(`${wrong.length === 0 ? 'right' : 'WRONG'} ${task.name}`)
      answers += outcome.steps
      calls += outcome.calls.length
      if (hasPassed !== undefined) tested += 1
    }
  } finally {
    await server.close()
  }
  return { tasks: Math.min(rounds, agentTasks.length), answers, calls, tested, faults } satisfies AgentTasksResult
}
