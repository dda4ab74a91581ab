import http from 'node:http'
import { describe, test } from 'vitest'
import { generateLoad, median, processorMs, residentMebibytes } from '../../bench/load.ts'
import { listenOnLoopback } from '../../support/loopback.ts'

describe('the load generator', () => {
  test('keeps its connections, and counts every answer by status with its bytes', async ({
    expect,
    onTestFinished,
  }) => {
    const sockets = new Set<unknown>()
    let served = 0
    const server = http.createServer((request, response) => {
      sockets.add(request.socket)
      served += 1
      response.statusCode = served % 2 === 0 ? 503 : 200
      response.end('four')
    })
    const address = await listenOnLoopback(server)
    onTestFinished(() => void server.close())
    const result = await generateLoad({ url: `http://127.0.0.1:${address.port}/`, connections: 4, seconds: 0.2 })
    expect(result.requests).toBe(served)
    expect((result.byStatus['200'] ?? 0) + (result.byStatus['503'] ?? 0)).toBe(served)
    expect(Math.abs((result.byStatus['200'] ?? 0) - (result.byStatus['503'] ?? 0))).toBeLessThanOrEqual(1)
    expect(result.bodyBytes).toBe(4 * served)
    expect(sockets.size).toBe(4)
    expect(result.p50Ms).toBeLessThanOrEqual(result.p99Ms)
    expect(result.p99Ms).toBeLessThanOrEqual(result.maxMs)
  })

  test('counts requests without an answer as status 0', async ({ expect }) => {
    const server = http.createServer((request) => request.socket.destroy())
    const address = await listenOnLoopback(server)
    const result = await generateLoad({ url: `http://127.0.0.1:${address.port}/`, connections: 2, seconds: 0.1 })
    server.close()
    expect(result.byStatus).toEqual({ 0: result.requests })
  })

  test('opens a connection again that the server closes after each answer', async ({ expect, onTestFinished }) => {
    const seen: (string | undefined)[] = []
    const server = http.createServer(async (request, response) => {
      let body = ''
      for await (const piece of request.setEncoding('utf8')) body += piece
      seen.push(`${request.method} ${request.url} ${request.headers['x-own']} ${body}`)
      response.setHeader('connection', 'close')
      response.write('one')
      response.end('two')
    })
    const address = await listenOnLoopback(server)
    onTestFinished(() => void server.close())
    const result = await generateLoad({
      url: `http://127.0.0.1:${address.port}/some?thing=1`,
      connections: 2,
      seconds: 0.2,
      method: 'POST',
      headers: { 'x-own': 'yes' },
      body: 'größer',
    })
    expect(result.byStatus).toEqual({ 200: result.requests })
    expect(result.requests).toBeGreaterThan(2)
    expect(result.bodyBytes).toBe(6 * result.requests)
    expect(new Set(seen)).toEqual(new Set(['POST /some?thing=1 yes größer']))
  })

  test('the middle value is that of the sorted list', ({ expect }) => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([])).toBe(0)
  })

  test('sees the memory of this process', ({ expect }) => {
    const { total, byName } = residentMebibytes(process.pid)
    expect(total).toBeGreaterThan(20)
    expect(Object.values(byName).reduce((sum, one) => sum + one, 0)).toBeCloseTo(total)
  })

  test('counts the processor time of this process', ({ expect }) => {
    const { user, system } = process.cpuUsage()
    expect(processorMs(process.pid)).toBeGreaterThanOrEqual((user + system) / 1_000 - 20)
  })
})
