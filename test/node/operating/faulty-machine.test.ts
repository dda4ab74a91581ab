/** The service as a program on machines that are not well: each fault has its sentence, and what is mended goes on. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, open, readdir, readFile, rm, stat, truncate, utimes } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { databasesOf } from '../../../local/operating/databases.ts'
import { endAfterTest, makeDataFolder } from '../../support/data-folder.ts'
import { quickFolder } from '../../support/memory-folder.ts'
import { type HostProcess, startCommand, startServe } from '../../support/process-host.ts'
import { slowIf } from '../../support/slow.ts'
import { fillDisk, hasSmallDisks, onSmallDisk } from '../../support/small-disk.ts'

const tools = ['--without', 'agent,viewer', '--no-sandbox']

async function usedFolder(): Promise<string> {
  const folder = await makeDataFolder()
  const host = endAfterTest(startServe(['--workers', '--data', folder, '--port', '0', ...tools]))
  await host.ready()
  host.child.kill('SIGTERM')
  await host.exit
  // Nothing of it waits in the journal, which would mend what is changed here.
  const main = new DatabaseSync(mainOf(folder))
  main.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  main.close()
  return folder
}

const mainOf = (folder: string): string => databasesOf(folder).find(({ kind }) => kind === 'main')?.file ?? ''

async function overwrite(file: string, at: number, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.write(bytes, 0, bytes.length, at)
  await handle.close()
}

describe('a start', { timeout: 90_000 }, () => {
  test.for([
    ['a header of zeros', 0, Buffer.alloc(100)],
    ['fifty changed bytes', 4096, Buffer.alloc(50, 0xa5)],
  ] as const)(
    'refuses a database with %s in one line, with its path and the way out',
    async ([, at, bytes], { expect }) => {
      const folder = await usedFolder()
      await overwrite(mainOf(folder), at, bytes)
      const host = endAfterTest(startServe(['--workers', '--data', folder, '--port', '0', ...tools]))
      expect(await host.exit).toEqual({ code: 1, signal: null })
      expect(host.stderr().trimEnd().split('\n')).toHaveLength(1)
      expect(host.stderr()).toContain(`The database ${mainOf(folder)} is damaged`)
      expect(host.stderr()).toContain(`npm run restore -- FILE --data ${folder}`)
      expect(await readdir(folder)).not.toContain('host.lock')
    },
  )

  test('goes on without one object, and says which', async ({ expect }) => {
    const folder = await usedFolder()
    const object = path.join(folder, 'state', 'do', 'wharf-ConversationObject', `${'a'.repeat(64)}.sqlite`)
    const handle = await open(object, 'w')
    await handle.write(Buffer.alloc(8192, 7))
    await handle.close()
    const host = endAfterTest(startServe(['--workers', '--data', folder, '--port', '0', ...tools]))
    const address = await host.ready()
    expect(host.stdout()).toContain(`The database ${object} is damaged`)
    const ready = await fetch(`${address}/readyz`)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({ checks: { database: { ok: false }, disk: { ok: true } } })
  })

  test('says when the clock is behind what the folder has seen', async ({ expect }) => {
    const folder = await usedFolder()
    const ahead = Date.now() / 1000 + 30 * 24 * 3600
    await utimes(mainOf(folder), ahead, ahead)
    const host = endAfterTest(startServe(['--workers', '--data', folder, '--port', '0', ...tools]))
    const address = await host.ready()
    expect(host.stdout()).toContain('The clock of this machine is wrong')
    // Times are wrong, and everything can be stored.
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
  })
})

/** The service, its owner and what they have written, with a backup of it. */
class Kept {
  readonly folder: string
  #host: HostProcess | undefined
  #address = ''
  #cookie = ''

  constructor(folder: string) {
    this.folder = folder
  }

  async start(): Promise<string> {
    this.#host = startServe(['--workers', '--data', this.folder, '--port', '0', ...tools])
    if (this.folder !== base) endAfterTest(this.#host)
    this.#address = await this.#host.ready()
    const code = /setup\?code=(\S+)/.exec(this.#host.stdout())?.[1]
    const password = 'harbour lanterns at four'
    const entered = await this.ask('POST', `/api/console/v1/${code === undefined ? 'sign-in' : 'setup'}`, {
      ...(code === undefined ? {} : { code }),
      password,
    })
    this.#cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    return this.#host.stdout()
  }

  get said(): string {
    return this.#host?.stdout() ?? ''
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#host?.child.kill(signal)
    await this.#host?.exit
  }

  ask(method: string, target: string, body?: object): Promise<Response> {
    const headers = { 'content-type': 'application/json', origin: this.#address, 'accept-language': 'en' }
    return fetch(`${this.#address}${target}`, {
      method,
      headers: { ...headers, cookie: this.#cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  write(text: string): Promise<Response> {
    return this.ask('PUT', `/api/app/v1/templates/${type}`, { title: '', text })
  }

  async read(): Promise<string | undefined> {
    const { events } = (await (await this.ask('GET', '/api/app/v1/templates')).json()) as Templates
    return events.find((event) => event.type === type)?.text
  }

  async problems(): Promise<unknown[]> {
    const asked = await this.ask('GET', '/api/console/v1/health')
    return ((await asked.json()) as { problems: { reason: unknown }[] }).problems.map(({ reason }) => reason)
  }

  /** By the command that the service itself names. */
  restore(said: string): void {
    const [, file = ''] =
      new RegExp(`(${path.join(this.folder, 'backups')}/\\S+?)(?=[ .]*(?:$|\\s--))`, 'm').exec(said) ?? []
    const command = [path.join(repository, 'local/backup.ts'), 'restore', file, '--data', this.folder]
    const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`${file}: ${stderr}`)
  }
}

interface Templates {
  readonly events: readonly { readonly type: string; readonly text: string }[]
}

const type = 'reply.status'

/** Made once: each test has a copy, with its times. */
let base = ''

beforeAll(async () => {
  base = await mkdtemp(path.join(quickFolder(), 'wharf-kept-'))
  const kept = new Kept(base)
  await kept.start()
  const must = async (asked: Response) => {
    if (!asked.ok) throw new Error(await asked.text())
    return asked
  }
  await must(await kept.write('as it was kept'))
  await must(
    await kept.ask('PUT', '/api/console/v1/settings/assistant', { enabled: true, endpoint: 'own', model: 'any' }),
  )
  const made = await must(await kept.ask('POST', '/api/app/v1/assistant/conversations', { title: 'Harbour' }))
  const { id } = (await made.json()) as { id: string }
  // Nobody answers it; it is kept all the same.
  await must(await kept.ask('POST', `/api/app/v1/assistant/conversations/${id}/messages`, { text: 'Who is there?' }))
  await must(await kept.ask('POST', '/api/console/v1/channels', hook('quay')))
  await must(await kept.ask('POST', '/api/console/v1/backups'))
  await kept.end('SIGTERM')
}, 90_000)
afterAll(() => rm(base, { recursive: true, force: true, maxRetries: 10 }))

const hook = (name: string) => ({
  ...{ name, type: 'webhook', enabled: false, events: ['site.failed'] },
  address: 'https://hooks.example/',
})

async function keptService(): Promise<Kept> {
  const folder = await makeDataFolder()
  const { status, stderr } = spawnSync('cp', ['--archive', `${base}/.`, folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return new Kept(folder)
}

describe('damage to what is stored', { timeout: 120_000 }, () => {
  test('a torn page of the main database refuses the start, and the command that it names puts it right', async ({
    expect,
  }) => {
    const kept = await keptService()
    const main = mainOf(kept.folder)
    // Of the page that all tables are listed in, the second half is of another time.
    await overwrite(main, 2048, Buffer.alloc(2048, 0x5a))
    const host = endAfterTest(startServe(['--workers', '--data', kept.folder, '--port', '0', ...tools]))
    expect((await host.exit).code).toBe(1)
    expect(host.stderr()).toContain(`The database ${main} is damaged`)
    kept.restore(host.stderr())
    expect(await kept.start()).not.toContain('damaged')
    expect(await kept.read()).toBe('as it was kept')
    expect(await kept.problems()).toEqual([])
  })

  test('a bit that flipped in a text is noticed and told on the page until a backup is put back', {
    tags: 'slow',
  }, async ({ expect }) => {
    const kept = await keptService()
    const main = mainOf(kept.folder)
    const written = (await stat(main, { bigint: true })).mtimeNs.toString()
    await overwrite(main, (await readFile(main)).indexOf('as it was kept'), Buffer.from('A'))
    // Nobody wrote it: its time is what it was, to the nanosecond.
    spawnSync('touch', ['--date', `@${written.slice(0, -9)}.${written.slice(-9)}`, main])
    const said = await kept.start()
    expect(await kept.read()).toBe('As it was kept')
    const problem = { kind: 'machine.database_damaged', path: main, backup: expect.stringContaining(kept.folder) }
    expect(await kept.problems()).toEqual([problem])
    expect((await kept.ask('GET', '/readyz')).status).toBe(503)
    await kept.end('SIGTERM')
    kept.restore(said)
    await kept.start()
    expect([await kept.read(), await kept.problems()]).toEqual(['as it was kept', []])
  })

  test('a journal that was cut loses what was written last, and says so', { tags: 'slow' }, async ({ expect }) => {
    const kept = await keptService()
    await kept.start()
    const main = mainOf(kept.folder)
    const { size } = await stat(`${main}-wal`)
    expect((await kept.write('written last')).status).toBe(200)
    await kept.end('SIGKILL')
    await truncate(`${main}-wal`, size)
    const said = await kept.start()
    expect(said).toContain(`What was written into the database ${main} last is lost`)
    expect(await kept.read()).toBe('as it was kept')
    expect(await kept.problems()).toMatchObject([{ kind: 'machine.journal_cut', path: main }])
    expect((await kept.ask('GET', '/readyz')).status).toBe(200)
    expect((await kept.write('written again')).status).toBe(200)
    expect(await kept.read()).toBe('written again')
  })

  test('an object that is damaged while the service runs is named when it is used, and no other fails', async ({
    expect,
  }) => {
    const kept = await keptService()
    await kept.start()
    const folder = path.join(kept.folder, 'state', 'do', 'wharf-ConversationObject')
    const [name = ''] = (await readdir(folder)).filter((one) => /^[0-9a-f]{64}\.sqlite$/.test(one))
    await overwrite(path.join(folder, name), 0, Buffer.alloc(4096, 7))
    const list = await kept.ask('GET', '/api/app/v1/assistant/conversations')
    const [first] = ((await list.json()) as { items: { id: string }[] }).items
    const asked = await kept.ask('GET', `/api/app/v1/assistant/conversations/${first?.id}`)
    expect([asked.status, await asked.json()]).toMatchObject([503, { reason: { kind: 'machine.database_damaged' } }])
    const problem = { kind: 'machine.database_damaged', path: path.join(folder, name) }
    expect(await kept.problems()).toMatchObject([problem])
    expect(kept.said).toContain(`The database ${path.join(folder, name)} is damaged`)
    expect(await kept.read()).toBe('as it was kept')
  })
})

test('a scheduler whose alarm was lost is woken by the next change', { timeout: 90_000 }, async ({ expect }) => {
  const kept = await keptService()
  const folder = path.join(kept.folder, 'state', 'do', 'wharf-SchedulerObject')
  const [name = ''] = (await readdir(folder)).filter((one) => /^[0-9a-f]{64}\.sqlite$/.test(one))
  const inside = <T>(file: string, work: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(path.join(folder, file))
    try {
      return work(database)
    } finally {
      database.close()
    }
  }
  // The object believes that it rings any moment, and nothing rings it.
  inside('metadata.sqlite', (database) => database.exec('DELETE FROM _cf_ALARM'))
  const longAgo = BigInt(Date.now() - 3_600_000) * 1_000_000n
  inside(name, (database) => database.prepare('INSERT OR REPLACE INTO _cf_METADATA VALUES (1, ?)').run(longAgo))
  const isLost = () =>
    inside(name, (database) => {
      const kept = database.prepare('SELECT value FROM _cf_METADATA WHERE key = 1')
      kept.setReadBigInts(true)
      return kept.get()?.['value'] === longAgo
    })
  await kept.start()
  expect(isLost()).toBe(true)
  expect((await kept.ask('POST', '/api/console/v1/channels', hook('pier'))).status).toBe(200)
  await expect.poll(isLost).toBe(false)
})

const repository = path.resolve(import.meta.dirname, '..', '..', '..')
const serveOn = (folder: string) => [
  process.execPath,
  path.join(repository, 'local', 'serve.ts'),
  ...['--workers', '--data', folder, '--port', '0', ...tools],
]

describe.skipIf(!hasSmallDisks)('a full disk', { timeout: 90_000 }, () => {
  const diskMebibytes = 96

  for (const runtime of ['node', 'workerd']) {
    test(
      `under ${runtime} is told of, and forgotten when there is room`,
      slowIf(runtime === 'workerd'),
      async ({ expect }) => {
        const folder = await makeDataFolder()
        const [command = '', ...args] = onSmallDisk(folder, diskMebibytes, [...serveOn(folder), '--runtime', runtime])
        const host = endAfterTest(startCommand(command, args))
        const address = await host.ready()
        const headers = { 'content-type': 'application/json', origin: address, 'accept-language': 'en' }
        await expect.poll(() => host.stdout()).toMatch(/setup\?code=\S/)
        const code = /setup\?code=(\S+)/.exec(host.stdout())?.[1]
        const setUp = await fetch(`${address}/api/console/v1/setup`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ code, password: 'harbour lanterns at four' }),
        })
        const cookie = (setUp.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
        const write = (text: string) =>
          fetch(`${address}/api/app/v1/templates/reply.status`, {
            method: 'PUT',
            headers: { ...headers, cookie },
            body: JSON.stringify({ title: '', text }),
          })
        const readiness = async () => (await fetch(`${address}/readyz`)).json()
        const large = 'x'.repeat(60_000)
        expect((await write(large)).status).toBe(200)
        expect(await readiness()).toMatchObject({ ready: true, checks: { disk: { ok: true } } })

        const empty = fillDisk(host.pid, folder)
        await expect.poll(readiness).toMatchObject({ ready: false, checks: { disk: { ok: false } } })
        // What still fits into the journal is taken; then it is said why nothing is.
        let refused = await write(large)
        for (let round = 0; round < 200 && refused.ok; round += 1) refused = await write(`${round} ${large}`)
        const said = await refused.text()
        expect(refused.status, `${said}\n${host.stdout().slice(-2000)}${host.stderr().slice(-2000)}`).toBe(503)
        expect(JSON.parse(said)).toMatchObject({ error: 'unavailable' })
        // Under workerd the database answers nothing more on such a disk, not even who is signed in.
        if (runtime === 'node') {
          // The journal may have been taken over meanwhile, which makes room in it once more.
          let again = await write(large)
          for (let round = 0; round < 200 && again.ok; round += 1) again = await write(`again ${round} ${large}`)
          expect(await again.json()).toMatchObject({ error: 'unavailable', reason: { kind: 'machine.disk_full' } })
          const asked = await fetch(`${address}/api/console/v1/health`, { headers: { ...headers, cookie } })
          expect(await asked.json()).toMatchObject({
            problems: [{ reason: { kind: 'machine.disk_full', path: folder } }],
          })
        }
        expect((await fetch(`${address}/healthz`)).status).toBe(200)

        empty()
        await expect.poll(readiness).toMatchObject({ ready: true })
        await expect.poll(async () => (await write('there is room')).status).toBe(200)
      },
    )
  }

  test('refuses a start in one line, with the path and the way out', async ({ expect }) => {
    const folder = await makeDataFolder()
    const fill = `dd if=/dev/zero of="${folder}/filler" bs=64k 2>/dev/null; exec "$@"`
    const [command = '', ...args] = onSmallDisk(folder, 1, ['sh', '-c', fill, 'sh', ...serveOn(folder)])
    const host = endAfterTest(startCommand(command, args))
    expect(await host.exit).toEqual({ code: 1, signal: null })
    expect(host.stderr()).toBe(
      `The disk that holds ${folder} is full (0 MiB are left); free some space on it and start again, or choose another folder with --data\n`,
    )
  })
})
