/** What a provider would refuse, and with it every later request of the session, is not let into one. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'vitest'
import { bodyDepthMax, imageBytesMax, promptFileBytesMax, promptTextBytesMax } from '../../../local/agent/limits.ts'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'

let server: TestServer
let session: string

beforeEach(async () => {
  server = await startTestServer()
  session = await server.createSession()
  server.model.otherwise({ text: ['seen'] })
})

afterEach(() => server.close())

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])
const send = (prompt: Record<string, unknown>, more = {}) =>
  server.send('POST', `/api/session/${session}/prompt`, { prompt, ...more })
const sent = () => JSON.stringify(server.model.asked.at(-1)?.messages.at(-1)?.content)

test.for([{ text: '' }, { text: ' \n\t ' }, { text: '', files: [], agents: [] }])(
  '%j says nothing, and is refused',
  async (prompt, { expect }) => {
    expect(await send(prompt)).toMatchObject({ status: 400, body: { field: 'prompt.text' } })
    expect((await server.send('GET', `/api/session/${session}/history`)).body.data).toEqual([])
  },
)

test('a file alone is enough, and no empty text goes with it', async ({ expect }) => {
  expect((await send({ text: '', files: [{ uri: 'data:text/plain,only' }] })).status).toBe(200)
  await server.wait(session)
  expect(sent()).toContain('only')
  expect(server.model.asked.at(-1)?.messages.at(-1)?.content).not.toContainEqual({ type: 'text', text: '' })
})

test('a text may be as long as it may, and not one byte longer', async ({ expect }) => {
  const text = `${'x'.repeat(promptTextBytesMax - 4)}😀`
  expect(await send({ text: `${text}y` })).toMatchObject({ status: 400, body: { field: 'prompt.text' } })
  expect((await send({ text })).status).toBe(200)
  await server.wait(session)
  expect(sent()).toContain('xx😀')
})

test('a file may be as large as it may, and not one byte larger', async ({ expect }) => {
  const file = path.join(server.project, 'large.txt')
  await writeFile(file, Buffer.alloc(promptFileBytesMax, 'x'))
  const files = [{ uri: `file://${file}` }]
  expect((await send({ text: 'x', files }, { resume: false })).status).toBe(200)
  await writeFile(file, Buffer.alloc(promptFileBytesMax + 1, 'x'))
  expect(await send({ text: 'x', files }, { resume: false })).toMatchObject({
    status: 400,
    body: { error: { message: 'A file is too large' } },
  })
})

test('a body may be nested as deeply as it may, and not one level deeper', async ({ expect }) => {
  const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
  const deep = (depth: number) => server.send('POST', `/api/session/${session}/agent`, { agent: nested(depth - 1) })
  expect((await deep(bodyDepthMax)).text).toContain('agent: Invalid input')
  expect((await deep(bodyDepthMax + 1)).text).toContain('nested too deeply')
})

test('an image that is none, or too large for providers, is named instead of shown', async ({ expect }) => {
  const write = async (name: string, bytes: Buffer) => {
    await writeFile(path.join(server.project, name), bytes)
    return { uri: `file://${server.project}/${name}` }
  }
  const large = (size: number) => Buffer.concat([png, Buffer.alloc(size - png.length)])
  const files = [
    await write('no.png', Buffer.from('GIF or not')),
    await write('fits.png', large(imageBytesMax)),
    await write('over.png', large(imageBytesMax + 1)),
  ]
  await server.restart({ places: { userFolder: '/nowhere', extraFile: undefined, inline: seeing() } })
  expect((await send({ text: 'Look', files })).status).toBe(200)
  await server.wait(session)

  const content = server.model.asked.at(-1)?.messages.at(-1)?.content as { type: string; text?: string }[]
  expect(content.map(({ type, text }) => text ?? type)).toEqual([
    expect.stringContaining('not a PNG'),
    'image_url',
    expect.stringContaining('too large to show'),
    'Look',
  ])
})

function seeing(): string {
  const models = { one: { input: ['text', 'image'] } }
  return JSON.stringify({ model: 'fake/one', provider: { fake: { baseURL: server.model.url, models } } })
}

test('half a character and control characters spoil neither request nor title', async ({ expect }) => {
  expect((await send({ text: 'a\ud800b\u0000\u001b[31m c 😀\nmore' })).status).toBe(200)
  await server.wait(session)

  expect(sent()).toContain('a\ufffdb')
  const record = (await server.send('GET', `/api/session/${session}`)).body.data
  expect(record.title).toBe('a\ufffdb [31m c 😀')

  const other = await server.firstTurn('😀'.repeat(200))
  expect((await server.send('GET', `/api/session/${other}`)).body.data.title).toBe(`${'😀'.repeat(79)}…`)
})
