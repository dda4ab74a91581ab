import { Hono } from 'hono'
import { describe, test } from 'vitest'
import { createAgentApp } from '../../../local/agent/app.ts'
import { StaticFirstRouter } from '../../../local/agent/http/static-first-router.ts'
import type { AgentDeps } from '../../../local/agent/ports.ts'

const router = () => {
  const made = new StaticFirstRouter<string>()
  made.add('GET', '/session/:id', 'one')
  made.add('GET', '/session/active', 'those at work')
  made.add('POST', '/session/active', 'another method')
  made.add('GET', '/file/:*path{[\\s\\S]+}', 'file')
  return made
}

const handlersOf = (method: string, path: string) =>
  router()
    .match(method, path)[0]
    .map(([handler]) => handler)

describe('the router', () => {
  test.for([
    ['GET', '/session/active', ['those at work']],
    ['GET', '/session/ses_1', ['one']],
    ['POST', '/session/active', ['another method']],
    ['POST', '/session/ses_1', []],
    ['GET', '/session', []],
    ['GET', '/session/', []],
    ['GET', '/session/active/', []],
    ['GET', '/file/a/b.ts', ['file']],
  ] as const)('finds for %s %s: %s', ([method, path, found], { expect }) => {
    expect(handlersOf(method, path)).toEqual(found)
  })

  test('keeps every handler of a written-out path, in their order', ({ expect }) => {
    const twice = router()
    twice.add('GET', '/session/active', 'then this')
    expect(twice.match('GET', '/session/active')[0].map(([handler]) => handler)).toEqual(['those at work', 'then this'])
  })

  test('hands a route its parameters as the common one does', async ({ expect }) => {
    const app = new Hono({ router: new StaticFirstRouter() })
    app.get('/session/:id/file/:*path{[\\s\\S]+}', (c) => c.json(c.req.param()))
    app.get('/session/active', (c) => c.text('active'))

    expect(await (await app.request('/session/a%20b/file/c/d%0Ae')).json()).toEqual({ id: 'a b', '*path': 'c/d\ne' })
    expect(await (await app.request('/session/active')).text()).toBe('active')
  })
})

test('no route of the agent server is left to the slower router', ({ expect }) => {
  const none: unknown = new Proxy(() => none, {
    get: (_target, name) => (name === Symbol.iterator ? () => [].values() : none),
  })
  const app = createAgentApp(none as AgentDeps)

  app.router.match('GET', '/api/session/ses_1/message')
  expect(app.router.name).toBe('StaticFirstRouter + SmartRouter + RegExpRouter')
})
