/** Sessions are found by words that were said in them, newest change first, as far as one request looks back. */
import path from 'node:path'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { openSqlite } from '../../../local/agent/adapters/node-sqlite.ts'
import {
  databaseBusyMs,
  databaseBytesMax,
  saidMessagesAtOnce,
  saidTextMax,
  sqliteVersionMin,
  walBytesMax,
} from '../../../local/agent/limits.ts'
import { searchSaidIn } from '../../../local/agent/runtime/said-search.ts'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'
import { gate } from '../../support/fake-model.ts'
import { fillLongSession, longSessionTurns } from '../../support/long-session.ts'
import { temporaryFolder } from '../../support/running-wharf.ts'

let server: TestServer

beforeEach(async () => {
  server = await startTestServer()
})

afterEach(() => server.close())

async function talk(prompt: string, answer: string): Promise<string> {
  const session = await server.createSession()
  server.model.script({ text: [answer] })
  await server.turn(session, prompt)
  return session
}

const search = (text: string, cursor = '') =>
  server.send('GET', `/api/session/said?${new URLSearchParams({ text, ...(cursor === '' ? {} : { cursor }) })}`)

async function found(text: string) {
  const { body } = await search(text)
  return body.data.map(
    ({ session, by, excerpt, at }: { session: { id: string }; by: string; excerpt: string; at: number }) => [
      session.id,
      by,
      excerpt.slice(at),
    ],
  )
}

describe('words that were said', () => {
  test('are found in prompts and answers, in capitals or not, of the newest change first', async ({ expect }) => {
    const first = await talk('Why does the Lease expire?', 'Clock skew.')
    const second = await talk('Go on', 'The LEASE is kept by one worker.\nIt says "tick \\ tock" 中文租约。')
    await talk('Something else', 'Nothing of it')

    expect(await found('lease')).toEqual([
      [second, 'assistant', 'LEASE is kept by one worker. It says "tick \\ tock" 中文租约。'],
      [first, 'user', 'Lease expire?'],
    ])
    for (const words of ['"tick \\ tock"', '文租约', 'ONE worker'])
      expect((await found(words)).map(([id]: string[]) => id)).toEqual([second])
    expect(await found('leases')).toEqual([])
    expect((await search('lease')).body).toMatchObject({ searchedBackTo: null, cursor: { next: null } })
  })

  test('are found beyond ASCII in capitals, and while they are being said', async ({ expect }) => {
    const known = await talk('Größe ÄNDERN', 'да, Привет')
    expect((await found('größe ändern')).map(([id]: string[]) => id)).toEqual([known])
    expect((await found('привет')).map(([id]: string[]) => id)).toEqual([known])

    const open = gate()
    const session = await server.createSession()
    server.model.script({ text: ['half of an ', 'answer'], hold: open.wait })
    await server.prompt(session, 'Go')
    await expect.poll(() => found('half of an'), { timeout: 10_000 }).toHaveLength(1)
    open.open()
    await server.wait(session)
  })

  test('are not what tools were given and gave, nor the form in which messages are kept', async ({ expect }) => {
    const session = await server.createSession()
    server.model.script({ calls: [{ id: 'c1', name: 'glob', input: { pattern: 'peculiar*' } }] }, { text: ['done'] })
    await server.turn(session, 'Look')
    for (const words of ['peculiar', 'assistant', '"type"', 'created']) expect(await found(words)).toEqual([])
  })

  test('are refused where there are none, too many, or the cursor is another search’s', async ({ expect }) => {
    expect((await search('')).status).toBe(400)
    expect((await search('x'.repeat(saidTextMax + 1))).status).toBe(400)
    expect((await search('x'.repeat(saidTextMax))).status).toBe(200)
    expect((await search('x', 'bm9uZQ')).status).toBe(400)
  })
})

test('a search goes on where its bound was, within a session and between them, and says how far it came', {
  tags: 'slow',
}, async ({ expect }) => {
  const { path: folder, remove } = temporaryFolder()
  const file = path.join(folder, 'agent.db')
  const sessions = [fillLongSession(file, folder), fillLongSession(file, folder)].reverse()
  const sql = openSqlite(file, {
    busyMs: databaseBusyMs,
    bytesMax: databaseBytesMax,
    walBytesMax,
    versionMin: sqliteVersionMin,
  })
  try {
    const messagesMax = saidMessagesAtOnce * 4
    const met: string[] = []
    let requests = 0
    for (let cursor: string | undefined; ; ) {
      const page = await searchSaidIn(sql, { text: 'question 3.', cursor }, { messagesMax, foundMax: 9 })
      if (!page.ok) throw new Error(page.failure.message)
      requests += 1
      met.push(...page.value.matches.map(({ session }) => (JSON.parse(session) as { id: string }).id))
      cursor = page.value.next
      expect(page.value.searchedBackTo === null).toBe(cursor === undefined)
      if (cursor === undefined) break
    }
    expect(met).toEqual([])
    expect(requests).toBeGreaterThanOrEqual(Math.floor((longSessionTurns * 2 * 2) / messagesMax))

    const first = await searchSaidIn(sql, { text: 'Question 499' }, { messagesMax, foundMax: 1 })
    expect(first.ok && first.value.matches.map(({ session }) => JSON.parse(session).id)).toEqual([sessions[0]])
    const cursor = first.ok ? first.value.next : undefined
    const second = await searchSaidIn(sql, { text: 'Question 499', cursor }, { messagesMax, foundMax: 1 })
    expect(second.ok && second.value.matches.map(({ session }) => JSON.parse(session).id)).toEqual([sessions[1]])
    expect(second.ok && second.value.next).toBe(undefined)
  } finally {
    sql.close()
    remove()
  }
})
