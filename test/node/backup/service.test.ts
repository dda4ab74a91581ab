/** The commands against a service, as its owner types them. */
import { spawn } from 'node:child_process'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, test } from 'vitest'
import { type RuntimeKind, runtimeKinds } from '../../../local/workerd/runtime-kind.ts'
import { startWorkerHost, type WorkerHost, type WorkerHostOptions } from '../../../local/workerd/worker-host.ts'
import { endAfterTest, makeDataFolder } from '../../support/data-folder.ts'
import { type HostProcess, startServe } from '../../support/process-host.ts'
import { slowIf } from '../../support/slow.ts'
import { unwrap } from '../../support/unwrap.ts'

const root = path.resolve(import.meta.dirname, '..', '..', '..')
const alone = ['--without', 'agent,viewer', '--no-sandbox']
const password = 'harbour lanterns at four'

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function npm(...args: readonly string[]): Promise<Ended> {
  const child = spawn('npm', ['run', '--silent', ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (piece: Buffer) => {
    stdout += piece.toString()
  })
  child.stderr.on('data', (piece: Buffer) => {
    stderr += piece.toString()
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
}

const ask = (address: string, name: string, body: object) =>
  fetch(`${address}/api/console/v1/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address },
    body: JSON.stringify(body),
  })

async function stop(host: HostProcess): Promise<void> {
  host.child.kill('SIGTERM')
  await host.exit
}

describe('npm run backup and npm run restore', { timeout: 180_000 }, () => {
  for (const runtime of runtimeKinds) {
    test(`under ${runtime} bring the owner’s password back`, slowIf(runtime === 'workerd'), async ({ expect }) => {
      const folder = await makeDataFolder()
      const start = () =>
        endAfterTest(startServe(['--workers', '--data', folder, '--port', '0', '--runtime', runtime, ...alone]))
      const first = start()
      const address = await first.ready()
      await expect.poll(() => first.stdout()).toMatch(/setup\?code=\S/)
      const code = /setup\?code=(\S+)/.exec(first.stdout())?.[1]
      expect((await ask(address, 'setup', { code, password })).status).toBe(200)

      const into = await makeDataFolder()
      const made = await npm('backup', '--', into, '--data', folder)
      expect(made).toMatchObject({ code: 0, stderr: '' })
      const [name = ''] = await readdir(into)
      const file = path.join(into, name)
      expect(made.stdout).toContain(file)
      expect(await npm('backup', '--', 'verify', file)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('is whole'),
      })
      const refused = await npm('restore', '--', file, '--data', folder)
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`runs at ${address}`) })
      await stop(first)
      await rm(path.join(folder, 'state'), { recursive: true })
      await rm(path.join(folder, 'secrets.json'))

      expect(await npm('restore', '--', file, '--data', folder)).toMatchObject({ code: 0, stderr: '' })

      const second = start()
      const again = await second.ready()
      expect(second.stdout()).not.toContain('setup?code=')
      expect((await ask(again, 'sign-in', { password })).status).toBe(200)
    })
  }

  for (const runtime of runtimeKinds) {
    test(`under ${runtime} are on the page as well`, slowIf(runtime === 'workerd'), async ({ expect }) => {
      const folder = await makeDataFolder()
      const args = ['--workers', '--data', folder, '--port', '0', '--runtime', runtime, ...alone]
      const host = endAfterTest(startServe(args))
      const address = await host.ready()
      await expect.poll(() => host.stdout()).toMatch(/setup\?code=\S/)
      const setUp = await ask(address, 'setup', { code: /setup\?code=(\S+)/.exec(host.stdout())?.[1], password })
      const cookie = (setUp.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
      const call = (method: string, name: string) =>
        fetch(`${address}/api/console/v1/backups${name}`, {
          method,
          headers: { cookie, origin: address, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) },
          ...(method === 'POST' ? { body: '{}' } : {}),
        })
      expect(await (await call('GET', '')).json()).toMatchObject({ own_machine: true, automatic: true, items: [] })

      const made = await (await call('POST', '')).json()
      expect(made).toMatchObject({ name: expect.stringMatching(/asked\.tar\.gz$/), why: 'asked', sealed: false })
      const { name } = made as { name: string }
      expect(await (await call('POST', `/${name}/read-back`)).json()).toMatchObject({
        ok: true,
        rows: expect.any(Number),
      })
      expect(await (await call('GET', '')).json()).toMatchObject({ items: [{ name, read_back: { ok: true } }] })

      const download = await call('GET', `/${name}/file`)
      expect(download.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
      const bytes = Buffer.from(await download.arrayBuffer())
      expect(bytes.equals(await readFile(path.join(folder, 'backups', name)))).toBe(true)

      for (const other of ['nowhere', '..%2Fsecrets.json', '%2E%2E', 'read-back.json'])
        for (const asked of [await call('GET', `/${other}/file`), await call('POST', `/${other}/read-back`)]) {
          expect(asked.status, other).toBe(404)
          await asked.body?.cancel()
        }
      const stranger = await fetch(`${address}/api/console/v1/backups/${name}/file`)
      expect(stranger.status).toBe(401)
    })
  }

  test.for([
    ['no place', ['backup'], 2, 'Where should the backup go'],
    ['two places', ['backup', '--', '/tmp/a', '/tmp/b'], 2, 'Where should the backup go'],
    ['a flag that there is not', ['backup', '--', '--force'], 2, '--help'],
    ['no data', ['backup', '--', '/tmp', '--data', '/nowhere'], 1, 'no data of wharf'],
    ['a file that is there', ['backup', '--', 'DATA/secrets.json', '--data', 'DATA'], 1, 'there already'],
    ['a place that is not there', ['backup', '--', '/nowhere/at/all', '--data', 'DATA'], 1, 'There is no folder'],
    ['a place within the data', ['backup', '--', 'DATA/state/b', '--data', 'DATA'], 1, 'belongs into'],
    ['a pass phrase that cannot be read', ['backup', '--', '/tmp', '--pass-phrase-file', '/nowhere'], 2, 'pass phrase'],
    ['a pass phrase that is too short', ['backup', '--', '/tmp', '--pass-phrase-file', 'DATA/short'], 2, '8 to 1024'],
    ['what is no backup', ['restore', '--', 'DATA/secrets.json', '--data', 'DATA'], 1, 'cannot be put back'],
    ['nothing to put back', ['restore', '--', '--data', 'DATA'], 2, 'Which backup'],
  ] as const)('refuse %s in one line', async ([, args, code, words], { expect }) => {
    const folder = await makeDataFolder()
    await cp(path.join(root, 'migrations'), path.join(folder, 'state'), { recursive: true })
    await writeFile(path.join(folder, 'secrets.json'), '{}')
    await writeFile(path.join(folder, 'short'), 'seven c\n')
    const ended = await npm(...args.map((one) => one.replace('DATA', folder)))
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(words) })
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1)
  })
})

describe('a start with new steps of the database', { timeout: 180_000 }, () => {
  const probe = path.join(root, 'test', 'fixtures', 'probe-worker')

  async function twice(runtime: RuntimeKind, areBackupsMade: boolean) {
    const folder = await makeDataFolder()
    const script = await makeDataFolder()
    await cp(probe, script, { recursive: true })
    const log: string[] = []
    const options: WorkerHostOptions = {
      runtime,
      dataFolder: folder,
      port: 0,
      extraHosts: [],
      publicUrls: [],
      trustedProxies: [],
      areBackupsMade,
      isNewSetupLinkAsked: false,
      isNewMasterKeyAsked: false,
      configFile: path.join(script, 'wrangler.toml'),
      variables: {},
      log: (line) => log.push(line),
    }
    const start = async (): Promise<WorkerHost> => {
      return unwrap(await startWorkerHost(options))
    }
    await (await start()).close()
    await writeFile(path.join(script, 'migrations', '9999_next.sql'), 'CREATE TABLE next (a TEXT);')
    await (await start()).close()
    return { log, shelf: await readdir(path.join(folder, 'backups')).catch(() => []) }
  }

  for (const runtime of runtimeKinds) {
    test(`under ${runtime} keeps everything as it was, first`, slowIf(runtime === 'workerd'), async ({ expect }) => {
      const { log, shelf } = await twice(runtime, true)
      expect(shelf).toEqual([expect.stringMatching(/^wharf-\d{8}T\d{6}Z-before-migration\.tar\.gz$/)])
      expect(log.findIndex((line) => line.includes('Kept everything'))).toBeLessThan(
        log.findIndex((line) => line.includes('9999_next.sql')),
      )
    })
  }

  test('keeps nothing where the owner does not want it', async ({ expect }) => {
    expect((await twice('node', false)).shelf).toEqual([])
  })
})
