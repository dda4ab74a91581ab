// The least a gateway on Node can do, with no word of a request read: whole requests and whole answers through the pool
// the gateway uses, or with `agent` everything piped through the runtime's own client with kept connections.
import { Agent, createServer, type RequestListener, request } from 'node:http'
import { providerPool } from '../../local/gateway/outgoing-pool.ts'

const [, , providerUrl = '', way = 'pool'] = process.argv
const { hostname, port } = new URL(providerUrl)
const agent = new Agent({ keepAlive: true })
const pool = providerPool(1_000)

const pipes: RequestListener = (incoming, outgoing) => {
  const { method, url: path, headers } = incoming
  const asked = request({ agent, hostname, port, method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  incoming.pipe(asked)
}

const passesWhole: RequestListener = (incoming, outgoing) => {
  const pieces: Buffer[] = []
  incoming.on('data', (piece: Buffer) => pieces.push(piece))
  incoming.on('end', async () => {
    const [only] = pieces
    const answer = await pool.outgoing({
      method: 'POST',
      url: providerUrl + incoming.url,
      headers: { 'content-type': 'application/json' },
      body: pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces),
      signal: new AbortController().signal,
    })
    const answered: Uint8Array[] = []
    for await (const piece of answer.body) answered.push(piece)
    const body = Buffer.concat(answered)
    outgoing.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
  })
}

const server = createServer(way === 'agent' ? pipes : passesWhole)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.stdout.write(`http://127.0.0.1:${address.port}\n`)
})
