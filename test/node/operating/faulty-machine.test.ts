/** The service as a program on machines that are not well: each fault has its sentence, and what is mended goes on. */
import { open, readdir, utimes } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'vitest'
import { databasesOf } from '../../../local/operating/databases.ts'
import { endAfterTest, makeDataFolder } from '../../support/data-folder.ts'
import { startCommand, startServe } from '../../support/process-host.ts'
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

const repository = path.resolve(import.meta.dirname, '..', '..', '..')
const serveOn = (folder: string) => [
  process.execPath,
  path.join(repository, 'local', 'serve.ts'),
  ...['--workers', '--data', folder, '--port', '0', ...tools],
]

describe.skipIf(!hasSmallDisks)('a full disk', { timeout: 90_000 }, () => {
  const diskMebibytes = 96

  test.for(['node', 'workerd'])(
    'under %s is told of, and forgotten when there is room',
    async (runtime, { expect }) => {
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
      expect(refused.status).toBe(503)
      expect(await refused.json()).toMatchObject({ error: 'unavailable' })
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
