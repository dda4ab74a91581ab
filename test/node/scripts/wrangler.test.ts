// @module-tag slow
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parse } from 'smol-toml'
import { describe, test } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { processesBelow, until } from '../../support/process-host.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const wrangler = path.join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js')

function environment(folder: string): NodeJS.ProcessEnv {
  const bin = [path.dirname(process.execPath), path.join(root, 'node_modules', '.bin'), process.env['PATH']]
  return {
    PATH: bin.join(path.delimiter),
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    WRANGLER_SEND_METRICS: 'false',
    CI: 'true',
  }
}

test('the platform writes no line of its own for a request: it would hold what was searched for', ({ expect }) => {
  const text = readFileSync(path.join(root, 'wrangler.toml'), 'utf8')
  const { observability } = parse(text) as { observability: Readonly<Record<string, unknown>> }
  expect(observability).toEqual({ enabled: true, logs: { enabled: true, invocation_logs: false } })
})

describe('wrangler, from the root of the tree', () => {
  test('a dry run of the deployment builds the pages and the script', async ({ expect, onTestFinished }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'wharf-deploy-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const outcome = spawnSync(process.execPath, [wrangler, 'deploy', '--dry-run', '--outdir', folder], {
      cwd: root,
      env: environment(folder),
      encoding: 'utf8',
    })
    expect(`${outcome.stdout}${outcome.stderr}`).toContain('--dry-run: exiting now')
    expect(outcome.status).toBe(0)
    for (const binding of ['env.DB', 'env.DOWNLOADERS', 'env.ASSETS']) expect(outcome.stdout).toContain(binding)
  })

  test('npm run dev applies the migrations, prints a set-up link, and serves who uses it', async ({
    expect,
    onTestFinished,
  }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'wharf-dev-'))
    const port = await freePort()
    const args = ['--port', String(port), '--inspector-port', '0', '--persist-to', folder]
    const dev = spawn('npm', ['run', '--silent', 'dev', '--', ...args], {
      cwd: root,
      env: environment(folder),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [dev.stdout, dev.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const exit = new Promise((resolve) => dev.on('exit', resolve))
    onTestFinished(async () => {
      const pids = dev.pid === undefined ? [] : [dev.pid, ...processesBelow(dev.pid)]
      dev.kill('SIGTERM')
      await Promise.race([exit, until(() => dev.exitCode !== null, 5_000).catch(() => undefined)])
      for (const pid of pids) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // It has ended by itself.
        }
      }
      await rm(folder, { recursive: true, force: true })
    })
    const ask = () =>
      fetch(`http://127.0.0.1:${port}/api/app/v1/meta`).then(
        (answer) => answer.status,
        () => 0,
      )
    await until(async () => (await ask()) !== 0, 200_000).catch(() => {
      throw new Error(output)
    })
    expect(await ask()).toBe(401)
    const origin = `http://127.0.0.1:${port}`
    const setUp = await fetch(`${origin}/api/console/v1/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ code: /setup\?code=(\S+)/.exec(output)?.[1], password: 'harbour lanterns at four' }),
    })
    expect(setUp.status).toBe(200)
    const cookie = setUp.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await fetch(`${origin}/api/app/v1/torrents`, { headers: { cookie, origin } })).status).toBe(200)
  }, 240_000)
})
