/** A prompt that waits is taken back: it never runs, whatever happens next, or the caller is told that it was taken in. */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as nextPass } from 'node:timers/promises'
import { afterAll, beforeEach, test } from 'vitest'
import { AgentClient } from '../../../local/agent/client/agent-client.ts'
import { promptTurn } from '../../../local/agent/client/prompt-turn.ts'
import { inboxPerSessionMax, waitingTextCharactersMax } from '../../../local/agent/limits.ts'
import { killAgentProgram, startAgentProgram } from '../../support/agent-program.ts'
import { startTestServer } from '../../support/agent-server.ts'
import { gate, startFakeModel } from '../../support/fake-model.ts'
import { listenOnLoopback } from '../../support/loopback.ts'

const server = await startTestServer()

beforeEach(() => server.model.otherwise({ text: ['ok'] }))

afterAll(() => server.close())

const withdraw = (session: string, id: string) => server.send('DELETE', `/api/session/${session}/prompt/${id}`)
const waiting = async (session: string) => (await server.send('GET', `/api/session/${session}/prompt`)).body.data

async function said(session: string): Promise<string[]> {
  return (await server.messages(session)).flatMap((one) => (one.type === 'user' ? [one.text] : []))
}

async function history(session: string): Promise<{ type: string; data: { messageID?: string } }[]> {
  return (await server.send('GET', `/api/session/${session}/history`)).body.data
}

async function holdTurn(text: string) {
  const hold = gate()
  const asked = server.model.asked.length
  server.model.script({ text: ['first'], hold: hold.wait })
  const session = await server.createSession()
  await server.prompt(session, text)
  await server.model.arrived(asked + 1)
  return { session, hold }
}

test.for(['queue', 'steer'] as const)(
  'one that waits as %s is listed, withdrawn, and never taken in',
  async (delivery, { expect }) => {
    const { session, hold } = await holdTurn('Begun')
    const asked = server.model.asked.length
    const long = 'y'.repeat(waitingTextCharactersMax + 1)
    const gone = (await server.prompt(session, 'Not this', { id: 'msg_gone', delivery })).body.data
    const kept = (await server.prompt(session, long, { delivery: 'queue' })).body.data
    expect(await waiting(session)).toEqual([
      {
        id: 'msg_gone',
        text: 'Not this',
        delivery,
        files: 0,
        admittedSeq: gone.admittedSeq,
        timeCreated: gone.timeCreated,
      },
      expect.objectContaining({ id: kept.id, text: long.slice(1) }),
    ])

    expect(await withdraw(session, 'msg_gone')).toMatchObject({ status: 200, body: { data: gone } })
    expect((await waiting(session)).map(({ id }: { id: string }) => id)).toEqual([kept.id])
    hold.open()
    await server.wait(session)

    expect(await said(session)).toEqual(['Begun', long])
    // A steer that is gone is no reason for another step.
    expect(server.model.asked).toHaveLength(asked + 1)
    const told = (await history(session)).filter(({ data }) => data.messageID === 'msg_gone')
    expect(told.map(({ type }) => type)).toEqual(['session.next.prompt.admitted', 'session.next.prompt.withdrawn'])
    // Again it is the same answer and no second event, and nothing with its id is taken any more.
    expect((await withdraw(session, 'msg_gone')).body).toEqual({ data: gone })
    expect(await server.prompt(session, 'Not this', { id: 'msg_gone', delivery })).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', message: 'The prompt was withdrawn' }, resource: 'msg_gone' },
    })
    expect((await history(session)).filter(({ data }) => data.messageID === 'msg_gone')).toHaveLength(2)
  },
)

test('what cannot be withdrawn is refused, and nothing is written', async ({ expect }) => {
  const session = await server.firstTurn('Done', { id: 'msg_done' })
  const answer = (await server.messages(session)).at(-1)?.id ?? ''
  const before = await history(session)
  const missing = { status: 404, body: { error: { code: 'not_found' } } }
  const refused: readonly [string, string, object][] = [
    ['DELETE', `${session}/prompt/msg_none`, { ...missing, body: { _tag: 'MessageNotFoundError' } }],
    ['DELETE', `${session}/prompt/${answer}`, { ...missing, body: { _tag: 'MessageNotFoundError' } }],
    ['DELETE', 'ses_none/prompt/msg_done', { ...missing, body: { _tag: 'SessionNotFoundError' } }],
    ['GET', 'ses_none/prompt', { ...missing, body: { _tag: 'SessionNotFoundError' } }],
    ['DELETE', `${session}/prompt/x`, { status: 400, body: { error: { code: 'invalid_request' } } }],
    ['PUT', `${session}/prompt/msg_done`, { status: 405 }],
    [
      'DELETE',
      `${session}/prompt/msg_done`,
      {
        status: 409,
        body: { error: { code: 'conflict', message: 'The prompt was taken in' }, resource: 'msg_done' },
      },
    ],
  ]
  for (const [method, target, answered] of refused)
    expect(await server.send(method, `/api/session/${target}`), target).toMatchObject(answered)
  expect(await history(session)).toEqual(before)
})

test('a full inbox has room again for as many as were withdrawn', async ({ expect }) => {
  const session = await server.createSession()
  const ids: string[] = []
  for (let index = 0; index < inboxPerSessionMax; index += 1)
    ids.push((await server.prompt(session, 'x', { resume: false })).body.data.id)
  expect((await server.prompt(session, 'x', { resume: false })).status).toBe(409)
  expect((await withdraw(session, ids[5] ?? '')).status).toBe(200)
  expect((await server.prompt(session, 'x', { resume: false })).status).toBe(200)
  expect((await server.prompt(session, 'x', { resume: false })).status).toBe(409)
  expect(await waiting(session)).toHaveLength(inboxPerSessionMax)
})

test('a steer that goes while the step it is the reason for is prepared leaves the turn ended', async ({ expect }) => {
  const { session, hold } = await holdTurn('Begun')
  const asked = server.model.asked.length
  // Whoever prepares a step waits for a tool server that is held.
  const answer = gate()
  const slow = createServer(async (_request, response) => {
    await answer.wait()
    response.writeHead(404).end()
  })
  const { url } = await listenOnLoopback(slow)
  const config = path.join(path.dirname(server.project), 'config', 'svc.json')
  const settings = JSON.parse(await readFile(config, 'utf8'))
  await writeFile(config, JSON.stringify({ ...settings, mcp: { slow: { type: 'remote', url } } }))
  const servers = async () => (await server.send('GET', '/api/mcp')).body.data
  await expect.poll(servers, { timeout: 10_000 }).toMatchObject([{ name: 'slow', status: 'starting' }])
  await server.prompt(session, 'Then this', { id: 'msg_then' })
  hold.open()
  await server.events(`/api/session/${session}/event`, (seen) =>
    seen.some(({ data }) => data.type === 'session.next.step.ended'),
  )
  expect((await withdraw(session, 'msg_then')).status).toBe(200)
  answer.open()
  await server.wait(session)
  expect(await said(session)).toEqual(['Begun'])
  expect(server.model.asked).toHaveLength(asked)
  await writeFile(config, JSON.stringify(settings))
  slow.close()
})

test('beside the start of its turn it is either withdrawn and never runs, or a conflict and runs', async ({
  expect,
}) => {
  const outcomes = new Set<number>()
  for (let round = 0; round < 60; round += 1) {
    const session = await server.createSession()
    const id = `msg_race${round}`
    let isAnswered = false
    const sent = server.prompt(session, 'Race', { id }).finally(() => {
      isAnswered = true
    })
    let status = 404
    const asked = []
    for (let passes = round % 12; passes > 0; passes -= 1) await nextPass()
    // Between its two transactions are few passes of the loop: one of those that ask in each of them comes first.
    while (!isAnswered && status === 404 && asked.length < 40) {
      asked.push(
        withdraw(session, id).then((answer) => {
          if (status === 404) status = answer.status
        }),
      )
      await nextPass()
    }
    await Promise.all([sent, ...asked])
    if (status === 404) status = (await withdraw(session, id)).status
    await server.wait(session)
    const types = (await history(session)).filter(({ data }) => data.messageID === id).map(({ type }) => type)
    const end = status === 200 ? 'session.next.prompt.withdrawn' : 'session.next.prompted'
    expect([200, 409]).toContain(status)
    expect(types, `answered ${status}`).toEqual(['session.next.prompt.admitted', end])
    expect(await said(session)).toEqual(status === 200 ? [] : ['Race'])
    outcomes.add(status)
  }
  // A turn takes its prompt in a pass of the loop later: both happen.
  expect([...outcomes].sort()).toEqual([200, 409])
})

test('whoever waits for the answer of a prompt is told that another withdrew it', async ({ expect }) => {
  const { session, hold } = await holdTurn('Begun')
  const client = new AgentClient(server.address, fetch)
  const listener = { stored: () => undefined, asked: () => undefined }
  const ask = (text: string) =>
    promptTurn(
      client,
      { id: session, location: { directory: server.project } },
      { prompt: { text } },
      listener,
      new AbortController().signal,
    )
  const gone = { ok: false, failure: { code: 'withdrawn', message: 'The prompt was withdrawn' } }
  const whileBusy = ask('Not this')
  await expect.poll(() => waiting(session), { timeout: 10_000 }).toHaveLength(1)
  await withdraw(session, (await waiting(session))[0].id)
  expect(await whileBusy).toEqual(gone)
  hold.open()
  await server.wait(session)
  expect(await ask('And this')).toMatchObject({ ok: true, value: { content: [{ text: 'ok' }] } })
})

test('the server is killed right after the answer: it does not run after the start, and what waits beside it does', async ({
  expect,
}) => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-withdraw-')))
  const model = await startFakeModel()
  const config = path.join(folder, 'config', 'svc')
  await mkdir(path.join(folder, 'project'))
  await mkdir(config, { recursive: true })
  const provider = { fake: { baseURL: model.url, models: { one: {} } } }
  await writeFile(path.join(config, 'svc.json'), JSON.stringify({ model: 'fake/one', provider }))
  const hold = gate()
  model.script({ text: ['never'], hold: hold.wait })
  let program = await startAgentProgram(folder)
  const ask = async (method: string, target: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const sent = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
    const answer = await fetch(`${program.address}/api/session${target}`, sent)
    const text = await answer.text()
    return { status: answer.status, data: text === '' ? undefined : JSON.parse(text).data }
  }
  try {
    const { id: session } = (await ask('POST', '', {})).data
    await ask('POST', `/${session}/prompt`, { prompt: { text: 'Begun' } })
    await model.arrived(1)
    for (const [id, delivery] of [
      ['msg_a', 'queue'],
      ['msg_b', 'steer'],
      ['msg_c', 'queue'],
    ])
      await ask('POST', `/${session}/prompt`, { id, prompt: { text: id }, delivery })
    expect((await ask('DELETE', `/${session}/prompt/msg_a`)).status).toBe(200)
    expect((await ask('DELETE', `/${session}/prompt/msg_b`)).status).toBe(200)
    await killAgentProgram(program)
    model.otherwise({ text: ['ok'] })
    program = await startAgentProgram(folder)
    await ask('POST', `/${session}/wait`, {})
    const messages: { type: string; text?: string }[] = (await ask('GET', `/${session}/message?order=asc`)).data
    expect(messages.flatMap(({ type, text }) => (type === 'user' ? [text] : []))).toEqual(['Begun', 'msg_c'])
    expect((await ask('GET', `/${session}/prompt`)).data).toEqual([])
  } finally {
    hold.open()
    await killAgentProgram(program)
    await model.close()
    await rm(folder, { recursive: true, force: true })
  }
}, 60_000)
