/** What is taken back beside what the owner did in the same files, and single hunks of it. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { changeHunksMax } from '../../../local/agent/limits.ts'
import { startTestServer } from '../../support/agent-server.ts'

const server = await startTestServer()

afterAll(() => server.close())

const lines = (first: string, last: string): string => `${[first, ...'bcdefghijklmnopqrs', last].join('\n')}\n`

const file = () => path.join(server.project, 'a.txt')
const read = () => readFile(file(), 'utf8').catch(() => undefined)
const owner = (text: string) => writeFile(file(), text)

/** A session whose one step changed the first and the last line. */
async function changed(): Promise<{ session: string; message: string }> {
  await owner(lines('a', 't'))
  server.model.script(
    { calls: [{ id: 'c1', name: 'bash', input: { command: "sed -i 's/^a$/A/; s/^t$/T/' a.txt" } }] },
    { text: ['done'] },
  )
  const session = await server.createSession()
  const prompted = await server.prompt(session, 'Go')
  await server.wait(session)
  return { session, message: prompted.body.data.id }
}

const post = (session: string, step: string, body?: unknown) =>
  server.send('POST', `/api/session/${session}/${step}`, body)

describe('a revert', () => {
  test('leaves what the owner changed elsewhere in the file, and so does bringing it back', async ({ expect }) => {
    const { session, message } = await changed()
    await owner(lines('A', 'T').replace('\nj\n', '\nJ of the owner\n'))
    expect((await post(session, 'revert/stage', { messageID: message })).status).toBe(200)
    expect(await read()).toBe(lines('a', 't').replace('\nj\n', '\nJ of the owner\n'))
    await owner(`${await read()}written while it was staged\n`.replace('\ne\n', '\nE\n'))
    expect((await post(session, 'revert/clear')).status).toBe(409)
    await owner((await read())?.replace('written while it was staged\n', '') ?? '')
    expect((await post(session, 'revert/clear')).status).toBe(204)
    expect(await read()).toBe(lines('A', 'T').replace('\nj\n', '\nJ of the owner\n').replace('\ne\n', '\nE\n'))
  })

  test('takes two steps back and keeps what the owner did between them', async ({ expect }) => {
    const { session, message } = await changed()
    await owner(lines('A', 'T').replace('\nj\n', '\nJ of the owner\n'))
    server.model.script(
      { calls: [{ id: 'c2', name: 'bash', input: { command: "sed -i 's/^d$/D/' a.txt" } }] },
      { text: ['done'] },
    )
    await server.turn(session, 'More')
    expect((await post(session, 'revert/stage', { messageID: message })).status).toBe(200)
    expect(await read()).toBe(lines('a', 't').replace('\nj\n', '\nJ of the owner\n'))
  })

  test.for([
    ['changed the same line', async () => owner(lines('A of the owner', 'T')), '+A of the owner'],
    ['removed the file', async () => rm(file()), '-A\n'],
    ['put bytes that are no text in its place', async () => owner('A\0\0'), 'a.txt'],
  ] as const)(
    'answers with the difference, and changes nothing, where the owner %s',
    async ([, act, shown], { expect }) => {
      const { session, message } = await changed()
      await act()
      const before = await read()
      const refused = await post(session, 'revert/stage', { messageID: message })
      expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict'])
      expect(refused.body.files.map((one: { path: string }) => one.path)).toEqual(['a.txt'])
      expect(JSON.stringify(refused.body.files)).toContain(JSON.stringify(shown).slice(1, -1))
      expect(await read()).toBe(before)
      expect((await server.send('GET', `/api/session/${session}`)).body.data.revert).toBeUndefined()
      // The conversation alone can be taken back all the same.
      expect((await post(session, 'revert/stage', { messageID: message, files: false })).status).toBe(200)
    },
  )
})

describe('of a change', () => {
  async function patchOf(session: string): Promise<string> {
    return (await server.send('GET', `/api/session/${session}/changes`)).body.data[0].patch
  }

  test('one hunk is taken back, then the rest', async ({ expect }) => {
    const { session } = await changed()
    const patch = await patchOf(session)
    expect((await post(session, 'changes/revert', { path: 'a.txt', patch, hunks: [1] })).status).toBe(204)
    expect(await read()).toBe(lines('A', 't'))
    const outdated = await post(session, 'changes/revert', { path: 'a.txt', patch, hunks: [0] })
    expect([outdated.status, outdated.body.files[0].patch]).toEqual([409, await patchOf(session)])
    expect((await post(session, 'changes/revert', { path: 'a.txt', patch: await patchOf(session) })).status).toBe(204)
    expect(await read()).toBe(lines('a', 't'))
  })

  test.for([
    ['a hunk that there is not', { hunks: [2] }, 400],
    ['no hunk at all', { hunks: [] }, 400],
    ['as many hunks as may be named', { hunks: Array.from({ length: changeHunksMax }, () => 1) }, 204],
    ['one more', { hunks: Array.from({ length: changeHunksMax + 1 }, () => 1) }, 400],
    ['a file that it did not change', { path: '../b.txt' }, 404],
    ['a patch of one’s own', { patch: '@@ -1 +1 @@\n-x\n+y\n' }, 409],
  ] as const)('%s is answered as it should be', async ([, more, status], { expect }) => {
    const { session } = await changed()
    const body = { path: 'a.txt', patch: await patchOf(session), hunks: [0], ...more }
    expect((await post(session, 'changes/revert', body)).status).toBe(status)
    expect(await read()).toBe(status === 204 ? lines('A', 't') : lines('A', 'T'))
  })
})
