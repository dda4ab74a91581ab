// @module-tag slow
/** One data folder, one runtime after the other: each goes on where the other has stopped, and nothing is converted. */
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'vitest'
import { consoleSite } from '../../support/console-site.ts'
import { endAfterTest, makeDataFolder } from '../../support/data-folder.ts'
import { type HostProcess, startServe } from '../../support/process-host.ts'

const runtimes = ['node', 'workerd', 'node', 'workerd', 'node'] as const
const json = { 'content-type': 'application/json' }

/** At the same port, which the owner's browser knows its session by. */
async function start(folder: string, runtime: string, port: string): Promise<{ host: HostProcess; address: string }> {
  const host = endAfterTest(
    startServe([
      '--workers',
      '--data',
      folder,
      '--port',
      port,
      '--runtime',
      runtime,
      '--without',
      'agent,viewer',
      '--no-sandbox',
    ]),
  )
  return { host, address: await host.ready() }
}

async function stop(host: HostProcess): Promise<void> {
  host.child.kill('SIGTERM')
  await host.exit
}

/** The scheduler's alarm: as its class's list has it, and as the object has it itself. In nanoseconds. */
async function alarmIn(folder: string, change?: bigint): Promise<readonly [listed: unknown, own: unknown]> {
  const room = path.join(folder, 'state', 'do', 'wharf-SchedulerObject')
  const file = (await readdir(room)).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
  if (file === undefined) return [undefined, undefined]
  const list = new DatabaseSync(path.join(room, 'metadata.sqlite'), { readBigInts: true })
  const object = new DatabaseSync(path.join(room, file), { readBigInts: true })
  try {
    if (change !== undefined) {
      list.prepare('update _cf_ALARM set scheduled_time = ?').run(change)
      object.prepare('update _cf_METADATA set value = ? where key = 1').run(change)
    }
    const [listed] = list.prepare('select scheduled_time as time from _cf_ALARM').all()
    const [own] = object.prepare('select value as time from _cf_METADATA where key = 1').all()
    return [listed?.['time'], own?.['time']]
  } finally {
    list.close()
    object.close()
  }
}

describe('a data folder', { timeout: 240_000 }, () => {
  test('serves either runtime in turn: rows, objects, secrets, tokens and alarms', async ({ expect }) => {
    const folder = await makeDataFolder()
    let headers: Record<string, string> = {}
    let port = '0'
    const made: string[] = []
    for (const [turn, runtime] of runtimes.entries()) {
      const { host, address } = await start(folder, runtime, port)
      port = new URL(address).port
      const base = `${address}/api/console/v1`
      if (turn === 0) {
        const code = /\S+code=(\S+)/.exec(host.stdout())?.[1]
        const setup = await fetch(`${base}/setup`, {
          method: 'POST',
          headers: { ...json, origin: address },
          body: JSON.stringify({ code, password: 'a password of one test' }),
        })
        headers = { ...json, cookie: setup.headers.get('set-cookie')?.split(';')[0] ?? '' }
      }
      const own = { ...headers, origin: address }
      // A site, whose key is sealed, and whose reading is the scheduler's.
      const name = `site-${turn}`
      const added = await fetch(`${base}/sites`, {
        method: 'POST',
        headers: own,
        body: JSON.stringify(consoleSite(name, 'torznab', 'http://127.0.0.1:9', { api_key: `key ${turn}` })),
      })
      expect(added.status, await added.clone().text()).toBe(200)
      made.push(name)
      const listed = await (await fetch(`${base}/sites`, { headers: own })).text()
      for (const one of made) expect(listed).toContain(`"${one}"`)
      expect(host.stdout()).not.toContain(turn === 0 ? 'sealed these' : 'migration')
      // The alarm that the runtime before this one has set, and that is past since then, was heard by this one.
      await expect.poll(async () => Number((await alarmIn(folder))[1]) / 1e6).toBeGreaterThan(Date.now() - 60_000)
      await stop(host)
      const [inList, inObject] = await alarmIn(folder)
      expect(inList).toBe(inObject)
      expect(typeof inObject).toBe('bigint')
      await alarmIn(folder, 1_000_000_000_000_000_000n)
    }
  })
})
