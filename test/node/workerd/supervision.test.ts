// @module-tag slow
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, test } from 'vitest'
import { endAfterTest, makeDataFolder } from '../../support/data-folder.ts'
import { runtimesOf, startProbe, until } from '../../support/process-host.ts'

function onlyRuntime(folder: string): number {
  const [runtime, ...others] = runtimesOf(folder, 'workerd')
  if (runtime === undefined || others.length > 0) throw new Error(`runtimes: ${[runtime, ...others].join(', ')}`)
  return runtime
}

/** What follows of processes is this runtime's: the other one is the host's own. */
const onWorkerd = (folder: string) => endAfterTest(startProbe(folder, [], 0, 'workerd'))

async function isServing(address: string): Promise<boolean> {
  return fetch(`${address}/`).then(
    (answer) => answer.ok,
    () => false,
  )
}

// Each starts the host several times, which takes seconds where the cores are shared.
describe('one host for one data folder', { timeout: 180_000 }, () => {
  test('a second host is refused and told the address; the first one goes on', async ({ expect }) => {
    const folder = await makeDataFolder()
    const first = endAfterTest(startProbe(folder))
    const address = await first.ready()
    const second = endAfterTest(startProbe(folder))
    expect(await second.exit).toEqual({ code: 1, signal: null })
    expect(second.stderr()).toBe(
      `Another wharf (pid ${first.pid}) runs at ${address} on the data folder ${folder}; ` +
        'stop it, or choose another with --data\n',
    )
    expect(await isServing(address)).toBe(true)
    expect(runtimesOf(folder)).toHaveLength(1)
  })

  test('of several hosts that start at once exactly one serves', async ({ expect }) => {
    const folder = await makeDataFolder()
    const hosts = Array.from({ length: 4 }, () => endAfterTest(startProbe(folder)))
    const outcomes = await Promise.all(
      hosts.map((host) =>
        host.ready().then(
          () => 'serves',
          () => 'refused',
        ),
      ),
    )
    expect(outcomes.toSorted()).toEqual(['refused', 'refused', 'refused', 'serves'])
    expect(runtimesOf(folder)).toHaveLength(1)
  })

  test('the lock names both processes with their start times', async ({ expect }) => {
    const folder = await makeDataFolder()
    const host = onWorkerd(folder)
    const address = await host.ready()
    const lock = JSON.parse(await readFile(path.join(folder, 'host.lock'), 'utf8'))
    expect(lock).toEqual({
      host: { pid: host.pid, startedAt: expect.stringMatching(/^[0-9]+$/) },
      runtime: { pid: onlyRuntime(folder), startedAt: expect.stringMatching(/^[0-9]+$/) },
      address,
    })
  })
})

describe('a killed process', { timeout: 180_000 }, () => {
  test('the runtime ends when its host is killed', async ({ expect }) => {
    const folder = await makeDataFolder()
    const host = onWorkerd(folder)
    const address = await host.ready()
    const runtime = onlyRuntime(folder)
    host.child.kill('SIGKILL')
    await until(() => runtimesOf(folder, 'workerd').length === 0)
    expect(await isServing(address)).toBe(false)
    expect(runtime).not.toBe(host.pid)
  })

  test('a runtime that outlived host and guard is ended by the next start', async ({ expect }) => {
    const folder = await makeDataFolder()
    const host = onWorkerd(folder)
    await host.ready()
    const runtime = onlyRuntime(folder)
    const guard = (await readFile(`/proc/${host.pid}/task/${host.pid}/children`, 'utf8'))
      .trim()
      .split(' ')
      .map(Number)
      .filter((pid) => pid !== runtime)
    expect(guard).toHaveLength(1)
    for (const pid of guard) process.kill(pid, 'SIGKILL')
    host.child.kill('SIGKILL')
    await host.exit
    expect(runtimesOf(folder, 'workerd')).toEqual([runtime])
    const next = onWorkerd(folder)
    expect(await isServing(await next.ready())).toBe(true)
    expect(next.stdout()).toContain(`left behind (pid ${runtime})`)
    expect(onlyRuntime(folder)).not.toBe(runtime)
  })

  test('a killed runtime comes back at the same address with everything it acknowledged', async ({ expect }) => {
    const folder = await makeDataFolder()
    const host = onWorkerd(folder)
    const address = await host.ready()
    await fetch(`${address}/object?value=kept`, { method: 'POST' })
    const before = onlyRuntime(folder)
    process.kill(before, 'SIGKILL')
    await until(() => host.stdout().includes('The runtime is back'))
    await until(() => isServing(address))
    expect(onlyRuntime(folder)).not.toBe(before)
    expect(await (await fetch(`${address}/object`)).json()).toEqual(['kept'])
    // The guard follows the new runtime.
    host.child.kill('SIGKILL')
    await until(() => runtimesOf(folder, 'workerd').length === 0)
  })

  test('a runtime that keeps dying ends the host after five restarts', async ({ expect }) => {
    const folder = await makeDataFolder()
    const host = onWorkerd(folder)
    await host.ready()
    for (let round = 1; round <= 5; round += 1) {
      process.kill(onlyRuntime(folder), 'SIGKILL')
      await until(() => host.stdout().split('The runtime is back').length - 1 === round)
    }
    process.kill(onlyRuntime(folder), 'SIGKILL')
    expect(await host.exit).toEqual({ code: 1, signal: null })
    expect(host.stderr()).toContain('The runtime ended 6 times within a minute (last: SIGKILL); giving up')
    expect(runtimesOf(folder, 'workerd')).toEqual([])
  })
})
