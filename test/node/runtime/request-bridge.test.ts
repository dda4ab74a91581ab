/** What leaves the bridge is what the script answered, byte for byte. */
import { createServer } from 'node:http'
import { describe, test } from 'vitest'
import { writeAnswer } from '../../../local/runtime/request-bridge.ts'
import { endServer, listenOnLoopback } from '../../support/loopback.ts'

const everyByte = (count: number) => Uint8Array.from({ length: count }, (_, at) => at % 256)

async function sent(body: string | Uint8Array<ArrayBuffer>) {
  const server = createServer((incoming, outgoing) => void writeAnswer(incoming, outgoing, new Response(body)))
  const { url } = await listenOnLoopback(server)
  const answer = await fetch(url)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  await endServer(server)
  return { bytes, length: answer.headers.get('content-length') }
}

describe('a body that is there whole', () => {
  test.for([1, 256, 4_096, 4_097, 70_000])('of %i bytes of every value arrives as it is', async (count, { expect }) => {
    const { bytes, length } = await sent(everyByte(count))
    expect(Buffer.compare(bytes, everyByte(count))).toBe(0)
    expect(length).toBe(String(count))
  })

  test('of text beyond ASCII arrives as UTF-8', async ({ expect }) => {
    const { bytes, length } = await sent('{"错误":"站点离线 — é"}')
    expect(new TextDecoder().decode(bytes)).toBe('{"错误":"站点离线 — é"}')
    expect(length).toBe(String(bytes.byteLength))
  })
})
