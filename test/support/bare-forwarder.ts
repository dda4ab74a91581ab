// The least a gateway on Node can do: whole requests and whole answers, through the pool the gateway uses.
import { createServer } from 'node:http'
import { providerPool } from '../../local/gateway/outgoing-pool.ts'

const [, , providerUrl = ''] = process.argv
const pool = providerPool(1_000)

const server = createServer(async (incoming, outgoing) => {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece)
  const answer = await pool.outgoing({
    method: 'POST',
    url: providerUrl + incoming.url,
    headers: { 'content-type': 'application/json' },
    body: Buffer.concat(pieces),
    signal: new AbortController().signal,
  })
  const answered: Uint8Array[] = []
  for await (const piece of answer.body) answered.push(piece)
  const body = Buffer.concat(answered)
  outgoing.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.stdout.write(`http://127.0.0.1:${address.port}\n`)
})
