import { env } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'
import { appPrefix } from '../../../workers/app/app.ts'
import type { WireTemplateEvent } from '../../../workers/app/contract/templates.ts'
import { templateTextBytesMax, templateTitleCharactersMax } from '../../../workers/app/limits.ts'
import { auditRows, type Caller, makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'

const path = `${appPrefix}/templates`
const reminder = `${path}/login.reminder`

const session = await ownerSession()
const operator = await makeToken(session, ['app:read', 'app:write'])
const reader = await makeToken(session, ['app:read'])

beforeEach(async () => {
  await env.DB.prepare('delete from message_templates').run()
})

async function eventAs(caller: Caller, type: string): Promise<WireTemplateEvent> {
  const { body } = await send('GET', path, caller)
  return body.events.find((event: WireTemplateEvent) => event.type === type)
}

async function storedRows(): Promise<unknown[]> {
  return (await env.DB.prepare('select type, title, text from message_templates order by type').all()).results
}

describe('GET /templates', () => {
  test('lists groups, common variables and events', async ({ expect }) => {
    const { status, body } = await send('GET', path, reader.caller)

    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['common_vars', 'events', 'groups'])
    expect(body.groups.map(({ key }: { key: string }) => key)).toEqual(['notify', 'reply', 'assistant'])
    for (const { name, desc } of body.groups) expect(name !== '' && desc !== '').toBe(true)
    expect(body.common_vars.length).toBeGreaterThan(0)
    const groups = new Set(body.events.map(({ group }: WireTemplateEvent) => group))
    expect(groups).toEqual(new Set(['notify', 'reply', 'assistant']))
    expect(body.events.map(({ type }: WireTemplateEvent) => type)).toContain('rss.matched')
  })

  test('gives every field of an event that nobody changed', async ({ expect }) => {
    expect(await eventAs(operator.caller, 'push.done')).toEqual({
      type: 'push.done',
      group: 'notify',
      name: '推送成功',
      desc: '种子已加入下载器',
      no_title: false,
      vars: expect.any(Array),
      sample_title: '已推送到 nas-1',
      sample_text: 'The Salt Road S02E06\nLantern　8.42 GiB',
      title: '',
      text: '',
      customized: false,
      updated_at: 0,
      builtin_title: '已推送到 {{ downloader }}',
      builtin_text: '{{ title }}\n{{ site }}　{{ size_text }}',
    })
    expect(await eventAs(operator.caller, 'reply.sites')).toMatchObject({ no_title: true, sample_title: '' })
  })

  test('gives of each variable a sample as text, and of a list its fields and no sample', async ({ expect }) => {
    const { body } = await send('GET', path, reader.caller)
    const variables = [body.common_vars, ...body.events.map(({ vars }: WireTemplateEvent) => vars)].flat()

    for (const { type, sample, item, key, desc } of variables) {
      expect(key !== '' && desc !== '').toBe(true)
      expect(['string', 'int', 'float', 'bool', 'list']).toContain(type)
      if (type === 'list') {
        expect(sample).toBeUndefined()
        for (const field of item) expect(field).toMatchObject({ key: expect.any(String), sample: expect.any(String) })
      } else expect(sample).toEqual(expect.any(String))
    }
    expect(new Set(variables.map(({ type }: { type: string }) => type)).size).toBeGreaterThan(3)
  })

  test('shows the texts to callers with Operate only; the others learn that there are some', async ({ expect }) => {
    await send('PUT', reminder, operator.caller, { json: { title: 'T {{ site }}', text: 'B {{ days_remaining }}' } })

    for (const caller of [operator.caller, session])
      expect(await eventAs(caller, 'login.reminder')).toMatchObject({
        title: 'T {{ site }}',
        text: 'B {{ days_remaining }}',
      })
    expect(await eventAs(reader.caller, 'login.reminder')).toMatchObject({ title: '', text: '', customized: true })
    expect(await eventAs(reader.caller, 'push.done')).toMatchObject({ title: '', text: '', customized: false })
  })
})

describe('POST /templates/preview', () => {
  const preview = (json: unknown, caller = reader.caller) => send('POST', `${path}/preview`, caller, { json })

  test('renders with the sample data for a token that may only read, and saves nothing', async ({ expect }) => {
    const answer = await preview({ type: 'push.done', title: '{{ site }}!', text: '{{ title | upcase }}\n{{ event }}' })

    expect(answer).toMatchObject({ status: 200, body: { title: 'Lantern!', text: 'THE SALT ROAD S02E06\n推送成功' } })
    expect(Object.keys(answer.body).sort()).toEqual(['text', 'title'])
    expect(await storedRows()).toEqual([])
  })

  test('takes the built-in text where one is empty', async ({ expect }) => {
    expect((await preview({ type: 'push.done', title: '', text: 'x' })).body).toEqual({
      title: '已推送到 nas-1',
      text: 'x',
    })
  })

  test('has an empty title for an event that is body only', async ({ expect }) => {
    expect((await preview({ type: 'reply.status', title: 'x', text: 'y' })).body).toEqual({ title: '', text: 'y' })
  })

  test('masks what looks like a credential', async ({ expect }) => {
    const text = 'https://tracker.example/rss?passkey=S3cr3tCanary0123456789abcdefXYZ cookie=S3cr3tCanary {{ site }}'

    const { body } = await preview({ type: 'push.done', title: 'token=S3cr3tCanary', text })

    expect(body).toEqual({ title: 'token=***', text: 'https://tracker.example/rss cookie=*** Lantern' })
  })

  test('masks a credential that the template puts together', async ({ expect }) => {
    const text = '{% assign a = "S3cr3tCanary0123456789" %}pass{{ "key=" }}{{ a }}'

    expect((await preview({ type: 'push.done', title: '', text })).body.text).toBe('passkey=***')
  })

  test.each([
    ['an unknown variable', '\n{{ stie }}', '正文第 2 行：没有变量 stie，是否想写 site'],
    ['a tag without an end', '{% if site %}', '正文第 1 行：标签没有结束'],
    ['too much work', '{% for a in (1..99999) %}{% endfor %}', '正文第 1 行：模板的计算量过大'],
    ['a list too long to be made', '{% for a in (1..9999999) %}{% endfor %}', '正文第 1 行：模板的计算量过大'],
    ['nesting without end', '{% if site %}'.repeat(4000), '正文第 1 行：'],
  ])('refuses %s with its line', async (_, text, message) => {
    const answer = await preview({ type: 'push.done', title: '', text })

    if (answer.status !== 400 || answer.body.error !== 'invalid_argument' || !answer.body.message.startsWith(message))
      throw new Error(JSON.stringify(answer))
  })

  test('answers 404 for an unknown event, also for names every object has', async ({ expect }) => {
    for (const type of ['nope', 'constructor', '__proto__'])
      expect(await preview({ type, title: '', text: '' })).toMatchObject({ status: 404, body: { error: 'not_found' } })
  })

  test('answers of a text at its bound and one byte past it', async ({ expect }) => {
    const at = await preview({
      type: 'push.done',
      title: 'x'.repeat(templateTitleCharactersMax),
      text: 'x'.repeat(templateTextBytesMax),
    })
    const past = await preview({ type: 'push.done', title: '', text: 'x'.repeat(templateTextBytesMax + 1) })
    const longTitle = await preview({ type: 'push.done', title: 'x'.repeat(templateTitleCharactersMax + 1), text: '' })

    expect(at.status).toBe(200)
    expect(past).toMatchObject({ status: 400, body: { error: 'invalid_argument', message: '正文第 1 行：模板过长' } })
    expect(longTitle).toMatchObject({ status: 400, body: { error: 'invalid_argument' } })
  })
})

describe('PUT /templates/{type}', () => {
  const put = (json: unknown, to = reminder) => send('PUT', to, operator.caller, { json })

  test('stores what was sent and answers the event as saved', async ({ expect }) => {
    const before = Math.floor(Date.now() / 1000)

    const { status, body } = await put({ title: '{{ site }}', text: '{{ days_remaining }} 天' })

    expect(status).toBe(200)
    expect(body).toEqual(await eventAs(operator.caller, 'login.reminder'))
    expect(body).toMatchObject({ title: '{{ site }}', text: '{{ days_remaining }} 天', customized: true })
    expect(body.updated_at).toBeGreaterThanOrEqual(before)
    expect(body.updated_at).toBeLessThanOrEqual(Date.now() / 1000)
  })

  test('of one text keeps the other built in', async ({ expect }) => {
    expect((await put({ title: '', text: 'x' })).body).toMatchObject({ title: '', text: 'x', customized: true })
  })

  test('with two empty texts restores the default', async ({ expect }) => {
    await put({ title: 'x', text: 'y' })

    const { body } = await put({ title: '', text: '' })

    expect(body).toMatchObject({ title: '', text: '', customized: false, updated_at: 0 })
    expect(await storedRows()).toEqual([])
  })

  test.each<[string, string, unknown, number, string]>([
    ['an unknown variable', reminder, { title: '', text: '{{ nope }}' }, 400, 'invalid_argument'],
    ['a broken title', reminder, { title: '{{', text: '' }, 400, 'invalid_argument'],
    ['a title for a body-only event', `${path}/reply.sites`, { title: 'x', text: 'y' }, 400, 'invalid_argument'],
    ['no text', reminder, { title: 'x' }, 400, 'invalid_argument'],
    ['a text that is none', reminder, { title: 'x', text: 1 }, 400, 'invalid_body'],
    ['an unknown field', reminder, { title: 'x', text: 'y', customized: true }, 400, 'invalid_body'],
    ['an unknown event', `${path}/nope`, { title: 'x', text: 'y' }, 404, 'not_found'],
    ['an event named as a property', `${path}/constructor`, { title: 'x', text: 'y' }, 404, 'not_found'],
  ])('refuses %s and changes nothing', async (_, to, json, status, error) => {
    await put({ title: 'kept', text: 'kept' })
    const before = await storedRows()

    const answer = await put(json, to)

    if (answer.status !== status || answer.body.error !== error) throw new Error(JSON.stringify(answer))
    if (JSON.stringify(await storedRows()) !== JSON.stringify(before)) throw new Error('it was stored')
  })

  test('refuses a caller that may only read', async ({ expect }) => {
    const answer = await send('PUT', reminder, reader.caller, { json: { title: 'x', text: 'y' } })

    expect(answer).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect(await storedRows()).toEqual([])
  })
})

describe('DELETE /templates/{type}', () => {
  test.each<[string, object]>([
    ['without a body', {}],
    ['with an empty object', { json: {} }],
  ])('%s restores the built-in text, and again changes nothing', async (_, sent) => {
    await send('PUT', reminder, operator.caller, { json: { title: 'x', text: 'y' } })

    for (const attempt of [1, 2]) {
      const answer = await send('DELETE', reminder, operator.caller, sent)
      if (JSON.stringify(answer.body) !== '{"ok":true}') throw new Error(`${attempt} ${JSON.stringify(answer)}`)
    }
    const event = await eventAs(operator.caller, 'login.reminder')
    if (event.customized || event.title !== '' || event.text !== '') throw new Error(JSON.stringify(event))
  })

  test('refuses other bodies, unknown events and callers that may only read', async ({ expect }) => {
    await send('PUT', reminder, operator.caller, { json: { title: 'x', text: 'y' } })

    expect(await send('DELETE', reminder, operator.caller, { json: { a: 1 } })).toMatchObject({ status: 400 })
    expect(await send('DELETE', `${path}/nope`, operator.caller)).toMatchObject({ status: 404 })
    expect(await send('DELETE', reminder, reader.caller)).toMatchObject({ status: 403 })
    expect(await storedRows()).toHaveLength(1)
  })
})

test('template changes by tokens are in the audit log, refused ones too', async ({ expect }) => {
  await env.DB.prepare('delete from audit_entries').run()
  await send('PUT', reminder, operator.caller, { json: { title: 'x', text: 'y' } })
  await send('PUT', reminder, operator.caller, { json: { title: 'x', text: '{{ nope }}' } })
  await send('DELETE', reminder, operator.caller)
  await send('DELETE', reminder, reader.caller)

  await expect.poll(async () => (await auditRows()).map(({ result }) => result)).not.toContain('started')
  const command = { channel: 'api_token', command: `PUT ${path}/{type}`, user: `token:${operator.id}` }
  expect(await auditRows()).toEqual([
    { ...command, result: 'ok', status: 200 },
    { ...command, result: 'error', status: 400 },
    { ...command, command: `DELETE ${path}/{type}`, result: 'ok', status: 200 },
    { ...command, command: `DELETE ${path}/{type}`, user: `token:${reader.id}`, result: 'error', status: 403 },
  ])
})

test('the feature list names templates', async ({ expect }) => {
  expect((await send('GET', `${appPrefix}/meta`, reader.caller)).body.features).toContain('templates')
})
