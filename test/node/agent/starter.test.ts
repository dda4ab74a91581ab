/** The small process that starts commands, and the server as people start it: what becomes of a command when either is killed. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'vitest'
import type { AgentProgram } from '../../support/agent-program.ts'
import { agentWithFakeModel } from '../../support/agent-with-fake-model.ts'
import { processesWith } from '../../support/process-search.ts'
import { requireReal } from '../../support/real-parts.ts'

const bubblewrap = requireReal('bwrap')
const call = (command: string) => ({ calls: [{ id: 'c1', name: 'bash', input: { command } }] })

async function serverWithStarter({ expect, onTestFinished }: TestContext) {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'starter-')))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  await mkdir(path.join(base, 'project'))
  const { model, program, send } = await agentWithFakeModel(base)
  const { id = '' } = (await send('/api/session', {})) ?? {}
  const prompt = () => send(`/api/session/${id}/prompt`, { prompt: { text: 'Go' } })
  const wait = () => send(`/api/session/${id}/wait`, {})
  await expect.poll(() => starterOf(program), { timeout: 20_000 }).toBeGreaterThan(0)
  model.script(call('echo first'), { text: ['done'] })
  await prompt()
  await wait()
  return { model, program, prompt, wait, said: () => JSON.stringify(model.asked.at(-1)?.messages.at(-1)) }
}

function starterOf({ child }: AgentProgram): number {
  return processesWith('starter-process').find((pid) => parentOf(pid) === child.pid) ?? 0
}

/** 0 where it has ended. */
function parentOf(pid: number): number {
  return existsSync(`/proc/${pid}/stat`)
    ? Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])
    : 0
}

test.skipIf(bubblewrap.isMissing)(
  `a command whose starter is killed is told as ended without a code, and the next one runs ${bubblewrap.skipNote}`,
  async (context) => {
    const { expect } = context
    const { model, program, prompt, wait, said } = await serverWithStarter(context)
    // Those that wait were begun before it was there; one of them takes this command.
    model.script(call('echo second'), { text: ['done'] })
    await prompt()
    await wait()
    const mark = `sleep 3${program.child.pid}`
    model.script(call(`echo before; ${mark}; echo after`), { text: ['done'] })
    await prompt()
    await expect.poll(() => processesWith(mark).length, { timeout: 20_000 }).toBeGreaterThan(0)

    process.kill(starterOf(program), 'SIGKILL')
    await wait()

    expect(said()).toContain('before')
    expect(said()).toContain('(exit code none)')
    expect(said()).not.toContain('after')
    await expect.poll(() => processesWith(mark)).toEqual([])
    model.script(call('echo next'), { text: ['done'] })
    await prompt()
    await wait()
    expect(said()).toContain('next')
    expect(said()).toContain('(exit code 0)')
  },
)

test.for(['SIGKILL', 'SIGTERM'] as const)(
  'neither it nor a command outlives the server that is ended by %s',
  {
    skip: bubblewrap.isMissing,
  },
  async (signal, context) => {
    const { expect } = context
    const { model, program, prompt } = await serverWithStarter(context)
    const mark = `sleep 4${program.child.pid}`
    const starter = starterOf(program)
    const folder = path.dirname(
      readFileSync(`/proc/${starter}/cmdline`, 'utf8')
        .split('\0')
        .find((word) => word.endsWith('/streams')) ?? '',
    )
    expect(existsSync(folder)).toBe(true)
    model.script(call(mark), { text: ['done'] })
    await prompt()
    await expect.poll(() => processesWith(mark).length, { timeout: 20_000 }).toBeGreaterThan(0)

    program.child.kill(signal)

    await expect
      .poll(() => [processesWith(mark), existsSync(`/proc/${starter}`), existsSync(folder)], { timeout: 20_000 })
      .toEqual([[], false, false])
  },
)
