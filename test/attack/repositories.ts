/** Hostile repositories, opened with the real programs as somebody who trusts nothing would: by looking. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { startFakeModel } from '../support/fake-model.ts'
import {
  type HostileRepository,
  hostileRepositories,
  type PlantedRepository,
  plainGit,
  plantRepository,
} from '../support/hostile-repositories.ts'
import type { AttackGroup, AttackOutcome } from './attack.ts'
import { type DefaultTools, startDefaultTools } from './default-tools.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
const isRoot = process.geteuid?.() === 0
/** Each way in; a repository that holds one of them up for longer is a hole as well. */
const wayMsMax = 60_000
/** Of each kind one: all of them are opened by `test/node/git/hostile-repositories.test.ts` in every test run. */
const inShort = ['promised commit, upload-pack', 'sparse index', 'fsmonitor', 'attributes with a filter', 'git file']

type Way = (planted: PlantedRepository, tools: DefaultTools) => Promise<string | undefined>

/** Each answers what it saw that is itself a hole, beside the planted command having run. */
const ways: Readonly<Record<string, Way>> = {
  'plain look at the location': async ({ folder }, tools) => {
    const answer = await ask(tools, 'GET', `/api/location?location[directory]=${encodeURIComponent(folder)}`)
    const { project } = JSON.parse(answer).data ?? JSON.parse(answer)
    const real = realpathSync(folder)
    const isInside = real === project.directory || real.startsWith(`${project.directory}/`)
    return isInside && project.directory !== '/' ? undefined : `the project is ${project.directory}`
  },
  'session with a turn, a snapshot and a revert': async ({ folder }, tools) => {
    const made = JSON.parse(await ask(tools, 'POST', '/api/session', { location: { directory: folder } })).data
    const session = `/api/session/${made.id}`
    await ask(tools, 'POST', `${session}/prompt`, { prompt: { text: 'Go' } })
    await ask(tools, 'POST', `${session}/wait`)
    const messages = JSON.parse(await ask(tools, 'GET', `${session}/message?order=asc`)).data
    const first = messages.find((message: { type: string }) => message.type === 'user')
    const staged = JSON.parse(await ask(tools, 'POST', `${session}/revert/stage`, { messageID: first.id })).data
    if (staged.files.length !== 1) throw new Error(`the turn changed ${JSON.stringify(staged.files)}`)
    await ask(tools, 'POST', `${session}/revert/clear`)
    return undefined
  },
  'indexer init': async ({ folder }) => indexer(['init', folder]),
  'indexer sync': async ({ folder }) => indexer(['sync', folder]),
}

async function ask(tools: DefaultTools, method: string, target: string, body?: unknown): Promise<string> {
  const answer = await fetch(`${tools.agent}${target}`, {
    method,
    headers: { ...tools.credential, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(wayMsMax),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${target}: ${answer.status} ${text}`)
  return text
}

/** One that fails is its own affair: what it may not do is run the command, or never end. */
async function indexer(args: readonly string[]): Promise<string | undefined> {
  const program = path.join(root, 'bin/indexer.mjs')
  const done = await run(process.execPath, [program, ...args, '--quiet'], {
    timeout: wayMsMax,
    killSignal: 'SIGKILL',
  }).catch((error: { signal?: string }) => error)
  return 'signal' in done && done.signal === 'SIGKILL' ? `it had not ended after ${wayMsMax} ms` : undefined
}

export const repositories: AttackGroup = {
  name: 'repositories',
  about: 'folders of strangers that plant a command wherever git looks for one',
  async run({ isShort, log }) {
    const model = await startFakeModel()
    model.otherwise((request) =>
      request.messages.at(-1)?.role === 'tool'
        ? { text: ['Done'] }
        : { calls: [{ id: 'c', name: 'write', input: { path: 'made.ts', content: 'export const made = 1\n' } }] },
    )
    const provider = { baseURL: model.url, models: { one: { context: 100_000, output: 4_000 } } }
    const tools = await startDefaultTools({ model: 'fake/one', provider: { fake: provider } })
    const outcomes: AttackOutcome[] = []
    const kinds = hostileRepositories.filter(({ name }) => !isShort || inShort.some((one) => name.startsWith(one)))
    try {
      for (const [index, kind] of kinds.entries()) {
        if (kind.needs === 'root' && !isRoot) {
          outcomes.push({ attack: kind.name, fate: 'skipped', detail: 'needs the rights to give files away' })
          continue
        }
        log(kind.name)
        outcomes.push(...(await attack(kind, path.join(tools.room, `zoo-${index}`), tools)))
      }
    } finally {
      await tools.close()
      await model.close()
    }
    return outcomes
  },
}

async function attack(kind: HostileRepository, room: string, tools: DefaultTools): Promise<AttackOutcome[]> {
  const sprung = kind.sprungBy === undefined ? undefined : springs(kind, path.join(room, 'plain'))
  if (sprung === false) {
    return [{ attack: kind.name, fate: 'skipped', detail: 'the git of this machine does not obey it either' }]
  }
  const planted = plantRepository(kind, path.join(room, 'ours'))
  const outcomes: AttackOutcome[] = []
  for (const [way, go] of Object.entries(ways)) {
    const begun = performance.now()
    const seen = await go(planted, tools).catch((error: unknown) => String(error))
    const ran = existsSync(planted.canary) ? `it ran ${readFileSync(planted.canary, 'utf8').split('\n')[0]}` : undefined
    const hole = ran ?? seen
    outcomes.push({
      attack: `${kind.name}: ${way}`,
      fate: hole !== undefined ? 'hole' : kind.sprungBy === undefined ? 'bounded' : 'stopped',
      detail: hole ?? `${Math.round(performance.now() - begun)} ms`,
    })
    if (ran !== undefined) break
  }
  return outcomes
}

/** Whether plain git falls for it here. */
function springs(kind: HostileRepository, room: string): boolean {
  mkdirSync(room, { recursive: true })
  const planted = plantRepository(kind, room)
  try {
    plainGit(planted.folder, ...(kind.sprungBy ?? []))
  } catch {
    // The command fails on purpose, and some of git's with it.
  }
  return existsSync(planted.canary)
}
