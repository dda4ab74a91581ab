/**
 * What an owner goes through with an installed service, whichever way it was installed: the data of an earlier version is
 * taken over, nginx with TLS leads to it, a phone reaches it by the machine's own address, a backup puts it back, and a new
 * one is set up through nginx from nothing. The earlier data were kept by the version that their names say, and are as its
 * process left them.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { freePort } from './free-port.ts'
import { type NginxProxy, publicName, startNginx } from './nginx-proxy.ts'
import type { HostProcess } from './process-host.ts'

export interface Installed {
  /** Where the service keeps everything, as this machine has it. */
  readonly dataFolder: string
  /** Started with these settings, on any port. */
  start(settings: Readonly<Record<string, string>>): HostProcess
  /** Of the running service; answers where the file is. */
  backup(): string
  /** Of a service that stands still. */
  restore(file: string): void
  /** Gives what was put into the data folder to whom the service runs as. */
  own?(): void
}

export interface ProxyParts {
  readonly nginx: string
  readonly openssl: string
}

/** Another address of this machine, on every machine. */
const ownAddress = '127.0.0.2'
const freshPassword = 'lanterns of the other harbour'
const fixtures = path.join(import.meta.dirname, '../fixtures/data-folder')

interface Kept {
  readonly password: string
  readonly token: string
  readonly template: { readonly type: string; readonly text: string }
  /** By path, what must be in the answer. */
  readonly answers: Readonly<Record<string, unknown>>
}

type Headers = Readonly<Record<string, string>>
type Ask = (method: string, target: string, headers: Headers, json?: object) => Promise<Answer>

interface Answer {
  readonly status: number
  readonly text: string
  readonly cookie: string
  readonly isSecure: boolean
}

/** Rejects with what is not as it should be. */
export async function goThrough(installed: Installed, parts: ProxyParts): Promise<void> {
  const kept: Kept = JSON.parse(readFileSync(path.join(fixtures, '5120f67.json'), 'utf8'))
  const { type } = kept.template
  mkdirSync(installed.dataFolder, { recursive: true, mode: 0o700 })
  execFileSync('tar', ['-xzf', path.join(fixtures, '5120f67.tar.gz'), '-C', installed.dataFolder])
  installed.own?.()
  const write = async (reached: Reached, owner: Headers, text: string) => {
    const body = { title: '', text }
    must('a write', (await reached.ask('PUT', `/api/app/v1/templates/${type}`, owner, body)).status, 200)
  }

  let backup = ''
  await during(installed, parts, { WHARF_LISTEN: ownAddress }, async (reached) => {
    const owner = await signIn(reached.origin, reached.ask, kept.password, true)
    await compare(reached.ask, owner, kept, kept.template.text)
    const near = reached.near()
    await compare(near.ask, await signIn(near.origin, near.ask, kept.password, false), kept, kept.template.text)
    must(
      'the token',
      (await near.ask('GET', '/api/app/v1/meta', { authorization: `Bearer ${kept.token}` })).status,
      200,
    )
    await write(reached, owner, 'Written before the backup')
    backup = installed.backup()
    await write(reached, owner, 'Written after the backup')
  })
  empty(installed.dataFolder)
  installed.restore(backup)
  await during(installed, parts, { WHARF_LISTEN: ownAddress }, async (reached) => {
    const owner = await signIn(reached.origin, reached.ask, kept.password, true)
    await compare(reached.ask, owner, kept, 'Written before the backup')
  })

  empty(installed.dataFolder)
  await during(installed, parts, {}, async ({ origin, ask, said }) => {
    const code = new RegExp(`${origin}/#/setup\\?code=(\\S+)`).exec(said())?.[1]
    const setUp = await ask('POST', '/api/console/v1/setup', { origin }, { code, password: freshPassword })
    must('the set-up through the proxy', setUp.status, 200)
    must('a cookie that is Secure', setUp.isSecure, true)
    await signIn(origin, ask, freshPassword, true)
    must('the page', (await ask('GET', '/', {})).text.includes('<title>Wharf</title>'), true)
  })
}

interface Reached {
  /** Through the proxy. */
  readonly origin: string
  readonly ask: Ask
  said(): string
  /** By the machine's own address. */
  near(): { readonly origin: string; readonly ask: Ask }
}

async function during(
  installed: Installed,
  parts: ProxyParts,
  settings: Readonly<Record<string, string>>,
  use: (reached: Reached) => Promise<void>,
): Promise<void> {
  const publicPort = await freePort()
  const origin = `https://${publicName}:${publicPort}`
  const host = installed.start({
    WHARF_PORT: '0',
    WHARF_PUBLIC_URL: origin,
    WHARF_TRUSTED_PROXY: '127.0.0.1',
    ...settings,
  })
  let proxy: NginxProxy | undefined
  try {
    const service = await host.ready()
    proxy = await startNginx(parts, publicPort, service)
    const { port } = new URL(service)
    const nearOrigin = `http://${ownAddress}:${port}`
    await use({
      origin,
      said: host.stdout,
      async ask(method, target, headers, json) {
        const answer = await proxy?.ask(method, target, { headers, json })
        const [cookie = ''] = answer?.headers['set-cookie'] ?? []
        return { status: answer?.status ?? 0, text: answer?.text ?? '', ...read(cookie) }
      },
      near: () => ({ origin: nearOrigin, ask: (...asked) => askNear(nearOrigin, ...asked) }),
    })
  } finally {
    await proxy?.stop()
    host.child.kill('SIGTERM')
    await host.exit
  }
}

function askNear(origin: string, method: string, target: string, headers: Headers, json?: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const type: Headers = json === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request(`${origin}${target}`, { method, agent: false, headers: { ...type, ...headers } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (piece: string) => (text += piece))
      const [cookie = ''] = answer.headers['set-cookie'] ?? []
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, ...read(cookie) }))
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(json === undefined ? undefined : JSON.stringify(json))
  })
}

function read(setCookie: string): Pick<Answer, 'cookie' | 'isSecure'> {
  return { cookie: setCookie.split(';')[0] ?? '', isSecure: /;\s*Secure/i.test(setCookie) }
}

async function signIn(origin: string, ask: Ask, password: string, isSecure: boolean): Promise<Headers> {
  const answer = await ask('POST', '/api/console/v1/sign-in', { origin }, { password })
  must(`signing in at ${origin}`, [answer.status, answer.isSecure], [200, isSecure])
  return { cookie: answer.cookie, origin }
}

async function compare(ask: Ask, owner: Headers, { answers, template, token }: Kept, text: string): Promise<void> {
  for (const [target, wanted] of Object.entries(answers)) {
    // What a token began is the token's.
    const caller = target.includes('/conversations/') ? { authorization: `Bearer ${token}` } : owner
    const answer = await ask('GET', target, caller)
    must(target, [answer.status, partOf(JSON.parse(answer.text), wanted)], [200, wanted])
  }
  const { events } = JSON.parse((await ask('GET', '/api/app/v1/templates', owner)).text)
  must('the text', events.find((event: { type: string }) => event.type === template.type)?.text, text)
}

/** As much of a value as the other one says something of. */
function partOf(value: unknown, wanted: unknown): unknown {
  if (Array.isArray(wanted)) return Array.isArray(value) ? wanted.map((one, at) => partOf(value[at], one)) : value
  if (typeof wanted !== 'object' || wanted === null || typeof value !== 'object' || value === null) return value
  const fields = value as Readonly<Record<string, unknown>>
  return Object.fromEntries(Object.entries(wanted).map(([name, one]) => [name, partOf(fields[name], one)]))
}

function must(what: string, found: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(found, wanted))
    throw new Error(`${what}: ${JSON.stringify(found)} in place of ${JSON.stringify(wanted)}`)
}

/** The folder itself may be a mount. */
function empty(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(path.join(folder, name), { recursive: true, force: true })
}
