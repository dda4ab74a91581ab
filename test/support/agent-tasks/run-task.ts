/** One work in a folder of its own: has a model that follows a habit do it, and says what did not end right. */
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { ToolPart } from '../../../local/agent/core/session/message.ts'
import type { TestServer } from '../agent-server.ts'
import type { AskedRequest, ScriptedTurn } from '../fake-model.ts'
import type { AnswerSource } from './answer-source.ts'
import { conversationFault } from './conversation-rules.ts'
import { type Habit, habits } from './habits.ts'
import { type Language, languages } from './languages.ts'
import { type Files, type Work, worksOf } from './works.ts'

export interface AgentTask {
  readonly name: string
  readonly language: Language
  readonly work: Work
  readonly habit: Habit
}

/** Each language with each work; habits go round, so that every one meets several of both. */
export const agentTasks: readonly AgentTask[] = languages.flatMap((language, row) =>
  worksOf(language).map((work, column) => {
    const habit = habits[(row * 5 + column) % habits.length] as Habit
    return { name: `${language.name}, ${work.name}, ${habit.name}`, language, work, habit }
  }),
)

/** Which of them meet every habit once. */
export const agentTasksInShort = agentTasks.slice(0, habits.length)

const promptsMax = 6
const run = promisify(execFile)

export interface TaskOutcome {
  readonly faults: readonly string[]
  readonly steps: number
  /** What each call of the session came to, in order. */
  readonly calls: readonly string[]
}

/** With `source` its answers are those of a real model, whose files need not be ours to the letter. */
export async function runTask(
  server: TestServer,
  task: AgentTask,
  folder: string,
  source?: AnswerSource,
): Promise<TaskOutcome> {
  const { work, habit } = task
  const faults: string[] = []
  await lay(folder, work)
  const turns = [...habit.answers(work)]
  const interruptAt = habit.interruptAt === undefined ? undefined : turns[habit.interruptAt]
  let steps = 0
  let session = ''
  server.model.otherwise((request) => {
    const fault = conversationFault(request)
    if (fault !== undefined) faults.push(`request ${steps}: ${fault}`)
    if (source !== undefined) {
      steps += 1
      return source.answer(request)
    }
    if (request.tools === undefined) return { text: ['The library keeps a value on its dial; go on with the work.'] }
    if (isOfSubAgent(request)) return { text: [habit.report ?? 'Nothing.'] }
    steps += 1
    const turn: ScriptedTurn | undefined = turns.shift()
    if (turn === undefined) faults.push('more was asked than the work has')
    if (turn !== undefined && turn === interruptAt) setTimeout(() => void interruptWhenItRuns(server, session), 0)
    return turn ?? { text: ['Nothing is left.'] }
  })
  const created = await server.send('POST', '/api/session', { location: { directory: folder } })
  session = created.body.data.id
  if (source !== undefined) {
    turns.length = 0
    await server.prompt(session, work.asked)
    await settle(server, session)
    await source.keep()
  }
  for (let prompts = 0; turns.length > 0 && prompts < promptsMax; prompts += 1) {
    const left = turns.length
    await server.prompt(session, prompts === 0 ? work.asked : 'Go on.')
    await settle(server, session)
    if (turns.length === left) faults.push('a prompt was not worked on')
  }
  if (turns.length > 0) faults.push(`${turns.length} answers were never asked for`)
  faults.push(...(await stateFaults(server, session)))
  if (source === undefined) faults.push(...(await fileFaults(folder, work.after)))
  if (work.conflict !== undefined) faults.push(...(await mergeFaults(folder)))
  const calls = await toolParts(server, session)
  return { faults, steps, calls: calls.map(({ name, state }) => `${name} ${state.status}`) }
}

async function lay(folder: string, work: Work): Promise<void> {
  await write(folder, work.before)
  await git(folder, 'init', '-q', '-b', 'main')
  await commit(folder, 'Begin')
  if (work.conflict === undefined) return
  await git(folder, 'checkout', '-q', '-b', 'theirs')
  await write(folder, work.conflict.theirs)
  await commit(folder, 'Mend the upper bound')
  await git(folder, 'checkout', '-q', 'main')
  await write(folder, work.conflict.ours)
  await commit(folder, 'Rename')
  await git(folder, 'merge', '-q', 'theirs').catch(() => undefined)
}

async function write(folder: string, files: Files): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
    await writeFile(path.join(folder, name), text)
  }
}

function git(folder: string, ...args: readonly string[]) {
  const who = ['-c', 'user.name=Owner', '-c', 'user.email=owner@example.test']
  return run('git', ['-C', folder, ...who, ...args])
}

async function commit(folder: string, subject: string): Promise<void> {
  await git(folder, 'add', '-A')
  await git(folder, 'commit', '-q', '-m', subject)
  await git(folder, 'config', 'user.name', 'Owner')
  await git(folder, 'config', 'user.email', 'owner@example.test')
}

/** Only the prompt of a task says so to a sub-agent. */
function isOfSubAgent({ messages }: AskedRequest): boolean {
  const first = messages.find(({ role }) => role === 'user')
  return /Where is it used\?|And where else\?/.test(JSON.stringify(first?.content))
}

async function interruptWhenItRuns(server: TestServer, session: string): Promise<void> {
  for (let looks = 0; looks < 400; looks += 1) {
    const parts = await toolParts(server, session)
    if (parts.some(({ state }) => state.status === 'running')) break
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  await server.send('POST', `/api/session/${session}/interrupt`)
}

/** Waits for the end of the turn as the owner, who allows everything but going round in a circle. */
async function settle(server: TestServer, session: string): Promise<void> {
  let isOver = false
  const ended = server.wait(session).finally(() => {
    isOver = true
  })
  while (!isOver) {
    const { body } = await server.send('GET', `/api/session/${session}/permission`)
    for (const { id, action } of body.data as { id: string; action: string }[]) {
      const reply = action === 'doom_loop' ? 'reject' : 'once'
      await server.send('POST', `/api/session/${session}/permission/${id}/reply`, { reply })
    }
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 20))])
  }
  await ended
}

async function toolParts(server: TestServer, session: string): Promise<ToolPart[]> {
  const messages = await server.messages(session)
  return messages.flatMap((message) =>
    message.type === 'assistant' ? message.content.filter((part) => part.type === 'tool') : [],
  )
}

async function stateFaults(server: TestServer, session: string): Promise<string[]> {
  const faults: string[] = []
  const messages = await server.messages(session)
  const last = messages.findLast((message) => message.type === 'assistant')
  if (last?.type !== 'assistant' || last.finish !== 'stop') faults.push(`it ended with ${JSON.stringify(last)}`)
  for (const message of messages)
    if (message.type === 'assistant' && message.time.completed === undefined) faults.push(`${message.id} is open`)
  for (const { id, state } of await toolParts(server, session))
    if (state.status !== 'completed' && state.status !== 'error') faults.push(`call ${id} is ${state.status}`)
  const active = await server.send('GET', '/api/session/active')
  if (active.text.includes(session)) faults.push('it is active still')
  for (const kind of ['permission', 'question']) {
    const { body } = await server.send('GET', `/api/session/${session}/${kind}`)
    if (body.data.length > 0) faults.push(`a ${kind} waits still`)
  }
  return faults
}

async function fileFaults(folder: string, expected: Files): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((name) => !name.startsWith('.git/'))
  const faults = found.filter((name) => !(name in expected)).map((name) => `${name} is there`)
  for (const [name, text] of Object.entries(expected)) {
    const is = await readFile(path.join(folder, name), 'utf8').catch(() => undefined)
    if (is !== text) faults.push(`${name} is ${JSON.stringify(is)}`)
  }
  return faults
}

async function mergeFaults(folder: string): Promise<string[]> {
  const { stdout: state } = await git(folder, 'status', '--porcelain')
  const { stdout: parents } = await git(folder, 'log', '-1', '--format=%P')
  return [
    ...(state === '' ? [] : [`not committed: ${state}`]),
    ...(parents.trim().split(' ').length === 2 ? [] : ['the last commit is no merge']),
  ]
}

/** Whether the tests of the library pass in the folder; undefined where this machine cannot run them. */
export async function testsPass(folder: string, { needs, test }: Language, temporary: string) {
  const script = `${needs} || exit 77\n${test}`
  const options = { cwd: folder, env: { ...process.env, TMPDIR: temporary } }
  const code = await run('bash', ['-c', script], options).then(
    () => 0,
    (error: { code?: number }) => error.code,
  )
  return code === 77 ? undefined : code === 0
}
