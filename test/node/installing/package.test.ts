// @module-tag slow
/** The npm package from nothing: packed, installed into an empty folder, started, set up, asked, stopped and restored. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import packageFacts from '../../../package.json' with { type: 'json' }
import { reasons } from '../../../scripts/check-supply-chain.ts'
import { endAfterTest } from '../../support/data-folder.ts'
import { goThrough } from '../../support/installed-journey.ts'
import { installInto, packInto, runTo } from '../../support/installed-package.ts'
import { startCommand } from '../../support/process-host.ts'
import { requireReal } from '../../support/real-parts.ts'

const nginx = requireReal('nginx')
const openssl = requireReal('openssl')
const password = 'harbour lanterns at four'

describe('the package that npm pack makes', { timeout: 240_000 }, () => {
  let base: string
  let place: string
  let programs: string
  const inPlace = (name: string, ...args: readonly string[]) =>
    runTo(path.join(programs, name), args, place, { HOME: base, XDG_DATA_HOME: '' })

  beforeAll(() => {
    base = mkdtempSync(path.join(os.tmpdir(), 'wharf-installed-'))
    place = path.join(base, 'empty')
    programs = installInto(place, packInto(base))
  }, 240_000)
  afterAll(() => rmSync(base, { recursive: true, force: true, maxRetries: 10 }))

  test('brings what it needs and nothing of its making: no sources, no bundler, no runtime of the edge', ({
    expect,
  }) => {
    const installed = path.join(place, 'node_modules', 'wharf')
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
    const ofCompiler = /^dist\/programs\/typescript\/lib\..*d\.ts$/
    expect(files.filter((file) => /\.tsx?$/.test(file) && !ofCompiler.test(file))).toEqual([])
    const packages = readdirSync(path.join(place, 'node_modules'))
    for (const name of ['esbuild', 'miniflare', 'workerd', 'wrangler', 'vite']) expect(packages).not.toContain(name)
    const licences = readFileSync(path.join(installed, 'dist/programs/LICENSES.txt'), 'utf8')
    for (const name of ['hono', 'zod', 'undici', 'preact']) expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'))
    const inside: { name: string }[] = JSON.parse(
      readFileSync(path.join(installed, 'dist/programs/bundled.json'), 'utf8'),
    )
    const asked = Object.keys(packageFacts.devDependencies)
    const unexplained = inside.filter(({ name }) => asked.includes(name) && reasons[name] === undefined)
    expect(unexplained).toEqual([])
  })

  test.for(['wharf', 'svc', 'indexer'])('%s says its version', (name, { expect }) => {
    const { code, stdout } = runTo('npx', [name, '--version'], place)
    expect([code, stdout.trim()]).toEqual([0, packageFacts.version])
  })

  test('keeps its data in the home of who starts it, wherever that is', ({ expect }) => {
    const { code, stdout } = inPlace('wharf', '--help')
    expect(code).toBe(0)
    expect(stdout).toContain(`(default ${path.join(base, '.local/share/wharf')})`)
  })

  test('says what it goes without', ({ expect }) => {
    const { code, stderr } = inPlace('wharf', '--runtime', 'workerd')
    expect(code).toBe(2)
    expect(stderr).toContain('needs a checkout')
  })

  test('has the gateway alone, which asks for its key', ({ expect }) => {
    const { code, stderr } = inPlace('wharf', 'gateway', '--port', '0')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^no API key/)])
  })

  test('brings a client for programs, with its types', ({ expect }) => {
    const program = "import { createClient } from 'wharf/client'; console.log(typeof createClient({}).listSites)"
    expect(runTo(process.execPath, ['--input-type=module', '-e', program], place).stdout.trim()).toBe('function')
    expect(readFileSync(path.join(place, 'node_modules/wharf/dist/client/index.d.mts'), 'utf8')).toContain('listSites(')
  })

  test('serves the pages, an API, the tools and the gateway', async ({ expect }) => {
    const data = path.join(base, 'data')
    const first = endAfterTest(
      startCommand(path.join(programs, 'wharf'), [
        ...['--data', data, '--port', '0', '--agent-port', '0', '--viewer-port', '0'],
      ]),
    )
    const origin = await first.ready()
    await expect.poll(() => first.stdout()).toContain('Ready in')
    const addresses = JSON.parse(readFileSync(path.join(data, 'addresses.json'), 'utf8')).addresses
    const ask = (name: string, body: object) =>
      fetch(`${origin}/api/console/v1/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify(body),
      })

    const code = /setup\?code=(\S+)/.exec(first.stdout())?.[1]
    const setUp = await ask('setup', { code, password })
    expect(setUp.status).toBe(200)
    const cookie = setUp.headers.get('set-cookie')?.split(';')[0] ?? ''
    const meta = await fetch(`${origin}/api/app/v1/meta`, { headers: { cookie, origin } })
    expect([meta.status, await meta.text()]).toEqual([
      200,
      expect.stringContaining(`"version":"${packageFacts.version}"`),
    ])
    const page = await (await fetch(`${origin}/`)).text()
    expect(page).toContain('<title>Wharf</title>')
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1]
    expect((await fetch(`${origin}${script}`)).headers.get('content-type')).toContain('javascript')

    const toolPassword = readFileSync(path.join(data, 'tools.password'), 'utf8').trim()
    const authorization = `Basic ${Buffer.from(`svc:${toolPassword}`).toString('base64')}`
    const agent = await fetch(`${addresses.agent}/health`, { headers: { authorization } })
    expect(agent.status).toBe(200)
    const viewer = await fetch(`${addresses.viewer}/`, { headers: { authorization } })
    expect([viewer.status, await viewer.text()]).toEqual([200, expect.stringContaining('<script')])
    const key = JSON.parse(readFileSync(path.join(data, 'secrets.json'), 'utf8')).API_KEY
    const models = await fetch(`${addresses.gateway}/models`, { headers: { authorization: `Bearer ${key}` } })
    expect(models.status).toBe(200)

    first.child.kill('SIGTERM')
    expect((await first.exit).code).toBe(0)
  })

  test.skipIf(nginx.isMissing || openssl.isMissing)(
    `takes over the data of an earlier version, is reached through nginx and by its own address, and comes back from a backup ${nginx.skipNote}${openssl.skipNote}`.trim(),
    async () => {
      const dataFolder = path.join(base, 'taken-over')
      const kept = path.join(base, 'kept.backup')
      const succeed = (...args: readonly string[]) => {
        const { code, stderr } = inPlace('wharf', ...args, '--data', dataFolder)
        if (code !== 0) throw new Error(stderr)
      }
      await goThrough(
        {
          dataFolder,
          start: (settings) =>
            endAfterTest(
              startCommand(path.join(programs, 'wharf'), ['--data', dataFolder, '--without', 'agent,viewer'], settings),
            ),
          backup() {
            succeed('backup', kept)
            return kept
          },
          restore: (file) => succeed('restore', file),
        },
        { nginx: nginx.path, openssl: openssl.path },
      )
    },
  )

  test('indexes code of several languages, each by its own parser', ({ expect }) => {
    const project = path.join(base, 'project')
    runTo('git', ['init', '--quiet', project], base)
    writeFileSync(path.join(project, 'quay.ts'), 'export function moor() {}\n')
    writeFileSync(path.join(project, 'quay.py'), 'def cast_off():\n    pass\n')
    expect(inPlace('indexer', 'init', project)).toMatchObject({ code: 0 })
    const found = ['moor', 'cast_off'].map((name) => inPlace('indexer', 'query', name, '--path', project))
    expect(found.map(({ code, stdout }) => [code, /quay\.(ts|py)/.exec(stdout)?.[0]])).toEqual([
      [0, 'quay.ts'],
      [0, 'quay.py'],
    ])
  })

  test('has the compiler judge an index, with the libraries it brings', ({ expect }) => {
    const project = path.join(base, 'proved')
    runTo('git', ['init', '--quiet', project], base)
    writeFileSync(
      path.join(project, 'quay.ts'),
      'export class Quay {\n  moor() {}\n}\n;[new Quay()].map((one) => one.moor())\n',
    )
    expect(inPlace('indexer', 'init', project)).toMatchObject({ code: 0 })
    const { code, stdout } = inPlace('indexer', 'prove', project, '--json')
    // What an element of a list is, only the libraries say.
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { judged: 1, refuted: 0, missed: 0, sites: 1 }])
  })
})
