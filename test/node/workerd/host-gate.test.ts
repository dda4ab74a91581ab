import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type HostProcess, processesBelow, startProbe, startServe } from '../../support/process-host.ts'

/** Sends bytes as they are; answers with the status line, or with nothing when the connection just closes. */
function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1')
    let received = ''
    socket.setTimeout(5_000, () => socket.destroy(new Error(`no answer to ${JSON.stringify(text)}`)))
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
    serve = startServe(['--workers', '--data', path.join(folder, 'serve'), '--port', '0'])
    port = Number(new URL(await host.ready()).port)
    servePort = Number(new URL(await serve.ready()).port)
  })

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
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const target = server.address()
    if (target === null || typeof target === 'string') throw new Error('no port')
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
