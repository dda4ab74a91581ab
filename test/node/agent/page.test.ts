/** The page of the agent server: behind the same door as everything else, and in the way of no route. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { startTestServer } from '../../support/agent-server.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'agent-page-'))
const pagesFolder = path.join(folder, 'page')
await mkdir(path.join(pagesFolder, 'assets'), { recursive: true })
await writeFile(path.join(pagesFolder, 'index.html'), '<!doctype html><title>page</title>')
await writeFile(path.join(pagesFolder, 'theme.js'), '//')
await writeFile(path.join(pagesFolder, 'openapi.json'), '{"not":"the document"}')
await writeFile(path.join(pagesFolder, 'assets/main-AbC1.js'), '//')
await writeFile(path.join(folder, 'secret.json'), '{"secret":true}')
await symlink(path.join(folder, 'secret.json'), path.join(pagesFolder, 'assets/out.json'))
const server = await startTestServer({ pagesFolder })

afterAll(async () => {
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

describe('the page', () => {
  test.for([
    ['/', 'text/html; charset=utf-8', 'no-store'],
    ['/theme.js', 'text/javascript; charset=utf-8', 'no-store'],
    ['/assets/main-AbC1.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
  ] as const)('%s is served as %s, kept as %s', async ([address, type, cache], { expect }) => {
    const answer = await server.send('GET', address)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('cache-control')).toBe(cache)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('x-frame-options')).toBe('DENY')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    const head = await server.send('HEAD', address)
    expect([head.status, head.text]).toEqual([200, ''])
  })

  test.for([
    ['GET', '/index'],
    ['GET', '/assets/'],
    ['GET', '/assets/missing.js'],
    ['GET', '/assets/out.json'],
    ['GET', '/assets/%2e%2e/%2e%2e/secret.json'],
    ['GET', '/event'],
    ['GET', '/api'],
    ['GET', '/api/none.js'],
    ['POST', '/'],
    ['DELETE', '/theme.js'],
  ] as const)('%s %s stays what it was: no such route', async ([method, address], { expect }) => {
    const answer = await server.send(method, address)
    expect(answer.status).toBe(404)
    expect(answer.body.error).toEqual({ code: 'not_found', message: 'There is no such route' })
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
  })

  test('no file of it stands in for a route', async ({ expect }) => {
    const answer = await server.send('GET', '/openapi.json')
    expect(answer.body.openapi).toBe('3.1.0')
    expect(answer.body.paths['/']).toBeUndefined()
  })

  test('that was not built says so, and the routes answer all the same', async ({ expect, onTestFinished }) => {
    const bare = await startTestServer({ pagesFolder: path.join(folder, 'nothing') })
    onTestFinished(() => bare.close())
    expect(await bare.send('GET', '/')).toMatchObject({
      status: 503,
      text: expect.stringContaining('not in this build'),
    })
    expect((await bare.send('GET', '/theme.js')).status).toBe(404)
    expect((await bare.send('GET', '/api/health')).status).toBe(200)
  })

  test.for(['/', '/theme.js', '/assets/main-AbC1.js'])(
    '%s is for those who are let in: by the password, or by the cookie',
    async (address, { expect, onTestFinished }) => {
      const locked = await startTestServer({
        pagesFolder,
        hasBrowserAuth: true,
        credentials: { username: 'svc', password: 'correct horse battery' },
      })
      onTestFinished(() => locked.close())
      const refused = await locked.send('GET', address)
      expect(refused.status).toBe(401)
      expect(refused.text).not.toContain('page')
      const authorization = `Basic ${Buffer.from('svc:correct horse battery').toString('base64')}`
      expect((await locked.send('GET', address, undefined, { authorization })).status).toBe(200)
      const signedIn = await fetch(locked.signInAddress, { redirect: 'manual' })
      const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
      expect((await locked.send('GET', address, undefined, { cookie })).status).toBe(200)
    },
  )
})

describe('what the page asks beyond the interface', () => {
  test('messages say the position of their newest event, after which the stream goes on', async ({ expect }) => {
    server.model.script({ text: ['One.'] }, { text: ['Two.'] })
    const session = await server.firstTurn('First')
    const page = (await server.send('GET', `/api/session/${session}/message?limit=1`)).body
    const history = (await server.send('GET', `/api/session/${session}/history?limit=100`)).body
    expect(page.seq).toBe(history.data.at(-1).durable.seq)
    await server.turn(session, 'Second')
    const [next] = await server.events(`/api/session/${session}/event`, (events) => events.length > 0, {
      'last-event-id': `${session}:${page.seq}`,
    })
    expect(next?.data.durable?.seq).toBe(page.seq + 1)
  })

  test('changes are those of the steps as they are now, and looking at them touches nothing', async ({ expect }) => {
    await server.write('mine.txt', 'before\n')
    await server.write('yours.txt', 'yours\n')
    const session = await server.createSession()
    expect((await server.send('GET', `/api/session/${session}/changes`)).body).toEqual({ data: [] })
    server.model.script(
      { calls: [{ id: 'call_r', name: 'read', input: { path: 'mine.txt' } }] },
      { calls: [{ id: 'call_w', name: 'write', input: { path: 'mine.txt', content: 'after\n' } }] },
      { text: ['Done'] },
    )
    await server.turn(session, 'Change it')
    await server.write('yours.txt', 'changed by the owner\n')
    const messages = await server.messages(session)
    const { data } = (await server.send('GET', `/api/session/${session}/changes`)).body
    expect(data).toMatchObject([{ path: 'mine.txt', status: 'modified', additions: 1, deletions: 1 }])
    expect(data[0].patch).toContain('-before\n+after')
    expect(await server.messages(session)).toEqual(messages)
  })

  test('changes of a session that is not there are not found', async ({ expect }) => {
    const answer = await server.send('GET', '/api/session/ses_000000000000unknownunknown/changes')
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
  })
})
