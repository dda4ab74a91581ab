import { once } from 'node:events'
import net from 'node:net'
import { describe, type TestContext, test } from 'vitest'
import { type ClientConnections, takeClients } from '../../../local/workerd/client-connections.ts'
import { unwrap } from '../../support/unwrap.ts'

type Cleanup = TestContext['onTestFinished']

/** What the runtime is to this: a server that gets the carried connections. */
async function standInRuntime(onTestFinished: Cleanup, serve: (socket: net.Socket) => void = () => {}) {
  const sockets: net.Socket[] = []
  const ends: string[] = []
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket)
    socket.on('end', () => ends.push('closed'))
    socket.on('error', (error: NodeJS.ErrnoException) => ends.push(error.code ?? error.message))
    serve(socket)
    socket.resume()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((closed) => server.close(closed))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { port: address.port, sockets, ends }
}

async function clientsOf(onTestFinished: Cleanup, connectionsMax?: number): Promise<ClientConnections> {
  const taken = unwrap(await takeClients(0, connectionsMax))
  onTestFinished(() => taken.close())
  return taken
}

function connect(port: number): net.Socket & { readonly outcome: Promise<string> } {
  const socket = net.connect({ port, host: '127.0.0.1' })
  const outcome = new Promise<string>((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    socket.once('close', () => resolve('closed'))
  })
  return Object.assign(socket, { outcome })
}

describe('connections of clients', () => {
  test.for([
    ['closes its connection', (socket: net.Socket) => socket.destroy()],
    ['closes its side of it only', (socket: net.Socket) => socket.end()],
    ['resets it', (socket: net.Socket) => socket.resetAndDestroy()],
  ] as const)('are reset towards the runtime when the client %s', async ([, leave], { expect, onTestFinished }) => {
    const runtime = await standInRuntime(onTestFinished)
    const clients = await clientsOf(onTestFinished)
    clients.leadTo(() => runtime.port)
    const client = connect(clients.port)
    client.write('a request')
    await expect.poll(() => runtime.sockets[0]?.bytesRead).toBe(9)
    leave(client)

    await expect.poll(() => runtime.ends).toEqual(['ECONNRESET'])
  })

  test('carry every byte both ways, however slowly it is read', async ({ expect, onTestFinished }) => {
    const sent = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251))
    const runtime = await standInRuntime(onTestFinished, (socket) => socket.pipe(socket))
    const clients = await clientsOf(onTestFinished)
    clients.leadTo(() => runtime.port)
    const client = connect(clients.port)
    const pieces: Buffer[] = []
    client.write(sent)
    let bytes = 0
    for await (const piece of client) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes === sent.length) break
    }

    expect(Buffer.concat(pieces).equals(sent)).toBe(true)
  })

  test('wait for the runtime when they come before it', async ({ expect, onTestFinished }) => {
    const runtime = await standInRuntime(onTestFinished, (socket) => socket.end('an answer'))
    const clients = await clientsOf(onTestFinished)
    const client = connect(clients.port)
    await once(client, 'connect')
    clients.leadTo(() => runtime.port)
    const [answer] = await once(client, 'data')

    expect(String(answer)).toBe('an answer')
    expect(await client.outcome).toBe('closed')
  })

  test('end when the runtime dies in mid-answer, and are reset when it is not there', async ({
    expect,
    onTestFinished,
  }) => {
    const runtime = await standInRuntime(onTestFinished, (socket) =>
      socket.write('half an', () => socket.resetAndDestroy()),
    )
    const clients = await clientsOf(onTestFinished)
    clients.leadTo(() => runtime.port)
    const cut = connect(clients.port)
    cut.resume()
    const away = await clientsOf(onTestFinished)
    // Nothing listens where a listener was.
    const gone = await clientsOf(onTestFinished)
    await gone.close()
    away.leadTo(() => gone.port)

    expect(await cut.outcome).toMatch(/closed|ECONNRESET/)
    expect(await connect(away.port).outcome).toBe('ECONNRESET')
  })

  test('bring the answer to a client that still sends when the runtime has closed its side', async ({
    expect,
    onTestFinished,
  }) => {
    const runtime = await standInRuntime(onTestFinished, (socket) => socket.once('data', () => socket.end('too large')))
    const clients = await clientsOf(onTestFinished)
    clients.leadTo(() => runtime.port)
    const client = connect(clients.port)
    let answer = ''
    client.on('data', (bytes) => {
      answer += String(bytes)
    })
    const piece = Buffer.alloc(64 * 1024)
    const sending = setInterval(() => client.write(piece), 1)
    onTestFinished(() => clearInterval(sending))

    await expect.poll(() => answer).toBe('too large')
  })

  test('are as many as the bound says, and one more when one has gone', async ({ expect, onTestFinished }) => {
    const runtime = await standInRuntime(onTestFinished, (socket) => socket.write('x'))
    const clients = await clientsOf(onTestFinished, 2)
    clients.leadTo(() => runtime.port)
    const [first, second] = [connect(clients.port), connect(clients.port)]
    await Promise.all([once(first, 'data'), once(second, 'data')])
    const third = connect(clients.port)
    third.resume()
    expect(await third.outcome).toMatch(/closed|ECONNRESET/)
    expect(runtime.sockets).toHaveLength(2)
    first.destroy()

    await expect
      .poll(async () => {
        const next = connect(clients.port)
        const isServed = await Promise.race([
          once(next, 'data').then(
            () => true,
            () => false,
          ),
          next.outcome.then(() => false),
        ])
        next.destroy()
        return isServed
      })
      .toBe(true)
  })

  test('end with the host, also those that still wait', async ({ expect, onTestFinished }) => {
    const runtime = await standInRuntime(onTestFinished)
    const [leading, waiting] = [await clientsOf(onTestFinished), await clientsOf(onTestFinished)]
    leading.leadTo(() => runtime.port)
    const sockets = [connect(leading.port), connect(waiting.port)]
    for (const socket of sockets) socket.resume()
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    await expect.poll(() => runtime.sockets).toHaveLength(1)
    await Promise.all([leading.close(), waiting.close()])

    for (const socket of sockets) expect(await socket.outcome).toMatch(/closed|ECONNRESET/)
    await expect.poll(() => runtime.ends).toEqual(['ECONNRESET'])
  })

  test('are not taken on a port that somebody has', async ({ expect, onTestFinished }) => {
    const clients = await clientsOf(onTestFinished)

    expect(await takeClients(clients.port)).toEqual({ ok: false, failure: 'busy' })
  })
})
