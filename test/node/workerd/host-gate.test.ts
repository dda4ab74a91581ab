import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { listenOnLoopback } from '../../support/loopback.ts'
import { type HostProcess, processesBelow, startProbe, startServe } from '../../support/process-host.ts'

/** Sends bytes as they are; answers with the status line, or with nothing when the connection just closes. */
function sendRaw(port: number, text: string, from = '127.0.0.1'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', localAddress: from })
    let received = ''
    socket.setTimeout(30_000, () => socket.destroy(new Error(`no answer to ${JSON.stringify(text)}`)))
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
    })
    socket.on('end', () => resolve(received))
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
    socket.write(Buffer.from(text, 'latin1'))
  })
}

describe('the gate in front of the Worker', () => {
  let folder: string
  let host: HostProcess
  let serve: HostProcess
  let port: number
  let servePort: number

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'wharf-gate-'))
    host = startProbe(path.join(folder, 'probe'), ['nas.example'])
    serve = startServe(['--workers', '--data', path.join(folder, 'serve'), '--port', '0', '--without', 'agent,viewer'])
    port = Number(new URL(await host.ready()).port)
    servePort = Number(new URL(await serve.ready()).port)
  }, 180_000)

  afterAll(async () => {
    for (const process of [host, serve]) {
      process.child.kill('SIGTERM')
      await process.exit
    }
    await rm(folder, { recursive: true })
  })

  const request = (target: string, hostLine: string) => `GET ${target} HTTP/1.1\r\n${hostLine}Connection: close\r\n\r\n`

  test.for([
    ['/', 'Host: 127.0.0.1:PORT\r\n'],
    ['/', 'Host: localhost:PORT\r\n'],
    ['/', 'Host: LocalHost:PORT\r\n'],
    ['/', 'Host: [::1]:PORT\r\n'],
    ['/', 'Host: nas.example\r\n'],
    ['/', 'Host: nas.example:443\r\n'],
  ] as const)('lets %s with %j through to the script', async ([target, hostLine], { expect }) => {
    const answer = await sendRaw(port, request(target, hostLine.replace('PORT', String(port))))
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).toContain(hostLine.slice('Host: '.length).trim().replace('PORT', String(port)))
  })

  test.for([
    ['/', 'Host: evil.example\r\n'],
    ['/', 'Host: evil.example:PORT\r\n'],
    ['/', 'Host: 127.0.0.1:1\r\n'],
    ['/', 'Host: 127.0.0.1\r\n'],
    ['/', 'Host: 127.0.0.1.nip.example:PORT\r\n'],
    ['/', 'Host: 2130706433:PORT\r\n'],
    ['/', 'Host: 0.0.0.0:PORT\r\n'],
    ['/', 'Host: localhost.:PORT\r\n'],
    ['/', 'Host: \r\n'],
    ['/', 'Host: :PORT\r\n'],
    ['/', 'Host: user@127.0.0.1:PORT\r\n'],
    ['/', 'Host: 127.0.0.1:PORT/x\r\n'],
    ['/', 'Host: [\r\n'],
    ['/', 'Host: %\r\n'],
    ['/', 'Host: \u00ff\r\n'],
    ['/', ''],
    ['/', 'Host: 127.0.0.1:PORT\r\nHost: evil.example\r\n'],
    ['/', 'Host: evil.example\r\nHost: 127.0.0.1:PORT\r\n'],
    ['http://127.0.0.1:PORT/', 'Host: evil.example\r\n'],
    ['*', 'Host: 127.0.0.1:PORT\r\n'],
    ['//evil.example/', 'Host: evil.example\r\n'],
  ] as const)('answers %s with %j itself, with a refusal', async ([target, hostLine], { expect }) => {
    const named = (text: string) => text.replaceAll('PORT', String(port))
    const answer = await sendRaw(port, request(named(target), named(hostLine)))
    expect(answer).toMatch(/^HTTP\/1\.1 (400|403) /)
    expect(answer).not.toContain('"url"')
  })

  test('an authority in the request line does not replace the judged Host', async ({ expect }) => {
    const answer = await sendRaw(port, request('http://evil.example/', `Host: 127.0.0.1:${port}\r\n`))
    expect(answer).toContain(`"url":"http://127.0.0.1:${port}/"`)
    expect(answer).not.toContain('evil.example')
  })

  test.for([
    ['a refusal of the gate', '/', 'evil.example', 'mine-1', /^mine-1$/],
    ['a refusal of the gate to one without an id', '/', 'evil.example', undefined, /^[\w-]{8,}$/],
    ['an answer of the script', '/api/app/v1/meta', undefined, 'mine-2', /^mine-2$/],
    ['one with an id that cannot be printed', '/api/app/v1/meta', undefined, 'mi\tne', /^[\w-]{8,}$/],
    ['one with a long id', '/api/app/v1/meta', undefined, 'x'.repeat(129), /^x{127}~$/],
  ] as const)('%s has one id', async ([, target, name, sent, shown], { expect }) => {
    const own = sent === undefined ? '' : `X-Request-Id: ${sent}\r\n`
    const answer = await sendRaw(servePort, request(target, `Host: ${name ?? `127.0.0.1:${servePort}`}\r\n${own}`))
    expect(/^x-request-id: (.*)\r$/im.exec(answer)?.[1]).toMatch(shown)
  })

  test('refuses a foreign Host before any page is served, in the same words everywhere', async ({ expect }) => {
    const bodies = new Set<string>()
    for (const target of ['/', '/index.html', '/api/app/v1/meta', '/cdn-cgi/explorer', '/nowhere']) {
      const answer = await sendRaw(servePort, request(target, 'Host: evil.example\r\n'))
      expect(answer).toMatch(/^HTTP\/1\.1 403 /)
      expect(answer.toLowerCase()).toContain('cache-control: no-store')
      bodies.add(answer.slice(answer.indexOf('\r\n\r\n')))
    }
    expect(bodies.size).toBe(1)
  })

  test('listens on the loopback address only, also where the library has an entry of its own', ({ expect }) => {
    const listening = listenersBelow(serve.pid).map((one) => one.address)
    expect(listening.length).toBeGreaterThanOrEqual(2)
    for (const address of listening) expect(['0100007F', '00000000000000000000000001000000']).toContain(address)
  })

  test('every other listening port of the host refuses requests that name it', async ({ expect }) => {
    const others = listenersBelow(serve.pid)
      .map((one) => one.port)
      .filter((one) => one !== servePort)
    expect(others.length).toBeGreaterThanOrEqual(1)
    for (const other of others) {
      const answer = await sendRaw(other, request('/api/app/v1/meta', `Host: 127.0.0.1:${other}\r\n`))
      expect(answer, `port ${other}`).not.toMatch(/^HTTP\/1\.1 (2|401)/)
    }
  })
})

describe('the gate behind a proxy', () => {
  let folder: string
  let host: HostProcess
  let port: number
  /** Addresses of this machine that stand for the owner's proxy and for anybody else. */
  const proxy = '127.0.0.7'
  const anybody = '127.0.0.1'

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'wharf-proxied-'))
    host = startProbe(folder, [
      'nas.example',
      '--public-url=https://wharf.example',
      `--trusted-proxy=${proxy}`,
      '--trusted-proxy=10.0.0.0/8',
    ])
    port = Number(new URL(await host.ready()).port)
  })

  afterAll(async () => {
    host.child.kill('SIGTERM')
    await host.exit
    await rm(folder, { recursive: true })
  })

  const forged = {
    'CF-Connecting-IP': '192.0.2.66',
    'CF-Connecting-IPv6': '2001:db8::66',
    'CF-Visitor': '{"scheme":"https"}',
    'True-Client-IP': '192.0.2.66',
    'X-Real-IP': '192.0.2.66',
    'X-Client-IP': '192.0.2.66',
    Forwarded: 'for=192.0.2.66;proto=https',
    'X-Forwarded-For': '192.0.2.66',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'evil.example',
    'X-Forwarded-Port': '66',
    'X-Forwarded-Server': 'evil.example',
  }

  async function seen(from: string, headers: Readonly<Record<string, string>>, target = '/path?query=1') {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const answer = await sendRaw(port, `GET ${target} HTTP/1.1\r\n${lines.join('')}Connection: close\r\n\r\n`, from)
    const body = /\{.*\}/s.exec(answer)?.[0]
    if (!answer.startsWith('HTTP/1.1 200 ') || body === undefined) throw new Error(answer)
    const told: { url: string; headers: [string, string][] } = JSON.parse(body)
    return { url: told.url, headers: Object.fromEntries(told.headers) }
  }

  test('takes off whatever anybody says about where it calls from', async ({ expect }) => {
    const { url, headers } = await seen(anybody, { Host: `127.0.0.1:${port}`, ...forged, 'X-Other': 'kept' })

    expect(url).toBe(`http://127.0.0.1:${port}/path?query=1`)
    expect(JSON.stringify(headers)).not.toMatch(/192\.0\.2\.66|db8::66|evil/)
    expect(headers['x-other']).toBe('kept')
  })

  test('hands on the caller that the owner’s proxy names, and nothing that the caller wrote', async ({ expect }) => {
    const chain = '192.0.2.66, 203.0.113.7, 10.0.0.4'
    const { url, headers } = await seen(proxy, { ...forged, Host: 'nas.example', 'X-Forwarded-For': chain })

    expect(url).toBe('https://nas.example/path?query=1')
    expect(headers['cf-connecting-ip']).toBe('203.0.113.7')
    expect(JSON.stringify(headers)).not.toMatch(/192\.0\.2\.66|db8::66|evil/)
  })

  test.for(['http', 'https, http', 'HTTPS', 'ftp', ''])(
    'a scheme of %j is not taken for https',
    async (scheme, { expect }) => {
      const { url } = await seen(proxy, { Host: 'nas.example', 'X-Forwarded-Proto': scheme })
      expect(url).toBe('http://nas.example/path?query=1')
    },
  )

  test('a proxy that names nobody calls for itself', async ({ expect }) => {
    const { headers } = await seen(proxy, { Host: 'nas.example', 'CF-Connecting-IP': '192.0.2.66' })
    expect(headers['cf-connecting-ip']).toBeUndefined()
  })

  test.for([anybody, proxy])(
    'a request to the public name is at the public address (from %s)',
    async (from, { expect }) => {
      for (const name of ['wharf.example', 'wharf.example:443']) {
        const { url } = await seen(from, { Host: name, 'X-Forwarded-Proto': 'http' })
        expect(url).toBe('https://wharf.example/path?query=1')
      }
    },
  )

  test('the public name on another port is refused', async ({ expect }) => {
    const answer = await sendRaw(port, `GET / HTTP/1.1\r\nHost: wharf.example:${port}\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 403 /)
  })

  test('a body and a client that leaves go through as without one', async ({ expect }) => {
    const body = 'x'.repeat(300_000)
    const head = `POST /log HTTP/1.1\r\nHost: wharf.example\r\nX-Forwarded-For: 203.0.113.7\r\n`
    const answer = await sendRaw(
      port,
      `${head}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      proxy,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 204 /)
  })
})

interface Listener {
  readonly address: string
  readonly port: number
}

/** What the host and the processes below it listen on, from the kernel's own tables. */
function listenersBelow(pid: number): Listener[] {
  const inodes = new Set([pid, ...processesBelow(pid)].flatMap(socketInodes))
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === '0A' && inodes.has(fields[9] ?? ''))
      .map((fields) => {
        const [address = '', port = ''] = (fields[1] ?? '').split(':')
        return { address, port: Number.parseInt(port, 16) }
      }),
  )
}

function socketInodes(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((entry) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${entry}`))?.[1] ?? []
    } catch {
      return []
    }
  })
}

describe('the way to public addresses', () => {
  test.for(['127.0.0.1', 'localhost'])('leads to nobody at %s, where the other way does', async (name, { expect }) => {
    await using folder = {
      path: await mkdtemp(path.join(os.tmpdir(), 'wharf-public-')),
      [Symbol.asyncDispose]: () => rm(folder.path, { recursive: true }),
    }
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(204).end()
    })
    const target = await listenOnLoopback(server)
    const host = startProbe(folder.path)
    const url = encodeURIComponent(`http://${name}:${target.port}/image`)
    const answer = await fetch(`${await host.ready()}/public-network?value=${url}`)
    const outcome = await answer.json()
    host.child.kill('SIGTERM')
    await host.exit
    server.close()

    expect(outcome).toEqual({ own: 204, byPublic: 'refused' })
    expect(asked).toEqual(['/image'])
  })
})
