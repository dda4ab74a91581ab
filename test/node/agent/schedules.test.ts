/** Prompts that begin by themselves: at their time, over restarts, and never for a time that went by. */
import { rm } from 'node:fs/promises'
import { afterEach, describe, test } from 'vitest'
import { scheduleAheadMsMax, scheduleGraceMs, schedulesMax } from '../../../local/agent/limits.ts'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'

const startMs = 1_790_000_000_000
const minuteMs = 60_000
const soon = { timeout: 20_000 }
let nowMs = startMs
let server: TestServer

async function start(): Promise<void> {
  nowMs = startMs
  server = await startTestServer({
    clock: { nowMs: () => nowMs },
    scheduleLookMs: 10,
    logger: { error: () => undefined },
  })
  server.model.otherwise({ text: ['Done.'] })
}

afterEach(() => server.close())

const add = (body: Record<string, unknown>) => server.send('POST', '/api/schedule', body)
const list = async () => (await server.send('GET', '/api/schedule')).body.data
const prompts = () => server.model.asked.map(({ messages }) => JSON.stringify(messages.at(-1)))

describe('a scheduled prompt', { timeout: 60_000 }, () => {
  test('begins a session at its time, and is over', async ({ expect }) => {
    await start()
    const told = server.events('/api/event', (seen) => seen.some(({ data }) => data.type === 'schedule.changed'))
    const added = await add({ text: 'Run the tests', at: startMs + minuteMs, agent: 'plan' })
    expect(added.status).toBe(200)
    expect((await told).at(-1)?.data.data.scheduleID).toBe(added.body.data.id)
    expect(prompts()).toEqual([])

    nowMs += minuteMs
    await expect.poll(prompts, soon).toHaveLength(1)
    expect(prompts()[0]).toContain('Run the tests')
    const [over] = await list()
    expect(over).toMatchObject({ missed: 0, last: { sessionID: expect.stringMatching(/^ses_/) } })
    expect(over.next).toBeUndefined()
    expect((await server.send('GET', `/api/session/${over.last.sessionID}`)).body.data.agent).toBe('plan')
  })

  test('goes to its session again and again, after what runs there', async ({ expect }) => {
    await start()
    const session = await server.createSession()
    await add({ text: 'Look again', sessionID: session, everyMinutes: 5 })
    nowMs += 5 * minuteMs
    await expect.poll(prompts, soon).toHaveLength(1)
    await server.wait(session)
    nowMs += 5 * minuteMs
    await expect.poll(prompts, soon).toHaveLength(2)
    await server.wait(session)
    expect((await server.messages(session)).filter(({ type }) => type === 'user')).toHaveLength(2)
    expect((await list())[0]).toMatchObject({ next: startMs + 15 * minuteMs, everyMinutes: 5 })
  })

  test('is kept over a restart; what went by meanwhile is told and not made up for', async ({ expect }) => {
    await start()
    await add({ text: 'Once', at: startMs + minuteMs })
    await add({ text: 'Often', everyMinutes: 10 })
    await add({ text: 'Later', at: startMs + 50 * minuteMs })
    await server.suspend()
    nowMs += 26 * minuteMs
    await server.restart()
    await expect
      .poll(list, soon)
      .toMatchObject([
        { text: 'Once', missed: 1 },
        { text: 'Often', missed: 2, next: startMs + 30 * minuteMs },
        { missed: 0 },
      ])
    nowMs = startMs + 50 * minuteMs + scheduleGraceMs
    await expect.poll(() => prompts().length, soon).toBe(2)
    expect(prompts().join()).toContain('Later')
    expect(prompts().join()).not.toContain('Once')
  })

  test('whose folder or agent is gone says why it did not begin', async ({ expect }) => {
    await start()
    await server.write('part/file', '')
    const part = encodeURIComponent(`${server.project}/part`)
    await server.send('POST', `/api/schedule?directory=${part}`, { text: 'Look', at: startMs + minuteMs })
    await add({ text: 'Look', agent: 'nobody', at: startMs + minuteMs })
    await rm(`${server.project}/part`, { recursive: true })
    nowMs += minuteMs
    await expect
      .poll(list, soon)
      .toMatchObject([
        { last: { problem: 'The directory does not exist', code: 'invalid_request' } },
        { last: { problem: expect.any(String), code: 'invalid_request' } },
      ])
    expect(prompts()).toEqual([])
  })

  test('is removed once', async ({ expect }) => {
    await start()
    const { id } = (await add({ text: 'x', everyMinutes: 5 })).body.data
    expect((await server.send('DELETE', `/api/schedule/${id}`)).status).toBe(204)
    expect((await server.send('DELETE', `/api/schedule/${id}`)).status).toBe(404)
    nowMs += 5 * minuteMs
    expect(await list()).toEqual([])
  })

  test.for([
    [{ text: 'x' }, 400],
    [{ text: 'x', at: startMs }, 400],
    [{ text: 'x', at: startMs + scheduleAheadMsMax }, 200],
    [{ text: 'x', at: startMs + scheduleAheadMsMax + 1 }, 400],
    [{ text: 'x', everyMinutes: 5 }, 200],
    [{ text: 'x', everyMinutes: 4 }, 400],
    [{ text: '', everyMinutes: 5 }, 400],
    [{ text: 'x', everyMinutes: 5, sessionID: 'ses_none' }, 404],
  ] as const)('%j is answered with %i', async ([body, status], { expect }) => {
    await start()
    expect((await add(body)).status).toBe(status)
  })

  test(`is one of at most ${schedulesMax}`, async ({ expect }) => {
    await start()
    for (let count = 0; count < schedulesMax; count += 1) await add({ text: 'x', everyMinutes: 5 })
    expect((await add({ text: 'x', everyMinutes: 5 })).body.error.code).toBe('conflict')
    expect(await list()).toHaveLength(schedulesMax)
  })
})
