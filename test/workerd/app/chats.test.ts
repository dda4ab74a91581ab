/** What is written to a bot: the real Worker, a stand-in of the chat platform, a site, a downloader and a scripted model. */
import { runInDurableObject } from 'cloudflare:test'
import { env, exports, waitUntil } from 'cloudflare:workers'
import { afterEach, beforeAll, beforeEach, describe, inject, test } from 'vitest'
import { appPrefix, consolePrefix, createApp } from '../../../workers/app/app.ts'
import { composeAppDeps } from '../../../workers/app/compose.ts'
import { chatCommands, templateTypes } from '../../../workers/app/core/vocabulary.ts'
import {
  chatButtonSeconds,
  chatCodeTriesMax,
  chatMessageCharactersMax,
  chatNameCharactersMax,
  chatRowsMax,
  chatsMax,
  chatUpdatesWaitingMax,
} from '../../../workers/app/limits.ts'
import type { ChatHost } from '../../../workers/app/objects/chat-object.ts'
import { consoleSite } from '../../support/console-site.ts'
import type { ModelScript } from '../../support/model-script.ts'
import { calls, says } from '../../support/stand-in-model.ts'
import { auditRows, type Caller, ownerPassword, send } from '../../support/workerd/app-client.ts'
import { setUpAssistant } from '../../support/workerd/assistant.ts'
import { setProvider } from '../../support/workerd/service-under-test.ts'

const origin = inject('standInBot')
const sites = inject('standInSites')
const downloader = inject('standInDownloaders').chats
const hashOf = (at: number) => at.toString(16).padStart(40, 'c')
const everything = [...chatCommands]

interface Sent {
  readonly chat: number
  readonly message: number
  readonly text: string
  readonly buttons: readonly (readonly { readonly text: string; readonly data: string }[])[]
}
interface Platform {
  readonly sent: Sent[]
  readonly hook?: { readonly url: string; readonly secret: string }
  readonly asked: (number | null)[]
  readonly presses: Readonly<Record<string, string | undefined>>
  readonly updates: readonly { readonly update_id: number }[]
  readonly waiting: number
}

let session: Caller
let script: ModelScript
let token: string
let channelId: number
let tokens = 0

async function platform(orders: Readonly<Record<string, unknown>> = {}): Promise<Platform> {
  const response = await fetch(`${origin}/control/${encodeURIComponent(token)}`, {
    method: 'POST',
    body: JSON.stringify(orders),
  })
  return response.json()
}
const write = (text: string, chat = 501) => platform({ say: { chat, text } })
const press = (data: string, chat = 501, message = 1) => platform({ press: { chat, data, message } })

async function told(change: Readonly<Record<string, unknown>>) {
  const response = await fetch(`${downloader.baseUrl}/control`, { method: 'POST', body: JSON.stringify(change) })
  return response.json<{ changes: string[]; torrents: Record<string, { state: string }> }>()
}

/** Until the bot has said so many messages, or what is looked for. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let round = 0; round < 200; round += 1) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`it never came: ${JSON.stringify((await platform()).sent)}`)
}
const said = (count: number): Promise<Sent[]> =>
  until(async () => {
    const { sent } = await platform()
    return sent.length >= count ? sent : undefined
  })
/** In the downloader, and seen there: what was read a moment ago is believed for a while. */
async function show(torrents: Readonly<Record<string, unknown>>): Promise<void> {
  const listed = (count: number) =>
    until(async () => {
      const { items } = (await send('GET', `${appPrefix}/torrents`, session)).body
      return items.length === count ? true : undefined
    })
  // What was shown before is kept for a moment, and may be as many.
  await told({ empty: true })
  await listed(0)
  await told({ torrents })
  await listed(Object.keys(torrents).length)
}
/** What the bot answers to this alone. */
async function answerTo(text: string, chat = 501): Promise<Sent> {
  const { sent } = await platform()
  await write(text, chat)
  const all = await said(sent.length + 1)
  const answer = all[sent.length]
  if (answer === undefined) throw new Error('nothing was said')
  return answer
}

const chatOf = (id = channelId) => `${consolePrefix}/channels/${id}/chat`
const setUp = (change: Readonly<Record<string, unknown>> = {}) =>
  send('PUT', chatOf(), session, { json: { way: 'poll', commands: everything, ...change } })
const makeCode = (permission = 'full') => send('POST', `${chatOf()}/code`, session, { json: { permission } })
async function pair(chat = 501, permission = 'full'): Promise<Sent> {
  const { body } = await makeCode(permission)
  return answerTo(`/start ${body.code}`, chat)
}
const speak = (language: string) =>
  send('PUT', `${consolePrefix}/settings/locale`, session, { json: { time_zone: '', language } })
const objectOf = () => env.CHATS.get(env.CHATS.idFromName(String(channelId))) as DurableObjectStub<ChatHost>

beforeAll(async () => {
  ;({ session, script } = await setUpAssistant('chats'))
  const { baseUrl: address, ...signIn } = downloader
  const added = await send('POST', `${consolePrefix}/downloaders`, session, {
    json: { name: 'nas-1', type: 'qbittorrent', address, ...signIn, enabled: true, default: true },
  })
  if (added.status !== 200) throw new Error(JSON.stringify(added.body))
  const site = await send('POST', `${consolePrefix}/sites`, session, {
    json: consoleSite('shelf', 'nexusphp', `${sites}/nexusphp/chats`, {
      cookie: 'c_secure_pass=CanaryCookieOfTheSite9',
    }),
  })
  if (site.status !== 200) throw new Error(JSON.stringify(site.body))
})

beforeEach(async () => {
  await script.forget()
  await speak('zh')
  await told({ orders: { changes: 'go', adding: 'accept', freeBytes: 78e9 }, empty: true })
  tokens += 1
  token = `${tokens}:TokenOfTheBot${tokens}`
  const added = await send('POST', `${consolePrefix}/channels`, session, {
    json: {
      name: `bot ${tokens}`,
      type: 'bot',
      address: origin,
      chat_id: '501',
      token,
      enabled: true,
      events: ['push.done'],
    },
  })
  channelId = Number(added.body.id)
})

afterEach(async () => {
  await setUp({ way: 'off' })
  await send('DELETE', `${consolePrefix}/channels/${channelId}`, session)
})

describe('who may speak', () => {
  test('is nobody until the owner pairs a chat: a stranger gets one line and nothing else', async ({ expect }) => {
    await setUp()
    const { text } = await answerTo('/status')
    expect(text).toBe('这个会话没有配对。')
    await write('/status')
    await write('hello')
    await write('/status', 502)
    // The answer to another chat shows that those before it were worked on.
    const sent = await said(2)
    expect(sent.map(({ chat }) => chat)).toEqual([501, 502])
    expect(sent).toHaveLength(2)
  })

  test('is the chat that has the code, once', async ({ expect }) => {
    await setUp()
    const { status, body } = await makeCode()
    expect(status).toBe(200)
    expect((await answerTo(`/pair ${body.code.toLowerCase().replaceAll('-', ' ')}`)).text).toContain('已配对')
    expect((await answerTo(`/start ${body.code}`, 502)).text).toBe('这个会话没有配对。')
    const shown = (await send('GET', chatOf(), session)).body
    expect(shown.chats).toMatchObject([{ name: 'Ada @ada', permission: 'full' }])
    expect(shown.last_heard_at).toBeGreaterThan(0)
    expect(JSON.stringify(shown)).not.toContain(body.code)
    const rows = await env.DB.prepare('select * from chat_bots').all()
    expect(JSON.stringify(rows.results)).not.toContain(body.code.replaceAll('-', ''))
  })

  test('is no group: whoever comes into it would speak for the owner', async ({ expect }) => {
    await setUp()
    const { body } = await makeCode()
    await platform({ say: { chat: -1001, text: `/start ${body.code}`, type: 'supergroup', from: 501 } })
    await platform({ say: { chat: 501, text: `/start ${body.code}`, from: 999 } })
    expect((await answerTo(`/start ${body.code}`)).text).toContain('已配对')
    expect((await send('GET', chatOf(), session)).body.chats).toHaveLength(1)
  })

  test.for([
    [chatCodeTriesMax - 1, 1],
    [chatCodeTriesMax, 0],
  ] as const)('after %i wrong codes: %i', async ([wrong, paired], { expect }) => {
    await setUp()
    const { body } = await makeCode()
    for (let at = 0; at < wrong; at += 1) await write('/start 0000-0000-0000-0000', 502)
    await answerTo(`/start ${body.code}`, 503)
    expect((await send('GET', chatOf(), session)).body.chats).toHaveLength(paired)
  })

  test('is one chat more than there may be: refused before a code is made', async ({ expect }) => {
    await setUp()
    const row = `insert into paired_chats values (?, ?, ?, 'x', 'read', 1, null)`
    for (let at = 1; at < chatsMax; at += 1) await env.DB.prepare(row).bind(channelId, `9${at}`, `id${at}`).run()
    expect((await makeCode()).status).toBe(200)
    await env.DB.prepare(row).bind(channelId, '999', 'last').run()
    expect(await makeCode()).toMatchObject({ status: 400, body: { reason: { kind: 'too_many', what: 'chat' } } })
  })

  test.for([
    [chatNameCharactersMax, chatNameCharactersMax],
    [chatNameCharactersMax + 1, chatNameCharactersMax],
  ] as const)('with a name of %i characters is kept with %i', async ([length, kept], { expect }) => {
    await setUp()
    const { body } = await makeCode()
    const { chats } = composeAppDeps(env, { run: () => undefined })

    expect(await chats.pair(channelId, body.code, '777', '名'.repeat(length))).toBe(true)

    const [chat] = (await send('GET', chatOf(), session)).body.chats
    expect(chat.name).toBe('名'.repeat(kept))
  })

  test('is over when the owner removes the chat, and one that may only read changes nothing', async ({ expect }) => {
    await setUp()
    await show({ [hashOf(1)]: { name: 'Salt', size: 1, state: 'stalledDL', progress: 0.5 } })
    await pair(501, 'read')
    const list = await answerTo('/torrents')
    expect(list.text).toContain('Salt')
    expect(list.buttons).toEqual([])
    const [chat] = (await send('GET', chatOf(), session)).body.chats
    const removed = await send('DELETE', `${consolePrefix}/channels/${channelId}/chats/${chat.id}`, session)
    expect(removed.status).toBe(200)
    expect((await answerTo('/status')).text).toBe('这个会话没有配对。')
    expect((await send('DELETE', `${consolePrefix}/channels/${channelId}/chats/${chat.id}`, session)).status).toBe(404)
  })
})

describe('a command', () => {
  beforeEach(async () => {
    await setUp()
    await pair()
  })

  test('of the lists is answered by the owner’s templates', async ({ expect }) => {
    expect((await answerTo('/status')).text).toMatch(/站点 1 个，下载器 1 个\n上传 .*\/s，下载 .*\/s/)
    const template = `${appPrefix}/templates/reply.status`
    await send('PUT', template, session, { json: { title: '', text: 'up: {{ upload_text }}' } })
    expect((await answerTo('/status@wharf_bot')).text).toMatch(/^up: /)
    await send('DELETE', template, session)
    expect((await answerTo('/brush')).text).toContain('还没有刷流任务')
    expect((await answerTo('/sites')).text).not.toBe('')
  })

  test('in the owner’s language', async ({ expect }) => {
    await speak('en')
    // What the owner chose is known for a moment.
    await until(async () =>
      (await answerTo('/help')).text.includes('/search  looks for the words') ? true : undefined,
    )
    expect((await answerTo('/search')).text).toContain('Words to look for have to follow the command')
  })

  test('to brush gives each task a button that switches it, and the log has its name', async ({ expect }) => {
    const pick = { free_only: true, refuse_hr: false, refused_words: [] }
    const bounds = { active_max: 1, downloading_max: 1, active_gib_max: 1, new_per_run_max: 1 }
    const task = { name: 'fresh ones', enabled: false, site: 'shelf', every_minutes: 1440 }
    const rules = { pick, bounds, removal: { free_over: false } }
    const { body } = await send('POST', `${consolePrefix}/brush-tasks`, session, { json: { ...task, rules } })
    const { buttons } = await answerTo('/brush')
    const before = (await platform()).sent.length
    await press(buttons[0]?.[0]?.data ?? '')
    expect((await said(before + 1))[before]?.text).toContain('fresh ones')
    const [stored] = (await send('GET', `${consolePrefix}/brush-tasks`, session)).body.items
    expect(stored).toMatchObject({ id: body.id, enabled: true })
    const { results } = await env.DB.prepare('select command, result, about from audit_entries order by id').all()
    expect(results.at(-1)).toEqual({
      command: `brush ${body.id} on`,
      result: 'ok',
      about: JSON.stringify({ names: ['fresh ones'], more: 0 }),
    })
    await send('DELETE', `${consolePrefix}/brush-tasks/${body.id}`, session)
  })

  test('to search gives numbered rows, of which a button pushes one, once', async ({ expect }) => {
    const { text, buttons } = await answerTo('/search planet')
    expect(text).toMatch(/^1\. /)
    expect(buttons.flat().length).toBeGreaterThan(0)
    expect(buttons.flat().length).toBeLessThanOrEqual(chatRowsMax)
    expect(buttons[0]?.[0]?.text).toBe('推送 1')
    const data = buttons[0]?.[0]?.data ?? ''
    const before = (await platform()).sent.length
    await press(data)
    const [answer] = (await said(before + 1)).slice(before)
    expect(answer?.text).toContain('nas-1')
    const [task] = (await send('GET', `${appPrefix}/tasks`, session)).body.items
    expect(task.source).toBe('app_push')
    expect((await auditRows()).at(-1)).toMatchObject({ channel: 'chatops', command: `POST ${appPrefix}/push` })
    const { updates } = await press(data)
    const id = `press${updates[0]?.update_id}`
    expect(await until(async () => (await platform()).presses[id])).toBe('这个按钮已经用过，或者已经过期')
    expect((await send('GET', `${appPrefix}/tasks`, session)).body.items).toHaveLength(1)
  })

  test('to pause lists what can be paused, and a button does it', async ({ expect }) => {
    const shown = (name: string, state: string) => ({ name, size: 1000, state, progress: 0.5, added_on: 1_700_000_000 })
    await show({ [hashOf(1)]: shown('Salt Road', 'stalledDL'), [hashOf(2)]: shown('Salt Lake', 'stoppedDL') })
    const { text, buttons } = await answerTo('/pause salt')
    expect(text).toContain('Salt Road')
    expect(text).not.toContain('Salt Lake')
    const before = (await platform()).sent.length
    await press(buttons[0]?.[0]?.data ?? '')
    const [answer] = (await said(before + 1)).slice(before)
    expect(answer?.text).toBe('已暂停：Salt Road')
    expect((await told({})).torrents[hashOf(1)]?.state).toMatch(/stopped|paused/)
    const resumed = await answerTo('/resume lake')
    expect(resumed.buttons[0]?.[0]?.text).toBe('恢复 1')
  })

  test.for([
    [chatRowsMax, chatRowsMax],
    [chatRowsMax + 1, chatRowsMax],
  ] as const)('of %i torrents shows %i rows, each with its button', async ([there, rows], { expect }) => {
    const torrents = Array.from({ length: there }, (_, at) => [
      hashOf(at + 10),
      { name: `Salt ${at}`, size: 1000, state: 'stalledDL', progress: 0.5, added_on: 1_700_000_000 + at },
    ])
    await told({ empty: true })
    await show(Object.fromEntries(torrents))

    const { text, buttons } = await answerTo('/torrents')

    expect(text.match(/Salt/g)).toHaveLength(rows)
    expect(buttons.flat()).toHaveLength(rows)
  })

  test('has buttons for so long, and not a moment longer', async ({ expect }) => {
    const before = Date.now()
    const { buttons } = await answerTo('/search planet')
    const [first, second] = buttons.flat()
    const within = (sql: SqlStorage) => sql.exec<{ until_ms: number }>('select until_ms from chat_button').toArray()
    const untils = await runInDurableObject(objectOf(), (_, { storage }) => within(storage.sql))
    const life = chatButtonSeconds * 1000
    expect(untils.every(({ until_ms }) => until_ms >= before + life && until_ms <= Date.now() + life)).toBe(true)
    // As if all but a few seconds of it had passed, and then all of it.
    const left = (token: string | undefined, ms: number) =>
      runInDurableObject(objectOf(), (_, { storage }) => {
        storage.sql.exec('update chat_button set until_ms = ? where token = ?', Date.now() + ms, token)
      })
    await left(first?.data, 0)
    await left(second?.data, 8000)
    const answered = async (data = '') => {
      const { updates } = await press(data)
      return until(async () => (await platform()).presses[`press${updates[0]?.update_id}`])
    }
    expect(await answered(first?.data)).toBe('这个按钮已经用过，或者已经过期')
    expect(await answered(second?.data)).not.toContain('过期')
  })

  test('that is switched off is refused, and so is its button', async ({ expect }) => {
    const { buttons } = await answerTo('/search planet')
    await setUp({ commands: everything.filter((one) => one !== 'push' && one !== 'sites') })
    expect((await answerTo('/sites')).text).toContain('不能使用这条指令')
    const before = (await platform()).sent.length
    await press(buttons[0]?.[0]?.data ?? '')
    expect((await said(before + 1)).at(-1)?.text).toContain('不能使用这条指令')
    expect((await answerTo('/search planet')).buttons).toEqual([])
    expect((await answerTo('/help')).text).not.toContain('/sites')
  })

  test('that presses another chat’s button does nothing', async ({ expect }) => {
    const { buttons } = await answerTo('/search planet')
    await pair(502)
    const { updates } = await press(buttons[0]?.[0]?.data ?? '', 502)
    const id = `press${updates[0]?.update_id}`
    expect(await until(async () => (await platform()).presses[id])).toBe('这个按钮已经用过，或者已经过期')
  })
})

describe('any other text', () => {
  beforeEach(async () => {
    await setUp()
    await pair()
  })

  test('is answered by the assistant, in a conversation that the owner finds on the page', async ({ expect }) => {
    await script.will(says('All is well.'), says('Still well.'))
    expect((await answerTo('How are things?')).text).toBe('All is well.')
    expect((await answerTo('And now?')).text).toBe('Still well.')
    const listed = (await send('GET', `${appPrefix}/assistant/conversations`, session)).body.items
    expect(listed.filter(({ entry }: { entry: string }) => entry === 'chatops')).toHaveLength(1)
    await answerTo('/new')
    await script.will(says('Anew.'))
    expect((await answerTo('Hello')).text).toBe('Anew.')
    const more = (await send('GET', `${appPrefix}/assistant/conversations`, session)).body.items
    expect(more.filter(({ entry }: { entry: string }) => entry === 'chatops')).toHaveLength(2)
    expect((await send('GET', `${appPrefix}/assistant/status`, session)).body.chatops).toBe(true)
  })

  test('that is long is said in pieces that the platform takes', async ({ expect }) => {
    const long = `${'a'.repeat(chatMessageCharactersMax - 10)}\n${'b'.repeat(100)}`
    await script.will(says(long))
    const before = (await platform()).sent.length
    await write('Tell me more')
    const pieces = (await said(before + 2)).slice(before)
    expect(pieces.map(({ text }) => text).join('\n')).toBe(long)
  })

  test('that wants something done becomes a question with two buttons, of which one counts', async ({ expect }) => {
    await show({ [hashOf(1)]: { name: 'Salt Road', size: 1, state: 'stalledDL', progress: 0.5 } })
    const downloaders = (await send('GET', `${appPrefix}/downloaders`, session)).body.items
    const targets = [{ downloader_id: downloaders[0].id, task_id: hashOf(1) }]
    await script.will(calls(['pause_torrent', { targets }]), says('Paused it.'))
    const question = await answerTo('Pause it')
    expect(question.text).toMatch(/暂停.*Salt Road[\s\S]*5 分钟内有效/)
    const [yes, no] = question.buttons[0] ?? []
    expect([yes?.text, no?.text]).toEqual(['同意', '拒绝'])
    const before = (await platform()).sent.length
    await press(yes?.data ?? '', 501, question.message)
    expect((await said(before + 1)).at(-1)?.text).toBe('Paused it.')
    expect((await told({})).torrents[hashOf(1)]?.state).toMatch(/stopped|paused/)
    const { updates } = await press(no?.data ?? '', 501, question.message)
    const id = `press${updates[0]?.update_id}`
    expect(await until(async () => (await platform()).presses[id])).toContain('已经用过')
    expect((await platform()).sent.find(({ message }) => message === question.message)?.buttons).toEqual([])
    expect(await auditRows()).toContainEqual(expect.objectContaining({ channel: 'ai_assistant' }))
  })
})

describe('words that the owner saved', () => {
  const replies = templateTypes.filter((type) => type.startsWith('reply.'))
  const template = (type: string) => `${appPrefix}/templates/${type}`

  /** What the bot said, by the reply that it is. */
  async function everyReply(stranger: number): Promise<Readonly<Record<string, string | undefined>>> {
    const answerAfter = async (way: () => Promise<unknown>) => {
      const before = (await platform()).sent.length
      await way()
      return (await said(before + 1))[before]?.text
    }
    const firstButton = ({ buttons }: Sent) => buttons[0]?.[0]?.data ?? ''
    // Who is not paired is told so once.
    const turnedAway = await answerTo('/status', stranger)
    const paired = await pair()
    await show({ [hashOf(1)]: { name: 'Salt Road', size: 1000, state: 'stalledDL', progress: 0.5 } })
    const torrents = await answerTo('/pause salt')
    const search = await answerTo('/search planet')
    const downloaders = (await send('GET', `${appPrefix}/downloaders`, session)).body.items
    const targets = [{ downloader_id: downloaders[0].id, task_id: hashOf(1) }]
    await script.will(calls(['resume_torrent', { targets }]), says('Resumed it.'))
    return {
      'reply.stranger': turnedAway.text,
      'reply.paired': paired.text,
      'reply.torrents': torrents.text,
      'reply.search': search.text,
      'reply.changed': await answerAfter(() => press(firstButton(torrents))),
      'reply.pushed': await answerAfter(() => press(firstButton(search))),
      'reply.status': (await answerTo('/status')).text,
      'reply.sites': (await answerTo('/sites')).text,
      'reply.brush': (await answerTo('/brush')).text,
      'reply.help': (await answerTo('/help')).text,
      'reply.failed': (await answerTo('/search')).text,
      'reply.confirm': (await answerTo('Resume it')).text,
    }
  }

  test('are in every reply from then on, and in none once they are taken back', async ({ expect }) => {
    const own = Object.fromEntries(replies.map((type) => [type, `own words of ${type}`]))
    for (const [type, text] of Object.entries(own))
      expect((await send('PUT', template(type), session, { json: { title: '', text } })).status, type).toBe(200)
    await setUp()
    // What was pushed is told in the same chat.
    await env.DB.prepare("update channels set events = ',' where id = ?").bind(channelId).run()
    expect(await everyReply(502)).toEqual(own)

    for (const type of replies) await send('DELETE', template(type), session)
    await send('DELETE', `${chatOf()}s/${(await send('GET', chatOf(), session)).body.chats[0].id}`, session)
    await told({ empty: true })
    const builtIn = Object.entries(await everyReply(503))
    expect(builtIn.filter(([type, text]) => text === undefined || text === own[type])).toEqual([])
  })
})

describe('a subscription', () => {
  test('that was confirmed by a button says that it came from a chat', async ({ expect }) => {
    await setProvider(session, 'chats')
    await setUp()
    await pair()
    await script.will(calls(['add_subscription', { media_type: 'movie', tmdb_id: 11 }]), says('Subscribed.'))
    const question = await answerTo('I want to see it')
    const before = (await platform()).sent.length
    await press(question.buttons[0]?.[0]?.data ?? '', 501, question.message)
    expect((await said(before + 1)).at(-1)?.text).toBe('Subscribed.')
    expect((await send('GET', `${appPrefix}/subscriptions`, session)).body).toMatchObject([
      { tmdb_id: 11, source: 'chatops' },
    ])
  })
})

describe('the platform', () => {
  test('is asked after what was taken, and its refusals are waited out', async ({ expect }) => {
    await setUp()
    await pair()
    await platform({ refusals: [{ status: 429, retryAfter: 1 }] })
    const startedMs = Date.now()
    const answer = answerTo('/status')
    // Nothing wakes it but its next question, so another message follows.
    expect((await answer).text).toContain('站点')
    expect(Date.now() - startedMs).toBeGreaterThanOrEqual(1000)
    const { asked } = await platform()
    expect(asked[0]).toBeNull()
    expect(asked.at(-1)).toBeGreaterThan(7001)
  })

  test('that repeats an update is answered once', async ({ expect }) => {
    await setUp()
    await pair()
    await answerTo('/status')
    const { sent } = await platform()
    await platform({ next: 7002 })
    await write('/status')
    await platform({ next: 7900 })
    await answerTo('/status')
    expect((await platform()).sent).toHaveLength(sent.length + 1)
  })

  test('has a webhook of somebody else’s: it is taken away, since the owner wants to ask', async ({ expect }) => {
    await platform({ hook: 'https://elsewhere.example/' })
    await setUp()
    await until(async () => ((await platform()).hook === undefined ? true : undefined))
    expect((await platform()).hook).toBeUndefined()
  })

  test('that does not know the token is said on the page', async ({ expect }) => {
    token = `${tokens}:TokenRevoked`
    const { body } = await send('GET', `${consolePrefix}/channels`, session)
    const { name, events } = body.items.find(({ id }: { id: number }) => id === channelId)
    await send('PUT', `${consolePrefix}/channels/${channelId}`, session, {
      json: { name, type: 'bot', enabled: true, events, token },
    })
    await setUp()
    const reason = await until(async () => (await send('GET', chatOf(), session)).body.reason)
    expect(reason).toEqual({ kind: 'channel.credentials' })
  })
})

describe('a webhook', () => {
  const post = (secret: string, update: unknown, id = channelId) =>
    exports.default.fetch(
      new Request(`http://wharf.test/api/chat/${id}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
        body: JSON.stringify(update),
      }),
    )
  /** As the console opened under https would. */
  const setHook = async () => {
    await env.DB.prepare(
      `insert into chat_bots (channel_id, way, commands, origin) values (?, 'webhook', ',status,', 'https://wharf.example')`,
    )
      .bind(channelId)
      .run()
    await objectOf().wake(channelId)
    return until(async () => (await platform()).hook)
  }

  test('needs an address with https', async ({ expect }) => {
    expect(await setUp({ way: 'webhook' })).toMatchObject({
      status: 400,
      body: { reason: { kind: 'field.wrong', field: 'way', rule: { kind: 'chat.no_https' } } },
    })
  })

  test.for([
    ['https://nas.example', 'https://nas.example/wharf'],
    ['https://other.example', 'https://other.example'],
  ])('is where the console is open: at %s it is %s', async ([opened, home], { expect }) => {
    const run = (work: Promise<unknown>) => waitUntil(work)
    const server = createApp(composeAppDeps({ ...env, BASED_AT: 'https://nas.example/wharf' }, { run }))
    const ask = (path: string, method: string, body: object, cookie = '') =>
      server.fetch(
        new Request(`${opened}${path}`, {
          method,
          headers: { origin: opened ?? '', 'content-type': 'application/json', cookie },
          body: JSON.stringify(body),
        }),
      )
    const signedIn = await ask(`${consolePrefix}/sign-in`, 'POST', { password: ownerPassword })
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0]
    expect((await ask(chatOf(), 'PUT', { way: 'webhook', commands: ['status'] }, cookie)).status).toBe(200)
    const { url } = await until(async () => (await platform()).hook)
    expect(url).toBe(`${home}/api/chat/${channelId}`)
  })

  test('is set with a secret, without which nothing is taken', async ({ expect }) => {
    const { url, secret } = await setHook()
    expect(url).toBe(`https://wharf.example/api/chat/${channelId}`)
    const { updates } = await write('/status')
    for (const [wrong, id] of [
      ['', channelId],
      [`${secret}x`, channelId],
      [secret, channelId + 1],
    ] as const)
      expect((await post(wrong, updates[0], id)).status).toBe(401)
    expect((await platform()).sent).toEqual([])
    expect((await post(secret, updates[0])).status).toBe(200)
    await said(1)
    // The platform sends again what it did not see taken.
    expect((await post(secret, updates[0])).status).toBe(200)
    expect((await post(secret, { nothing: 'known' })).status).toBe(200)
    expect((await post(secret, 'x'.repeat(300_000))).status).toBe(400)
    await post(secret, (await write('/status', 502)).updates[0])
    const sent = await said(2)
    expect(sent.map(({ chat }) => chat)).toEqual([501, 502])
  })

  test.for([
    [chatUpdatesWaitingMax - 1, 200],
    [chatUpdatesWaitingMax, 503],
  ] as const)('with %i updates waiting answers one more with %i', async ([waiting, status], { expect }) => {
    const { secret } = await setHook()
    await until(async () =>
      (await runInDurableObject(objectOf(), (_, state) => state.storage.getAlarm())) === null ? true : undefined,
    )
    await runInDurableObject(objectOf(), (_, { storage: { sql } }) => {
      for (let at = 0; at < waiting; at += 1)
        sql.exec(`insert into chat_update values (?, '{}', 'waiting', ?)`, 100_000 + at, Date.now())
    })

    const answer = await post(secret, { update_id: 1 })

    expect(answer.status).toBe(status)
    expect(answer.headers.get('retry-after')).toBe(status === 503 ? '30' : null)
  })

  test('is taken away when the bot is to hear nothing more', async ({ expect }) => {
    await setHook()
    await setUp({ way: 'off' })
    await until(async () => ((await platform()).hook === undefined ? true : undefined))
    expect((await platform()).hook).toBeUndefined()
  })

  test('goes with its channel, and what is sent to it afterwards is refused', async ({ expect }) => {
    const { secret } = await setHook()
    const { updates } = await write('/status')
    expect((await send('DELETE', `${consolePrefix}/channels/${channelId}`, session)).status).toBe(200)
    expect((await platform()).hook).toBeUndefined()
    expect((await post(secret, updates[0])).status).toBe(401)
    expect((await platform()).sent).toEqual([])
  })
})

describe('a life that ended', () => {
  test('leaves nothing out and does nothing twice', async ({ expect }) => {
    await setUp()
    await pair()
    const before = (await platform()).sent.length
    await setUp({ way: 'off' })
    await until(
      async () => (await runInDurableObject(objectOf(), (_, state) => state.storage.getAlarm())) === null || undefined,
    )
    // What was taken and not looked at, what was begun, and what was to be said when it ended.
    const update = (id: number, text: string) =>
      JSON.stringify({
        update_id: id,
        message: {
          message_id: 1,
          from: { id: 501, first_name: 'Ada' },
          chat: { id: 501, type: 'private' },
          text,
        },
      })
    await runInDurableObject(objectOf(), (_, { storage: { sql } }) => {
      sql.exec(`insert into chat_message (chat, body, due_at_ms) values ('501', '{"kind":"say","text":"first"}', 0)`)
      sql.exec(`insert into chat_update values (8000, ?, 'acting', ?)`, update(8000, 'push it'), Date.now())
      sql.exec(`insert into chat_update values (8001, ?, 'waiting', ?)`, update(8001, '/brush'), Date.now())
    })
    await setUp()
    const sent = (await said(before + 3)).slice(before)
    expect(sent.map(({ text }) => text.slice(0, 7))).toEqual(['first', '没有做成：服务', '还没有刷流任务'])
  })
})

describe('a channel', () => {
  test('that is no bot hears nothing, and one that is removed takes its chats along', async ({ expect }) => {
    const hook = await send('POST', `${consolePrefix}/channels`, session, {
      json: { name: 'hook', type: 'webhook', address: 'http://127.0.0.1:9/x', enabled: false, events: ['push.done'] },
    })
    expect((await send('GET', chatOf(hook.body.id), session)).status).toBe(404)
    await send('DELETE', `${consolePrefix}/channels/${hook.body.id}`, session)
    expect((await makeCode()).body.reason).toEqual({ kind: 'chat.off' })
    await setUp()
    await pair()
    await setUp({ way: 'off' })
    await send('DELETE', `${consolePrefix}/channels/${channelId}`, session)
    const left = await env.DB.prepare(
      'select (select count(*) from chat_bots) + (select count(*) from paired_chats) as many',
    ).first<number>('many')
    expect(left).toBe(0)
  })
})
