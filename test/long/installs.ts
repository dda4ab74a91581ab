/**
 * Each way to install, from nothing, by the programs that people install with: the release is built, its image judged by
 * two tools for images and started without an engine, its Debian package judged, installed into a fresh Debian, started,
 * upgraded and removed, and the unit weighed by the system's own manager. In each an owner's way is gone through.
 *
 * Needs root and, of Debian: bubblewrap, debootstrap, lintian, nginx, openssl, skopeo, systemd, umoci.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import manifest from '../../package.json' with { type: 'json' }
import { goThrough, type ProxyParts } from '../support/installed-journey.ts'
import { startCommand, until } from '../support/process-host.ts'
import { requireReal } from '../support/real-parts.ts'

const root = path.resolve(import.meta.dirname, '../..')
const { version } = manifest
const password = 'harbour lanterns at four'
/** Of the machine: a fresh Debian, kept as it was loaded. */
const suite = 'bookworm'

interface Installs {
  readonly folder: string
  readonly log: (line: string) => void
}

export async function runInstalls({ folder, log }: Installs): Promise<readonly string[]> {
  const faults: string[] = []
  const release = path.join(folder, 'release')
  // Others than root go through it to the image's root.
  chmodSync(folder, 0o755)
  const steps: readonly (readonly [string, () => Promise<void> | void])[] = [
    ['npm run release', () => void run('npm', ['run', '--silent', 'release', '--', release])],
    ['sums and papers', () => judgePapers(release)],
    ['image', () => judgeImage(release, folder)],
    ['executable', () => judgeExecutable(release, folder)],
    ['unit', judgeUnit],
    ['debian package', () => judgeDebian(release, folder)],
  ]
  for (const [name, step] of steps) {
    const started = performance.now()
    try {
      await step()
      log(`${name}: as it should be (${Math.round((performance.now() - started) / 1000)} s)`)
    } catch (error) {
      faults.push(name)
      log(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      if (name === 'npm run release') break
    }
  }
  return faults
}

function run(command: string, args: readonly string[], cwd = root): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0) throw new Error(`${command} ${args[0] ?? ''}: ${error?.message ?? ''}${stdout}${stderr}`)
  return stdout
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

function judgePapers(release: string): void {
  run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], release)
  const named = readFileSync(path.join(release, 'SHA256SUMS'), 'utf8').match(/\S+$/gm) ?? []
  const there = readdirSync(release).filter((name) => name !== 'SHA256SUMS')
  must(named.sort().join() === there.sort().join(), `sums of ${named.join()}, files ${there.join()}`)
  const bill = JSON.parse(readFileSync(path.join(release, `wharf-${version}.cdx.json`), 'utf8'))
  const names = new Set(bill.components.map(({ name }: { name: string }) => name))
  for (const name of ['hono', 'undici', 'oxc-parser', `node-linux-${process.arch}`])
    must(names.has(name), `the bill of materials leaves out ${name}`)
  for (const name of ['vitest', 'wrangler', 'esbuild']) must(!names.has(name), `the bill of materials names ${name}`)
  must(readFileSync(path.join(release, 'CHANGES.md'), 'utf8').startsWith(`# Wharf ${version}\n`), 'no changes')
}

interface Descriptor {
  readonly digest: string
  readonly size: number
}

/** What the format asks of the files, and then what two programs make of them. */
async function judgeImage(release: string, folder: string): Promise<void> {
  const layout = path.join(folder, 'layout')
  mkdirSync(layout)
  run('tar', ['--extract', '--file', path.join(release, `wharf-${version}-${process.arch}.oci.tar`), '-C', layout])
  const json = (file: string) => JSON.parse(readFileSync(path.join(layout, file), 'utf8'))
  must(json('oci-layout').imageLayoutVersion === '1.0.0', 'the layout has another version')
  const blob = ({ digest, size }: Descriptor) => {
    const bytes = readFileSync(path.join(layout, 'blobs', digest.replace(':', '/')))
    const found = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
    must(found === digest && bytes.length === size, `${digest} is ${found} with ${bytes.length} of ${size} bytes`)
    return bytes
  }
  const [described] = json('index.json').manifests
  const { config, layers } = JSON.parse(blob(described).toString())
  const image = JSON.parse(blob(config).toString())
  for (const layer of layers) blob(layer)
  must(readdirSync(path.join(layout, 'blobs/sha256')).length === layers.length + 2, 'blobs that nothing names')
  const inspected = JSON.parse(run('skopeo', ['inspect', `oci:${layout}:${version}`]))
  must(inspected.Labels['org.opencontainers.image.version'] === version, 'another version in its labels')
  run('skopeo', ['copy', '--quiet', `oci:${layout}:${version}`, `dir:${path.join(folder, 'copied')}`])
  const bundle = path.join(folder, 'bundle')
  run('umoci', ['unpack', '--image', `${layout}:${version}`, bundle])
  chmodSync(bundle, 0o755)

  const [user] = image.config.User.split(':').map(Number)
  must(user > 0, 'it runs as root')
  const shells = readdirSync(path.join(bundle, 'rootfs'), { recursive: true, encoding: 'utf8' })
  must(!shells.some((name) => /(^|\/)(sh|bash|busybox|su|sudo)$/.test(name)), 'there is a shell in it')
  const data = path.join(folder, 'image-data')
  mkdirSync(data)
  chownSync(data, user, user)
  const secret = path.join(folder, 'owner-password')
  writeFileSync(secret, `${password}\n`, { mode: 0o644 })
  chmodSync(secret, 0o644)
  const variables = image.config.Env.map((pair: string) => pair.split(/=(.*)/s).slice(0, 2))
  const asked = [
    ['WHARF_PORT', '0'],
    ['WHARF_LISTEN', '127.0.0.2'],
    ['WHARF_OWNER_PASSWORD_FILE', '/run/secrets/owner_password'],
  ]
  const rootOf = (settings: readonly (readonly string[])[], place: string) => [
    ...['--reuid', String(user), '--regid', String(user), '--clear-groups', 'bwrap', '--unshare-user'],
    ...['--uid', String(user), '--gid', String(user), '--unshare-pid', '--unshare-ipc', '--die-with-parent'],
    ...['--ro-bind', path.join(bundle, 'rootfs'), '/', '--bind', place, '/data', '--tmpfs', '/tmp', '--tmpfs', '/run'],
    ...['--proc', '/proc', '--dev', '/dev', '--ro-bind', secret, '/run/secrets/owner_password', '--clearenv'],
    ...settings.flatMap(([name = '', value = '']) => ['--setenv', name, value]),
    ...['--chdir', image.config.WorkingDir],
  ]
  const inRoot = rootOf([...variables, ...asked], data)
  await withService('setpriv', [...inRoot, ...image.config.Entrypoint], async (origin) => {
    await signIn(origin)
    const { healthcheck } = parse(readFileSync(path.join(release, 'compose.yaml'), 'utf8')).services.wharf
    const [, ...check]: string[] = healthcheck.test
    const { port } = new URL(origin)
    run('setpriv', [...inRoot, ...check.map((word) => word.replace(':8787', `:${port}`))])
    const broken = spawnSync('setpriv', [...inRoot, ...check.map((word) => word.replace(':8787', ':1'))])
    must(broken.status === 1, 'its health check is content with nothing')
  })

  const dataFolder = path.join(folder, 'image-journey')
  const kept = path.join(folder, 'image.backup')
  // A new one, whose owner sets the password through the proxy, may not be reached by others yet.
  const own = variables.filter(([name]: string[]) => name !== 'WHARF_LISTEN')
  const program = (...args: readonly string[]) =>
    run('setpriv', [...rootOf(own, dataFolder), '/opt/wharf/node', '/opt/wharf/dist/programs/backup.mjs', ...args])
  await goThrough(
    {
      dataFolder,
      own: () => void run('chown', ['--recursive', `${user}:${user}`, dataFolder]),
      start: (settings) =>
        startCommand('setpriv', [
          ...rootOf([...own, ...Object.entries(settings)], dataFolder),
          ...image.config.Entrypoint,
        ]),
      backup() {
        program('/data/backups/kept.backup')
        renameSync(path.join(dataFolder, 'backups/kept.backup'), kept)
        return kept
      },
      restore(file) {
        cpSync(file, path.join(dataFolder, 'kept.backup'))
        chownSync(path.join(dataFolder, 'kept.backup'), user, user)
        program('restore', '/data/kept.backup')
      },
    },
    proxyParts(),
  )
}

function proxyParts(): ProxyParts {
  const [nginx, openssl] = [requireReal('nginx'), requireReal('openssl')]
  if (nginx.isMissing || openssl.isMissing) throw new Error(`${nginx.skipNote} ${openssl.skipNote}`)
  return { nginx: nginx.path, openssl: openssl.path }
}

/** In a home that has nothing, with nothing of this machine in its variables. */
async function judgeExecutable(release: string, folder: string): Promise<void> {
  const home = path.join(folder, 'home')
  mkdirSync(home)
  const file = path.join(release, `wharf-${version}-linux-${process.arch}`)
  const clean = ['-i', `HOME=${home}`, 'PATH=/usr/bin:/bin']
  const program = (...args: readonly string[]) => run('env', [...clean, file, ...args])
  must(program('--version').trim() === version, 'another version')
  const dataFolder = path.join(home, '.local/share/wharf')
  const kept = path.join(folder, 'executable.backup')
  await goThrough(
    {
      dataFolder,
      start: (settings) =>
        startCommand('env', [
          ...[...clean, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)],
          ...[file, '--without', 'agent,viewer'],
        ]),
      backup() {
        program('backup', kept)
        return kept
      },
      restore: (backup) => void program('restore', backup),
    },
    proxyParts(),
  )
  const heads = { x64: 0x3e, arm64: 0xb7 }
  for (const [architecture, machine] of Object.entries(heads)) {
    const one = path.join(release, `wharf-${version}-linux-${architecture}`)
    const node = `./node_modules/node-linux-${architecture}/bin/node`
    const starts = `tail -n +$(($(grep -a -n -m 1 '^exit 1$' "$0" | cut -d: -f1) + 1)) "$0" | tar -xzOf - ${node} | head -c 20`
    const head = execFileSync('sh', ['-c', starts, one])
    must(head.readUInt16LE(18) === machine, `the Node of ${path.basename(one)} is for another machine`)
  }
}

function judgeUnit(): void {
  const weighed = run('systemd-analyze', ['security', '--offline=true', '--threshold=20', 'packaging/wharf.service'])
  must(/Overall exposure level .*: [01]\.\d/.test(weighed), weighed.split('\n').at(-2) ?? '')
}

async function judgeDebian(release: string, folder: string): Promise<void> {
  const [name = ''] = readdirSync(release).filter((one) => one.endsWith('.deb'))
  const file = path.join(release, name)
  // What is meant: a Node of its own, programs without a changelog of Debian, and the packages as npm lays them.
  const meant = ['embedded-library', 'embedded-javascript-library', 'unstripped-binary-or-object', 'hardening-no-pie']
  const said = spawnSync('lintian', ['--fail-on', 'error', '--suppress-tags', meant.join(), file], { encoding: 'utf8' })
  must(said.status === 0, said.stdout)
  const debian = path.join(folder, 'debian')
  run('debootstrap', ['--variant=minbase', suite, debian])
  cpSync(file, path.join(debian, 'wharf.deb'))
  const inDebian = [
    ...[
      '--bind',
      debian,
      '/',
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      '--tmpfs',
      '/run',
      '--unshare-pid',
      '--die-with-parent',
    ],
    ...['--clearenv', '--setenv', 'PATH', '/usr/sbin:/usr/bin:/sbin:/bin', '--setenv', 'HOME', '/root'],
  ]
  const inside = (...command: readonly string[]) => run('bwrap', [...inDebian, ...command])
  inside('dpkg', '--install', '/wharf.deb')
  for (const program of ['wharf', 'svc', 'indexer'])
    must(inside(program, '--version').trim() === version, `${program} says another version`)
  const serve = [...inDebian, '--setenv', 'WHARF_DATA', '/var/lib/wharf', '--setenv', 'WHARF_PORT', '0']
  const command = ['wharf', '--config', '/etc/wharf/wharf.toml', '--owner-password-file', '/etc/wharf/password']
  writeFileSync(path.join(debian, 'etc/wharf/password'), `${password}\n`, { mode: 0o600 })
  await withService('bwrap', [...serve, ...command], signIn)
  run('bwrap', [...serve, 'wharf', 'backup', '/kept.backup'])
  writeFileSync(path.join(debian, 'etc/wharf/wharf.toml'), 'without = ["agent", "viewer"]\nmetrics_open = true\n')
  inside('dpkg', '--install', '/wharf.deb')
  must(readFileSync(path.join(debian, 'etc/wharf/wharf.toml'), 'utf8').includes('metrics_open'), 'settings are gone')
  await withService('bwrap', [...serve, ...command], signIn)
  execFileSync('rm', ['-r', path.join(debian, 'var/lib/wharf')])
  run('bwrap', [...serve, 'wharf', 'restore', '/kept.backup'])
  await withService('bwrap', [...serve, ...command], signIn)
  await goThrough(
    {
      dataFolder: path.join(debian, 'var/lib/wharf'),
      start: (settings) =>
        startCommand('bwrap', [
          ...[...serve, ...Object.entries(settings).flatMap(([name, value]) => ['--setenv', name, value])],
          ...['wharf', '--config', '/etc/wharf/wharf.toml'],
        ]),
      backup() {
        run('bwrap', [...serve, 'wharf', 'backup', '/journey.backup'])
        return '/journey.backup'
      },
      restore: (file) => void run('bwrap', [...serve, 'wharf', 'restore', file]),
    },
    proxyParts(),
  )
  inside('dpkg', '--purge', 'wharf')
  must(!readdirSync(path.join(debian, 'usr/lib')).includes('wharf'), 'files stay')
}

async function signIn(origin: string): Promise<void> {
  const answer = await fetch(`${origin}/api/console/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ password }),
  })
  must(answer.status === 200, `signing in: ${answer.status} ${await answer.text()}`)
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  const meta = await fetch(`${origin}/api/app/v1/meta`, { headers: { cookie, origin } })
  must((await meta.text()).includes(`"version":"${version}"`), 'another version in /meta')
  must((await (await fetch(`${origin}/`)).text()).includes('<title>Wharf</title>'), 'no page')
}

async function withService(command: string, args: readonly string[], use: (origin: string) => Promise<void>) {
  const child: ChildProcess = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece: Buffer) => (said += piece.toString()))
  try {
    await until(() => said.includes('Ready in') || child.exitCode !== null, 120_000)
    const origin = /^ {2}console +(http:\S+?)\/$/m.exec(said)?.[1]
    if (origin === undefined) throw new Error(`it did not start: ${said}`)
    await use(origin)
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}
