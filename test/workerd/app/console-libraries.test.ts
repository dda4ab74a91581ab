import { env } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'
import { consolePrefix } from '../../../workers/app/app.ts'
import { librariesMax, libraryNameCharactersMax, libraryPathBytesMax } from '../../../workers/app/limits.ts'
import { type Answer, ownerSession, send } from '../../support/workerd/app-client.ts'

const path = `${consolePrefix}/libraries`
const films = { name: 'Films', media_type: 'movie', path: '/media/films', mode: 'move', default: false }

const session = await ownerSession()

beforeEach(async () => {
  await env.DB.prepare('delete from libraries').run()
})

const add = (change: Readonly<Record<string, unknown>> = {}): Promise<Answer> =>
  send('POST', path, session, { json: { ...films, ...change } })
const list = async () => (await send('GET', path, session)).body.items
const defaults = async () =>
  (await list()).filter((one: { default: boolean }) => one.default).map((one: { name: string }) => one.name)

describe('libraries', () => {
  test('are kept with a tidy folder, changed and removed', async ({ expect }) => {
    const { body } = await add({ path: ' /media//films/ ' })
    const changed = await send('PUT', `${path}/${body.id}`, session, {
      json: { ...films, name: '电影', path: 'D:/Films', mode: 'keep', default: true },
    })

    expect(body).toEqual({ ...films, id: body.id, default: true })
    expect(changed.body).toEqual({
      ...films,
      id: body.id,
      name: '电影',
      path: 'D:\\Films',
      mode: 'keep',
      default: true,
    })
    expect(await list()).toEqual([changed.body])
    expect((await send('DELETE', `${path}/${body.id}`, session)).body).toEqual({ ok: true })
    expect(await list()).toEqual([])
  })

  test('of each kind one is the default, whatever is added, changed or removed', async ({ expect }) => {
    const first = (await add()).body
    const second = (await add({ name: 'Other films' })).body
    await add({ name: 'Series', media_type: 'tv', path: '/media/tv' })
    const seen = [await defaults()]
    const change = (json: object) => send('PUT', `${path}/${second.id}`, session, { json })
    await change({ ...films, name: 'Other films', default: true })
    seen.push(await defaults())
    await change({ ...films, name: 'Other films', default: false })
    seen.push(await defaults())
    await change({ ...films, name: 'Other films', media_type: 'tv', default: true })
    seen.push(await defaults())
    await send('DELETE', `${path}/${second.id}`, session)
    seen.push(await defaults())
    await send('DELETE', `${path}/${first.id}`, session)
    seen.push(await defaults())

    expect(seen).toEqual([
      ['Films', 'Series'],
      ['Other films', 'Series'],
      ['Films', 'Series'],
      ['Films', 'Other films'],
      ['Films', 'Series'],
      ['Series'],
    ])
  })

  test('at most so many', async ({ expect }) => {
    for (let index = 0; index < librariesMax; index++) expect((await add({ name: `Films ${index}` })).status).toBe(200)

    const tooMany = await add({ name: 'One more' })

    expect([tooMany.status, tooMany.body.error]).toEqual([400, 'invalid_argument'])
    expect(await list()).toHaveLength(librariesMax)
  })

  test.for([
    [{ name: '' }, 'name'],
    [{ name: 'Taken' }, '同名'],
    [{ name: 'x'.repeat(libraryNameCharactersMax + 1) }, 'name'],
    [{ name: 'two\nlines' }, 'name'],
    [{ media_type: 'music' }, 'media_type'],
    [{ mode: 'copy' }, 'mode'],
    [{ default: 1 }, 'default'],
    [{ path: '' }, 'path'],
    [{ path: 'films' }, 'path'],
    [{ path: '/' }, 'path'],
    [{ path: '/films/../..' }, 'path'],
    [{ path: '/films\u0007' }, 'path'],
    [{ path: `/${'x'.repeat(libraryPathBytesMax)}` }, 'path'],
    [{ path: `/${'影'.repeat(libraryPathBytesMax / 2)}` }, 'path'],
    [{ colour: 'red' }, 'colour'],
  ] as const)('%j is refused, new or changed, and nothing changes', async ([change, named], { expect }) => {
    await add({ name: 'Taken' })
    const { id } = (await add()).body
    const before = await list()

    const answers = [
      await add({ name: 'New', ...change }),
      await send('PUT', `${path}/${id}`, session, { json: { ...films, ...change } }),
    ]

    for (const { status, body } of answers) {
      expect([status, body.error]).toEqual([400, expect.stringMatching(/^invalid_(argument|body)$/)])
      expect(body.message).toContain(named)
    }
    expect(await list()).toEqual(before)
  })

  test('the longest name and folder are taken', async ({ expect }) => {
    const longest = { name: '影'.repeat(libraryNameCharactersMax), path: `/${'x'.repeat(libraryPathBytesMax - 1)}` }

    expect((await add(longest)).body).toMatchObject(longest)
  })

  test('one that is not there is neither changed nor removed', async ({ expect }) => {
    const answers = [
      await send('PUT', `${path}/999`, session, { json: films }),
      await send('DELETE', `${path}/999`, session),
    ]

    expect(answers.map(({ status, body }) => [status, body.error])).toEqual(Array(2).fill([404, 'not_found']))
    expect(await list()).toEqual([])
  })
})
