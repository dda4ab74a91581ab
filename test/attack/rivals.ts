/**
 * What was done to others, tried on us: the advisories that the trust plan names, each as the same attack on the default
 * configuration of a fresh data folder. Repositories, shell lines, proxies, floods and parsers have groups of their own.
 */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { sendRaw } from '../support/raw-http.ts'
import { ownerOf, type RunningWharf, startWharf, temporaryFolder, tokenOf } from '../support/running-wharf.ts'
import type { AttackGroup, AttackOutcome } from './attack.ts'
import { openHostileSettings } from './hostile-settings.ts'

interface Target {
  readonly wharf: RunningWharf
  readonly owner: Readonly<Record<string, string>>
  readonly reader: Readonly<Record<string, string>>
  readonly gatewayKey: string
  /** One that the gateway offers. */
  readonly model: string
  /** Origins by their names in the table of addresses; only of what is started. */
  readonly addresses: Readonly<Record<string, string>>
  /** The cookie of a browser that is signed in to that tool, for every port as browsers send it. */
  readonly cookies: Readonly<Record<string, string>>
  /** A server of this machine that nobody has business with. */
  readonly canary: { readonly port: number; hits(): number }
}

/** Undefined where nothing was gained; otherwise what was. */
type Attack = (target: Target) => Promise<string | undefined>

const app = '/api/app/v1'
const own = '/api/console/v1'
const evil = 'http://evil.example'

/** Every attack answers with one of these, or with less. */
const refusals = new Set([400, 401, 403, 404, 405, 406, 409, 411, 413, 415, 421, 422, 426, 429])

function refused(status: number, what: string): string | undefined {
  return refusals.has(status) ? undefined : `${what} answered ${status}`
}

async function firstHole(tries: readonly (() => Promise<string | undefined>)[]): Promise<string | undefined> {
  for (const attempt of tries) {
    const hole = await attempt()
    if (hole !== undefined) return hole
  }
  return undefined
}

async function post(address: string, headers: Readonly<Record<string, string>>, body: unknown): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    redirect: 'manual',
  })
}

/** Where 127.0.0.1 is meant and not said, as probed with the runtime. */
function spellings(port: number): readonly string[] {
  const hosts = ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '①②⑦.0.0.1', '0.0.0.0', '127.1', '[::1]']
  const more = ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', 'localhost', 'localhost.', 'LOCALHOST', '[64:ff9b::7f00:1]']
  return [...hosts, ...more].map((host) => `http://${host}:${port}/latest/meta-data`)
}

function chat(content: unknown, more: Readonly<Record<string, unknown>> = {}) {
  return { max_tokens: 16, messages: [{ role: 'user', content }], ...more }
}

async function askGateway(target: Target, body: object): Promise<{ readonly status: number; readonly text: string }> {
  const key = { authorization: `Bearer ${target.gatewayKey}` }
  const response = await post(`${target.wharf.origin}/api/v1/chat/completions`, key, { model: target.model, ...body })
  return { status: response.status, text: await response.text() }
}

async function reachedCanary(target: Target, bodies: readonly object[]): Promise<string | undefined> {
  const plain = await askGateway(target, chat('a'))
  if (plain.status !== 200) return `nothing was tried: the gateway answers ${plain.text.slice(0, 200)}`
  for (const body of bodies) {
    await askGateway(target, body)
    if (target.canary.hits() > 0) return `it called ${JSON.stringify(body).slice(0, 120)}`
  }
  return undefined
}

/** A loopback server as a page of another site sees it: rebound, cross-site, or with a form. */
function fromAPage(name: string, method: 'GET' | 'POST', place: string): Attack {
  const isWrite = method === 'POST'
  return async ({ addresses, cookies }) => {
    const origin = addresses[name]
    const cookie = cookies[name]
    if (origin === undefined || cookie === undefined) return `nothing was tried: ${name} is not there`
    const { port, host } = new URL(origin)
    const body = '{}'
    const length = `Content-Length: ${body.length}`
    const pages: readonly (readonly string[])[] = [
      ['Host: evil.example', 'Content-Type: application/json'],
      [`Host: evil.example:${port}`, `Origin: ${evil}:${port}`, 'Content-Type: application/json'],
      [`Host: ${host}`, `Origin: ${evil}`, 'Content-Type: application/json'],
      [`Host: ${host}`, 'Origin: null', 'Content-Type: application/json'],
      [`Host: ${host}`, `Origin: http://127.0.0.1:${Number(port) - 1}`, 'Content-Type: application/json'],
      // Without an origin a browser sends what it lets no page read.
      ...(isWrite ? [[`Host: ${host}`, 'Sec-Fetch-Site: cross-site', 'Content-Type: application/json']] : []),
      ...(isWrite ? [[`Host: ${host}`, `Origin: ${evil}`, 'Content-Type: text/plain']] : []),
    ]
    // With the same cookie the tool's own page gets in: what stops the others is not that nobody is signed in.
    const own = await fetch(`${origin}/api/nothing`, { headers: { cookie, origin } })
    if (own.status !== 404) return `nothing was tried: its own page was answered ${own.status}`
    return firstHole(
      pages.map((headers) => async () => {
        const lines = [`${method} ${place} HTTP/1.1`, ...headers, `Cookie: ${cookie}`, length, 'Connection: close']
        const { status, text } = await sendRaw(Number(port), [...lines, '', body].join('\r\n'))
        if (/^access-control-allow-origin/im.test(text)) return `${headers.join(', ')} may be read`
        return refused(status, headers.join(', '))
      }),
    )
  }
}

/** What a page may show to everybody, it shows under our own names only. */
const rebound: Attack = ({ addresses }) =>
  firstHole(
    Object.values(addresses).flatMap((origin) =>
      ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', '169.254.169.254'].map(
        (name) => async () => {
          const port = Number(new URL(origin).port)
          const request = `GET / HTTP/1.1\r\nHost: ${name}:${port}\r\nConnection: close\r\n\r\n`
          return refused((await sendRaw(port, request)).status, `${origin} as ${name}`)
        },
      ),
    ),
  )

/** Names that end a server which trusts them to be well formed. */
const malformed: Attack = async ({ addresses }) => {
  for (const [name, origin] of Object.entries(addresses)) {
    const { port, host } = new URL(origin)
    for (const line of ['Host: [', 'Host: %00', 'Host: a b', 'Origin: [', 'Origin: http://[::', 'Origin: \u00ff']) {
      const headers = line.startsWith('Host') ? [line] : [`Host: ${host}`, line]
      await sendRaw(Number(port), [`GET / HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n')).catch(
        () => undefined,
      )
    }
    const alive = await fetch(origin, { redirect: 'manual' }).then(
      () => true,
      () => false,
    )
    if (!alive) return `${name} is gone`
  }
  return undefined
}

/** Paths that leave the folder a server serves, as they were spelled for others. */
const escapes: Attack = async ({ addresses, wharf }) => {
  const secret = readFileSync(path.join(wharf.dataFolder, 'secrets.json'), 'utf8').slice(0, 40)
  const outside = encodeURIComponent(path.join(wharf.dataFolder, 'secrets.json'))
  const ways = [
    ...['/etc/passwd', '/@fs/etc/passwd', '/@fs/etc/passwd?raw??', '/@fs/etc/passwd?import&raw??'],
    ...['/..%2f..%2f..%2f..%2fetc/passwd', '/%2e%2e/%2e%2e/%2e%2e/etc/passwd', '/..%5c..%5cetc%5cpasswd'],
    ...['/assets/../../../../etc/passwd', '/assets/..%252f..%252fetc/passwd', '/./.././../etc/passwd%00.js'],
    ...['/api/source?file=../../../../etc/passwd', `/api/source?file=${outside}`, `/api/fs/read/${outside}`],
    ...['/api/fs/read/..%2f..%2f..%2fetc%2fpasswd', '/api/fs/read/%2fetc%2fpasswd', `/@fs/${outside}?raw??`],
  ]
  for (const origin of Object.values(addresses)) {
    const { port, host } = new URL(origin)
    for (const way of [...ways, 'http://evil.example/etc/passwd', `file:///etc/passwd`]) {
      const request = [`GET ${way} HTTP/1.1`, `Host: ${host}`, 'Connection: close', '', ''].join('\r\n')
      const { text } = await sendRaw(Number(port), request)
      if (/^root:.*:0:0:/m.test(text) || text.includes(secret)) return `${way} left the folder`
    }
  }
  return undefined
}

const hostileTexts = ['{{ x.__proto__.polluted }}', '{{ "a".constructor }}', '{% include "/etc/passwd" %}']

const attacks: readonly (readonly [string, Attack])[] = [
  ['OpenCode CVE-2026-22812: a site runs commands', fromAPage('agent', 'POST', '/api/pty')],
  ['MCP Inspector CVE-2025-49596: a page drives the local tool', fromAPage('agent', 'POST', '/api/session')],
  ['CVE-2026-42559, CVE-2025-66416: a rebound name reads', fromAPage('agent', 'GET', '/api/session')],
  ['Ollama CVE-2024-28224: a rebound name reaches the service', rebound],
  ['Vite GHSA-vg6x-rcgg-rjx6: a site reads the sources', fromAPage('viewer', 'GET', '/api/stats')],
  ['webpack-dev-server CVE-2026-14631: a malformed name ends it', malformed],
  ['Vite CVE-2025-30208, MCP CVE-2025-53109/53110: a path leaves its folder', escapes],
  [
    'vLLM GHSA-3f6c-7fw2-ppm4: an image leads into the network',
    (target) =>
      reachedCanary(
        target,
        spellings(target.canary.port).map((url) => chat([{ type: 'image_url', image_url: { url } }])),
      ),
  ],
  [
    'LiteLLM CVE-2024-6587: the caller names the upstream',
    (target) => {
      const address = `http://127.0.0.1:${target.canary.port}`
      const names = ['api_base', 'base_url', 'endpoint', 'endpoint_url', 'custom_llm_provider', 'proxy', 'region']
      return reachedCanary(target, [
        ...names.map((name) => chat('a', { [name]: address })),
        chat('a', { extra_body: { api_base: address, endpoint: address } }),
        { ...chat('a'), model: `${address}/x` },
        { ...chat('a'), model: `../../${address}` },
      ])
    },
  ],
  [
    'LiteLLM CVE-2026-42208: a key that is a query',
    ({ wharf }) =>
      firstHole(
        ["' OR '1'='1", "x'; DROP TABLE api_tokens; --", 'wharf_%_%', '', 'undefined', 'null'].flatMap((key) =>
          [`${app}/meta`, '/api/v1/models'].map((place) => async () => {
            const response = await fetch(`${wharf.origin}${place}`, { headers: { authorization: `Bearer ${key}` } })
            return response.status === 401 ? undefined : `${place} answered ${response.status} to ${key}`
          }),
        ),
      ),
  ],
  [
    'Prowlarr #280 #557 #928 #1041 #2025, Sonarr #1051 #6666, Radarr #3890, qui #839: a key in an answer or the log',
    async ({ wharf, owner }) => {
      const canaries = ['hunter.zwei!', 'abcdefghijklmnopqrstuvwxyzabcdef', '0f1e2d3c4b5a6978deadbeef']
      const [password = '', cookie = '', key = ''] = canaries
      const made = [
        await wharf.request('POST', `${own}/downloaders/test`, owner, {
          type: 'qbittorrent',
          address: 'http://127.0.0.1:9/a',
          username: 'admin',
          password,
        }),
        await wharf.request('POST', `${own}/sites`, owner, {
          name: 'shelf',
          display_name: '',
          kind: 'nexusphp',
          definition: '',
          address: 'http://127.0.0.1:9',
          cookie: `c_secure_pass=${cookie}`,
          enabled: true,
          auto_sign_in: false,
        }),
        await wharf.request('PUT', `${own}/settings/metadata`, owner, {
          api_address: `http://127.0.0.1:9`,
          image_address: '',
          api_key: key,
        }),
        await wharf.request('POST', `${app}/search`, owner, { keyword: 'a' }),
        await wharf.request('GET', `${app}/explore?kind=movie`, owner),
        await wharf.request('GET', `${own}/sites`, owner),
        await wharf.request('GET', `${own}/state`, owner),
        await wharf.request('GET', `${app}/sites`, owner),
      ]
      const heard = [...made.map(({ text }) => text), wharf.said()].join('\n')
      return canaries.find((canary) => heard.includes(canary))
    },
  ],
  [
    'CVE-2025-59536: a folder’s settings start programs and lead the model elsewhere',
    ({ canary }) => {
      const before = canary.hits()
      return openHostileSettings(`http://127.0.0.1:${canary.port}/`, () => canary.hits() > before)
    },
  ],
  [
    'qBittorrent "all": a word that means every torrent',
    async ({ wharf, owner }) => {
      for (const task_id of ['all', 'a|b', '*', '.', '', `${'0'.repeat(40)}|all`]) {
        const json = { action: 'delete_with_files', targets: [{ downloader_id: 1, task_id }] }
        const { status, body } = await wharf.request('POST', `${app}/torrents/actions`, owner, json)
        if (status === 200 && body.succeeded > 0) return `${task_id} was carried out`
      }
      return undefined
    },
  ],
  [
    'a forged write with the owner’s cookie',
    async ({ wharf, owner }) => {
      const json = { name: 'forged', scopes: ['app:write'], lifetime: 'never' }
      const pages = [{ origin: evil }, { origin: 'null' }, { origin: 'http://127.0.0.1:1' }]
      for (const page of pages) {
        const { status } = await wharf.request(
          'POST',
          `${own}/tokens`,
          { cookie: owner['cookie'] ?? '', ...page },
          json,
        )
        if (status !== 403) return `${page.origin} answered ${status}`
      }
      const plain = { cookie: owner['cookie'] ?? '', origin: wharf.origin, 'content-type': 'text/plain' }
      const form = await fetch(`${wharf.origin}${own}/tokens`, {
        method: 'POST',
        headers: plain,
        body: JSON.stringify(json),
      })
      return refused(form.status, 'a form')
    },
  ],
  [
    'a token that may only read writes, and leaves no trace',
    async ({ wharf, owner, reader }) => {
      const json = { action: 'pause', targets: [{ downloader_id: 1, task_id: 'a' }] }
      const { status } = await wharf.request('POST', `${app}/torrents/actions`, reader, json)
      const { body } = await wharf.request('GET', `${own}/audit`, owner)
      if (status !== 403) return `it answered ${status}`
      return body.items.some(({ status: noted }: { status?: number }) => noted === 403)
        ? undefined
        : 'nothing was noted'
    },
  ],
  [
    'a token reads another caller’s conversation',
    async ({ wharf, owner, reader }) => {
      const { body } = await wharf.request('POST', `${app}/assistant/conversations`, owner, { title: 'mine' })
      const place = `${app}/assistant/conversations/${body.id}`
      const answers = [await wharf.request('GET', place, reader), await wharf.request('GET', `${place}/events`, reader)]
      return firstHole(
        answers.map(
          ({ status }) =>
            async () =>
              status === 404 ? undefined : `it answered ${status}`,
        ),
      )
    },
  ],
  [
    'unknown conversations fill the storage',
    async ({ wharf, reader }) => {
      const objects = () => filesBelow(wharf.dataFolder).filter((name) => name.endsWith('.sqlite')).length
      const before = objects()
      for (let at = 0; at < 20; at += 1)
        await wharf.request('GET', `${app}/assistant/conversations/unknown-${at}`, reader)
      return objects() - before < 20 ? undefined : `${objects() - before} objects were made`
    },
  ],
  [
    'templates reach what they were not given',
    ({ wharf, owner }) =>
      firstHole(
        [...hostileTexts, '{% for i in (1..1000000000) %}a{% endfor %}'].map((text) => async () => {
          const json = { type: 'push.done', title: 'a', text }
          const answer = await wharf.request('POST', `${app}/templates/preview`, owner, json)
          const shown = answer.status === 200 ? answer.body.text : ''
          return /root:|function|polluted|aaaa/.test(shown) || answer.status >= 500
            ? `${text} became ${shown}`
            : undefined
        }),
      ),
  ],
  [
    'a name that leads elsewhere reaches the Worker',
    async ({ wharf }) => {
      const port = Number(new URL(wharf.origin).port)
      const request = `GET ${own}/state HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`
      return refused((await sendRaw(port, request)).status, 'evil.example')
    },
  ],
  [
    'secrets lie open: modes, arguments, environments of the processes',
    async ({ wharf }) => {
      const file = path.join(wharf.dataFolder, 'secrets.json')
      const kept = JSON.parse(readFileSync(file, 'utf8'))
      if ((statSync(file).mode & 0o077) !== 0 || (statSync(wharf.dataFolder).mode & 0o077) !== 0) return 'its modes'
      for (const pid of descendants(wharf.pid)) {
        for (const part of ['cmdline', 'environ']) {
          const text = readIfThere(`/proc/${pid}/${part}`)
          for (const name of ['MASTER_KEY', 'SETUP_CODE', 'API_KEY'])
            if (text.includes(kept[name])) return `${name} stands in ${part} of a process`
        }
      }
      return undefined
    },
  ],
  [
    'a passkey’s answer or a device’s message made up',
    async ({ wharf }) => {
      const page = { origin: wharf.origin }
      const credential = { id: 'AAAA', response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' } }
      const { status } = await wharf.request('POST', `${own}/sign-in/passkey`, page, { credential })
      if (status !== 403) return `a passkey answered ${status}`
      for (const way of ['pair/key', 'pair', 'session', 'request']) {
        const address = `${wharf.origin}/api/tunnel/v1/${way}`
        const answer = await fetch(address, { method: 'POST', body: crypto.getRandomValues(new Uint8Array(96)) })
        if (answer.status !== 401) return `${way} answered ${answer.status}`
      }
      return undefined
    },
  ],
]

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
}

function readIfThere(file: string): string {
  try {
    return existsSync(file) ? readFileSync(file, 'latin1') : ''
  } catch {
    return ''
  }
}

function descendants(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(/\) \S (\d+)/.exec(readIfThere(`/proc/${name}/stat`))?.[1]) }))
  const found = [pid]
  for (const one of found) found.push(...parents.filter(({ parent }) => parent === one).map((child) => child.pid))
  return found
}

/** Each browser that is signed in, by the address that was printed for it. */
async function cookiesOf(wharf: RunningWharf, addresses: Target['addresses']): Promise<Target['cookies']> {
  const cookies: Record<string, string> = {}
  for (const name of ['agent', 'viewer']) {
    const printed = new RegExp(`${addresses[name]}/auth/browser\\?token=\\S+`).exec(wharf.said())?.[0]
    if (printed === undefined) throw new Error(`no address signs in to ${name}`)
    const welcome = await fetch(printed, { redirect: 'manual' })
    cookies[name] = welcome.headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  return cookies
}

async function startCanary(): Promise<Target['canary'] & { stop(): void }> {
  let hits = 0
  const server = createServer((_, response) => {
    hits += 1
    response.end('canary')
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  return { port: (server.address() as AddressInfo).port, hits: () => hits, stop: () => server.close() }
}

export const rivals: AttackGroup = {
  name: 'rivals',
  about: 'what advisories say was done to comparable programs, on the default configuration',
  async run({ log }) {
    const folder = temporaryFolder()
    const canary = await startCanary()
    const wharf = await startWharf(folder.path)
    try {
      const owner = await ownerOf(wharf)
      const reader = await tokenOf(wharf, owner, ['app:read'])
      const { API_KEY: gatewayKey } = JSON.parse(readFileSync(path.join(folder.path, 'secrets.json'), 'utf8'))
      const known: Record<string, string> = JSON.parse(
        readFileSync(path.join(folder.path, 'addresses.json'), 'utf8'),
      ).addresses
      const addresses = Object.fromEntries(
        Object.entries(known).map(([name, address]) => [name, new URL(address).origin]),
      )
      const listed = await fetch(`${wharf.origin}/api/v1/models`, {
        headers: { authorization: `Bearer ${gatewayKey}` },
      })
      const { data } = (await listed.json()) as { readonly data: readonly { readonly id: string }[] }
      const target = {
        wharf,
        owner,
        reader,
        gatewayKey,
        model: data.find(({ id }) => /claude.*(opus|sonnet|haiku)/.test(id))?.id ?? '',
        addresses,
        cookies: await cookiesOf(wharf, addresses),
        canary,
      }
      const outcomes: AttackOutcome[] = []
      for (const [attack, carryOut] of attacks) {
        const begun = performance.now()
        const detail = await carryOut(target).catch((cause) => `it broke: ${cause}`)
        log(`${attack}: ${Math.round(performance.now() - begun)} ms`)
        outcomes.push({ attack, ...(detail === undefined ? { fate: 'stopped' } : { fate: 'hole', detail }) })
      }
      return outcomes
    } finally {
      await wharf.stop()
      canary.stop()
      folder.remove()
    }
  },
}
