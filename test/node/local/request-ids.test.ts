/** The agent server and the viewer name each request, or take the name that it has, and tell it with every answer. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { requestIdCharactersMax } from '../../../local/listen/limits.ts'
import { startTestServer } from '../../support/agent-server.ts'
import { rawRequest, sendRaw } from '../../support/raw-http.ts'
import { createProject, serve } from '../../support/viewer-server.ts'

interface Server {
  readonly port: number
  close(): Promise<void>
}

async function startViewer(): Promise<Server> {
  const project = createProject({ 'a.ts': 'export function a() {}\n' })
  await project.sync()
  const { running } = await serve(project.place)
  return {
    port: running.port,
    async close() {
      await running.close()
      project.dispose()
    },
  }
}

describe.each([
  { who: 'the agent server', start: startTestServer, found: '/api/health' },
  { who: 'the viewer', start: startViewer, found: '/api/stats' },
])('$who', ({ start, found }) => {
  let server: Server
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.close())

  /** The ids of the answer. */
  async function ask(path: string, ids: readonly string[], host = `127.0.0.1:${server.port}`): Promise<string[]> {
    const headers = [`Host: ${host}`, ...ids.map((id) => `X-Request-ID: ${id}`)]
    const { text } = await sendRaw(server.port, rawRequest(`GET ${path}`, headers))
    return [...text.matchAll(/^x-request-id: (.*)\r$/gim)].map(([, id = '']) => id)
  }

  test('takes a caller’s own, on answers and refusals', async ({ expect }) => {
    expect(await ask(found, ['call-1'])).toEqual(['call-1'])
    expect(await ask('/api/nowhere', ['call-2'])).toEqual(['call-2'])
    expect(await ask(found, ['call-3'], 'evil.example')).toEqual(['call-3'])
  })

  test('makes one where there is none that it could show, another each time', async ({ expect }) => {
    const made = [await ask(found, []), await ask(found, ['a b']), await ask(found, ['one', 'two'])].flat()
    expect(new Set(made).size).toBe(3)
    for (const id of made) expect(id).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('cuts one that is a character too long', async ({ expect }) => {
    const whole = 'x'.repeat(requestIdCharactersMax)
    expect(await ask(found, [whole])).toEqual([whole])
    expect(await ask(found, [`${whole}x`])).toEqual([`${whole.slice(1)}~`])
  })
})
