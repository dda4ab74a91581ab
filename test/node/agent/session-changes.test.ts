/** How much a session changed, as its record says it: the same as its list of changes, without asking for that. */
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { snapshotCountedFilesMax } from '../../../local/agent/limits.ts'
import { startTestServer } from '../../support/agent-server.ts'

const server = await startTestServer()

afterAll(() => server.close())

async function run(session: string, command: string): Promise<string> {
  server.model.script({ calls: [{ id: `c${Math.random()}`, name: 'bash', input: { command } }] }, { text: ['done'] })
  const prompted = await server.prompt(session, 'Go')
  await server.wait(session)
  return prompted.body.data.id
}

const changesOf = async (session: string) => (await server.send('GET', `/api/session/${session}`)).body.data.changes
const post = (session: string, step: string, body?: unknown) =>
  server.send('POST', `/api/session/${session}/${step}`, body)
const abc = () => writeFile(path.join(server.project, 'a.txt'), 'a\nb\nc\n')

describe('the record of a session', () => {
  test('counts what its steps changed together, as the list of changes does', async ({ expect }) => {
    await abc()
    const session = await server.createSession()
    expect(await changesOf(session)).toBeUndefined()
    await run(session, "sed -i 's/a/A/' a.txt; printf 'x\\ny\\n' > new.txt")
    expect(await changesOf(session)).toEqual({ files: 2, additions: 3, deletions: 1 })
    // The same line again: a difference is counted, not steps.
    await run(session, "sed -i 's/A/Z/' a.txt")
    expect(await changesOf(session)).toEqual({ files: 2, additions: 3, deletions: 1 })
    await run(session, 'rm new.txt')
    const counted = await changesOf(session)
    expect(counted).toEqual({ files: 1, additions: 1, deletions: 1 })
    const listed = (await server.send('GET', `/api/session/${session}/changes`)).body.data
    expect(listed).toMatchObject([{ path: 'a.txt', additions: 1, deletions: 1 }])
    const { data } = (await server.send('GET', '/api/session')).body
    expect(data.find((one: { id: string }) => one.id === session).changes).toEqual(counted)
    await server.restart()
    expect(await changesOf(session)).toEqual(counted)
  })

  test('a command that changes nothing tells nothing', async ({ expect }) => {
    const session = await server.createSession()
    await run(session, 'true')
    expect(await changesOf(session)).toBeUndefined()
    const { data } = (await server.send('GET', `/api/session/${session}/history?limit=100`)).body
    expect(data.map((event: { type: string }) => event.type)).not.toContain('session.next.changed')
  })

  test('what is taken back is no longer counted, and is again once it is back', async ({ expect }) => {
    await abc()
    const session = await server.createSession()
    const message = await run(session, "sed -i 's/a/A/; s/c/C/' a.txt; echo x > other.txt")
    const all = { files: 2, additions: 3, deletions: 2 }
    expect(await changesOf(session)).toEqual(all)
    await post(session, 'revert/stage', { messageID: message })
    expect(await changesOf(session)).toEqual({ files: 0, additions: 0, deletions: 0 })
    await post(session, 'revert/clear')
    expect(await changesOf(session)).toEqual(all)
    const [file] = (await server.send('GET', `/api/session/${session}/changes`)).body.data
    await post(session, 'changes/revert', { path: file.path, patch: file.patch })
    expect(await changesOf(session)).toEqual({ files: 1, additions: 1, deletions: 0 })
  })

  test.for([
    ['when the revert is made final', (session: string) => post(session, 'revert/commit')],
    [
      'when the next prompt makes it final',
      async (session: string) => {
        server.model.script({ text: ['again'] })
        await server.turn(session, 'Say something')
      },
    ],
  ] as const)('steps that are gone are not counted, %s', async ([, act], { expect }) => {
    await abc()
    const session = await server.createSession()
    const message = await run(session, "sed -i 's/a/A/' a.txt")
    await post(session, 'revert/stage', { messageID: message, files: false })
    expect(await changesOf(session)).toEqual({ files: 1, additions: 1, deletions: 1 })
    await act(session)
    expect(await changesOf(session)).toEqual({ files: 0, additions: 0, deletions: 0 })
  })

  test.for([
    [snapshotCountedFilesMax, { additions: snapshotCountedFilesMax, deletions: 0 }],
    [snapshotCountedFilesMax + 1, {}],
  ] as const)('of %i files', { timeout: 60_000 }, async ([count, lines], { expect }) => {
    const session = await server.createSession()
    await run(session, `mkdir many; for i in $(seq ${count}); do echo x > many/$i; done`)
    expect(await changesOf(session)).toEqual({ files: count, ...lines })
    await rm(path.join(server.project, 'many'), { recursive: true })
  })
})
