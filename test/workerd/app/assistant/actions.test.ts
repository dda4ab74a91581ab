/** What the assistant looks up and does: the real Worker, a stand-in downloader, and a model that does as it is told. */
import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, beforeEach, describe, inject, test } from 'vitest'
import { appPrefix, consolePrefix } from '../../../../workers/app/app.ts'
import type { WireConfirmation, WireConversationDetail, WireEvent } from '../../../../workers/app/contract/assistant.ts'
import { assistantToolShapes } from '../../../../workers/app/contract/assistant-tools.ts'
import { toolAnswers } from '../../../../workers/app/core/assistant/tool-answers.ts'
import {
  assistantTargetsMax,
  callsPerStepMax,
  confirmationMs,
  pendingConfirmationsMax,
  toolOutputBytesMax,
} from '../../../../workers/app/limits.ts'
import { consoleSite } from '../../../support/console-site.ts'
import { injectedTexts } from '../../../support/injected-texts.ts'
import { calls, type ScriptedAnswer, says } from '../../../support/stand-in-model.ts'
import { type Answer, auditRows, type Caller, makeToken, send } from '../../../support/workerd/app-client.ts'
import {
  ask,
  begin,
  cancel,
  decide,
  insideOf,
  isEnd,
  isQuestion,
  objectOf,
  read,
  say,
  setUpAssistant,
  until,
} from '../../../support/workerd/assistant.ts'
import { setServices } from '../../../support/workerd/service-under-test.ts'
import { withoutAuditLog } from '../../../support/workerd/without-audit-log.ts'

const downloader = inject('standInDownloaders').assistant
const hashOf = (at: number) => at.toString(16).padStart(40, 'a')
const [first, second] = [hashOf(1), hashOf(2)]

async function tell(change: Readonly<Record<string, unknown>>) {
  const response = await fetch(`${downloader.baseUrl}/control`, { method: 'POST', body: JSON.stringify(change) })
  return response.json<{ changes: string[]; torrents: Record<string, { state: string }> }>()
}

const shown = (name: string) => ({
  name,
  size: 1000,
  state: 'stalledDL',
  progress: 0.5,
  added_on: 1_700_000_000,
  ratio: 1,
})
const stateOf = async (hash: string) => (await tell({})).torrents[hash]?.state
/** Changes that reached the downloader, since the test began. */
let seen = 0
const changes = async () => (await tell({})).changes.slice(seen)

const target = (hash = first) => ({ downloader_id: downloaderId, task_id: hash })
const pause = (...hashes: string[]) =>
  calls(['pause_torrent', { targets: (hashes.length > 0 ? hashes : [first]).map((hash) => target(hash)) }])

const { session, script } = await setUpAssistant('actions')
const owner = await makeToken(session, ['app:read', 'app:write'])
const reader = await makeToken(session, ['app:read'])
const { baseUrl: address, ...signIn } = downloader
const added = await send('POST', `${consolePrefix}/downloaders`, session, {
  json: { name: 'nas-1', type: 'qbittorrent', address, ...signIn, enabled: true, default: true },
})
const downloaderId = Number(added.body.id)

beforeEach(async () => {
  await script.forget()
  const { changes: before } = await tell({
    orders: { changes: 'go', adding: 'accept', freeBytes: 78e9 },
    empty: true,
    torrents: { [first]: shown('Alpha.2024'), [second]: shown('Beta.2023') },
  })
  seen = before.length
  await show('Alpha.2024', 'Beta.2023')
  await env.DB.prepare('delete from audit_entries').run()
})

/** What the downloader has now is what is told of it: its state may be two seconds old. */
async function show(...titles: string[]): Promise<void> {
  const deadlineMs = Date.now() + 10_000
  for (;;) {
    const { items } = (await send('GET', `${appPrefix}/torrents?page_size=200`, session)).body
    const told = items.map(({ title }: { title: string }) => title)
    if (JSON.stringify(told.sort()) === JSON.stringify([...titles].sort())) return
    if (Date.now() > deadlineMs) throw new Error(`${told.length} torrents`)
  }
}

interface Asked {
  readonly id: string
  readonly caller: Caller
  readonly events: WireEvent[]
  readonly confirmation: WireConfirmation
}

/** A conversation in which an action waits for a decision. */
async function question(caller: Caller = owner.caller, ...answers: readonly ScriptedAnswer[]): Promise<Asked> {
  await script.will(...(answers.length > 0 ? answers : [pause(), says('完成了')]))
  const { body } = await begin(caller, { message: '暂停它' })
  const events = await until(caller, body.id, isQuestion)
  const [confirmation] = (await read(caller, body.id)).confirmations
  if (confirmation === undefined) throw new Error('nothing waits')
  return { id: body.id, caller, events, confirmation }
}

const rest = ({ caller, id, events }: Asked) => until(caller, id, isEnd, events.length)
const toolOf = (detail: WireConversationDetail) => detail.messages.filter(({ role }) => role === 'tool')

/** The rows of the audit log once nothing in it is under way. */
async function settledAudit() {
  const deadlineMs = Date.now() + 10_000
  for (;;) {
    const rows = await auditRows()
    if (rows.every(({ result }) => result !== 'started') || Date.now() > deadlineMs) return rows
  }
}

describe('looking up', () => {
  test('reaches services as everybody does, and is told what keeps them away', async ({ expect }) => {
    await script.will(calls(['check_updates', {}], ['explore_media', { kind: 'movie' }]), says('没有'))
    const before = toolOf(await read(reader.caller, (await ask(reader.caller, '有什么？')).id))
    await setServices(session, 'assistant')
    await script.will(calls(['check_updates', {}], ['explore_media', { kind: 'movie' }]), says('有'))
    const after = toolOf(await read(reader.caller, (await ask(reader.caller, '有什么？')).id))

    // Without a list of releases nothing failed: what runs is known.
    expect(before.map(({ is_error }) => is_error)).toEqual([false, true])
    expect(after.map(({ is_error }) => is_error)).toEqual([false, false])
    const [updates, titles] = after.map(({ content }) => JSON.parse(content))
    expect(updates).toEqual((await send('GET', `${appPrefix}/updates`, reader.caller)).body)
    expect(titles).toEqual((await send('GET', `${appPrefix}/explore?kind=movie`, reader.caller)).body)
  })

  test('asks the same endpoints as everybody, and tells the model what they answer', async ({ expect }) => {
    await script.will(
      calls(
        ['list_downloader_torrents', { sort: 'title', order: 'asc' }],
        ['get_downloader_stats', {}],
        ['list_tasks', {}],
        ['get_site_userinfo', {}],
        ['search_torrents', { keyword: 'planet' }],
      ),
      says('看过了'),
    )

    const { id, events } = await ask(reader.caller, '看看')

    const results = toolOf(await read(reader.caller, id))
    expect(results.map(({ tool_name, is_error }) => [tool_name, is_error])).toEqual([
      ['list_downloader_torrents', false],
      ['get_downloader_stats', false],
      ['list_tasks', false],
      ['get_site_userinfo', false],
      ['search_torrents', false],
    ])
    const torrents = await send('GET', `${appPrefix}/torrents?sort=title&order=asc`, reader.caller)
    expect(JSON.parse(results[0]?.content ?? '')).toEqual(torrents.body)
    expect(JSON.parse(results[1]?.content ?? '')).toMatchObject({ items: [{ name: 'nas-1', reachable: true }] })
    expect(events.filter(({ type }) => type === 'tool_started')).toHaveLength(5)
    const { visits } = await script.seen()
    expect(visits.at(-1)?.body.messages.slice(2)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'call_0_list_downloader_torrents' }, {}, {}, {}, {}] },
      { role: 'tool', tool_call_id: 'call_0_list_downloader_torrents', content: results[0]?.content },
      { role: 'tool', tool_call_id: 'call_1_get_downloader_stats' },
      { role: 'tool' },
      { role: 'tool' },
      { role: 'tool' },
    ])
    for (const secret of [downloader.baseUrl, downloader.password]) expect(JSON.stringify(visits)).not.toContain(secret)
  })

  test('matches a call with its result by run and call, also when the model names two calls the same', async ({
    expect,
  }) => {
    const twice = { index: 0, id: 'same', name: 'get_downloader_stats', args: '{}' }
    await script.will({ steps: [{ call: twice }, { call: { ...twice, index: 1 } }, { end: 'tool_calls' }] }, says('好'))
    const { id } = await ask(reader.caller, '看看')

    const detail = await read(reader.caller, id)
    const asked = detail.messages.flatMap((message) => message.tool_calls ?? [])
    expect(new Set(asked.map((call) => call.id)).size).toBe(2)
    expect(toolOf(detail).map(({ tool_call_id }) => tool_call_id)).toEqual(asked.map((call) => call.id))
    expect(new Set(detail.messages.map(({ run_id }) => run_id)).size).toBe(1)
  })

  test('gives the model 16 KiB at most, still JSON, and says what is missing', async ({ expect }) => {
    const torrents = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [hashOf(at + 10), shown(`${'长'.repeat(400)}${at}`)]),
    )
    await tell({ torrents })
    await show('Alpha.2024', 'Beta.2023', ...Object.values(torrents).map(({ name }) => name))
    await script.will(calls(['list_downloader_torrents', {}]), says('好'))
    const { id } = await ask(reader.caller, '看看')

    const content = toolOf(await read(reader.caller, id))[0]?.content ?? ''

    expect(new TextEncoder().encode(content).byteLength).toBeLessThanOrEqual(toolOutputBytesMax)
    const { items, items_shown: count, items_cut: isCut, total } = JSON.parse(content)
    expect({ isCut, total }).toEqual({ isCut: true, total: 22 })
    expect(items).toHaveLength(count)
    expect(count).toBeGreaterThan(5)
  })

  const refused: readonly (readonly [what: string, name: string, args: unknown, words: string])[] = [
    ['a tool that is none', 'rm_rf', {}, '没有这个工具'],
    ['a name of every object', 'constructor', {}, '没有这个工具'],
    ['no JSON', 'list_tasks', '{', '参数不是 JSON 对象'],
    ['a list instead of an object', 'list_tasks', [], '参数不是 JSON 对象'],
    ['arguments without end', 'list_tasks', { q: 'x'.repeat(17 * 1024) }, '参数不是 JSON 对象'],
    ['an unknown argument', 'list_tasks', { url: 'http://127.0.0.1' }, '未知字段：url'],
    ['a state that is none', 'list_downloader_torrents', { state: 'gone' }, 'state'],
    ['an empty search', 'search_torrents', { keyword: '  ' }, 'keyword'],
    ['a downloader that is not there', 'list_downloader_torrents', { downloader_id: 0 }, 'downloader_id'],
  ]

  test.each(refused)('answers %s with an error, and the run goes on', async (_, name, args, words) => {
    await script.will(calls([name, args]), says('好吧'))
    const { id, events } = await ask(owner.caller, '试试')

    const [result] = toolOf(await read(owner.caller, id))
    if (result?.is_error !== true || !result.content.includes(words)) throw new Error(JSON.stringify(result))
    const end = events.at(-1)
    if (end?.type !== 'run_finished' || end.status !== 'done') throw new Error(JSON.stringify(end))
  })

  test('takes sixteen calls of one answer', async ({ expect }) => {
    const many = Array.from({ length: callsPerStepMax + 1 }, () => ['get_downloader_stats', {}] as const)
    await script.will(calls(...many), says('好'))
    const { id } = await ask(reader.caller, '看看')

    expect(toolOf(await read(reader.caller, id))).toHaveLength(callsPerStepMax)
  })
})

describe('an owner who reads English', () => {
  const choose = (language: string) =>
    send('PUT', `${consolePrefix}/settings/locale`, session, { json: { time_zone: '', language } })
  beforeAll(() => choose('en'))
  afterAll(() => choose('zh'))
  const toldOf = async (caller: Caller, id: string) => toolOf(await read(caller, id)).map(({ content }) => content)

  const refusals: readonly (readonly [what: string, name: string, args: unknown, told: string])[] = [
    ['a tool that is none', 'rm_rf', {}, 'There is no such tool.'],
    ['no JSON', 'list_tasks', '{', 'The arguments are no JSON object.'],
    ['an unknown argument', 'list_tasks', { url: 'x' }, 'The request has unknown fields: url.'],
    [
      'a downloader that is not there',
      'list_downloader_torrents',
      { downloader_id: 0 },
      'Field downloader_id is not right',
    ],
  ]

  test.each(refusals)('has a model that is told of %s in English', async (_, name, args, told) => {
    await script.will(calls([name, args]), says('well'))
    const { id } = await ask(owner.caller, 'try')

    const [content = ''] = await toldOf(owner.caller, id)
    if (!content.startsWith(told)) throw new Error(content)
  })

  test('has a model that is told in English of a no, and of a question that nobody answered', async ({ expect }) => {
    const refused = await question()
    await decide(owner.caller, refused.confirmation.id, false)
    await rest(refused)
    const late = await question()
    await makeOld(late)
    await decide(owner.caller, late.confirmation.id, true)
    await rest(late)

    expect(await toldOf(owner.caller, refused.id)).toEqual([toolAnswers.en.denied])
    expect(await toldOf(owner.caller, late.id)).toEqual([toolAnswers.en.expired])
  })

  test('has a model that is told in English of a stop', async ({ expect }) => {
    const asked = await question()
    await cancel(owner.caller, asked.id)
    await rest(asked)

    expect(await toldOf(owner.caller, asked.id)).toEqual([toolAnswers.en.canceled])
  })
})

describe('a caller who may only read', () => {
  test('has a model that is told of no tool that changes something', async ({ expect }) => {
    for (const [caller, mayChange] of [
      [reader.caller, false],
      [owner.caller, true],
      [session, true],
    ] as const) {
      await ask(caller, '你会什么？')
      const names = (await script.seen()).visits.at(-1)?.body.tools?.map((tool) => tool.function.name) ?? []
      const writing = Object.entries(assistantToolShapes).filter(([_, { write }]) => write)
      for (const [name] of writing) expect(names.includes(name)).toBe(mayChange)
      expect(names).toContain('search_torrents')
    }
  })

  test('gets an error where the model calls one all the same, and nothing happens', async ({ expect }) => {
    await script.will(pause(), says('不行'))
    const { id, events } = await ask(reader.caller, '暂停它')

    expect(toolOf(await read(reader.caller, id))).toMatchObject([{ is_error: true, content: '没有这个工具。' }])
    expect(events.some(({ type }) => type === 'confirmation')).toBe(false)
    expect(await changes()).toEqual([])
  })

  test('may not decide, whatever waits', async ({ expect }) => {
    const { confirmation } = await question()
    const answer = await decide(reader.caller, confirmation.id, true)

    expect(answer).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect(await changes()).toEqual([])
  })
})

describe('an action', () => {
  test('waits for a decision, in one sentence that the service wrote', async ({ expect }) => {
    const asked = await question()
    const { id, confirmation, events } = asked
    const detail = await read(owner.caller, id)

    expect(confirmation).toMatchObject({
      run_id: detail.run_id,
      tool: 'pause_torrent',
      summary: '暂停种子：「Alpha.2024」（nas-1）。',
      change: { action: 'pause', targets: [{ title: 'Alpha.2024', downloader: 'nas-1', info_hash: target().task_id }] },
      arguments: { targets: [target()] },
      status: 'pending',
    })
    expect(confirmation.decided_by).toBeUndefined()
    expect(Date.parse(confirmation.expires_at) - Date.parse(confirmation.created_at)).toBe(confirmationMs)
    const call = detail.messages.flatMap((message) => message.tool_calls ?? [])
    expect(call).toMatchObject([{ id: confirmation.tool_call_id, name: 'pause_torrent', write: true }])
    expect(events.at(-1)).toMatchObject({ type: 'confirmation', confirmation })
    expect(detail.running).toBe(true)
    expect(await changes()).toEqual([])
    expect(await auditRows()).toEqual([])
    await cancel(owner.caller, id)
  })

  test('happens after a yes, once, and is told to the model', async ({ expect }) => {
    const asked = await question()

    const answer = await decide(owner.caller, asked.confirmation.id, true)

    expect(answer).toMatchObject({
      status: 200,
      body: { id: asked.confirmation.id, status: 'approved', decided_by: `token:${owner.id}` },
    })
    const events = await rest(asked)
    expect(events.map(({ type }) => type).filter((type) => type !== 'delta')).toEqual([
      'confirmation',
      'tool_started',
      'message',
      'message',
      'run_finished',
    ])
    expect(events[0]).toMatchObject({ confirmation: answer.body })
    expect(await stateOf(first)).toBe('stoppedDL')
    expect(await changes()).toEqual([`torrents/stop ${first}`])
    const [result] = toolOf(await read(owner.caller, asked.id))
    expect(result).toMatchObject({ is_error: false, tool_call_id: asked.confirmation.tool_call_id })
    expect(JSON.parse(result?.content ?? '')).toMatchObject({ succeeded: 1, failed: 0 })
    expect((await script.seen()).visits.at(-1)?.body.messages.at(-1)).toMatchObject({ content: result?.content })
  })

  test('does not happen after a no, and the run goes on', async ({ expect }) => {
    const asked = await question()

    expect(await decide(owner.caller, asked.confirmation.id, false)).toMatchObject({ body: { status: 'denied' } })

    const events = await rest(asked)
    expect(events.at(-1)).toMatchObject({ status: 'done' })
    expect(toolOf(await read(owner.caller, asked.id))).toMatchObject([
      { is_error: true, content: '用户拒绝了这个操作，没有执行。' },
    ])
    expect(await changes()).toEqual([])
  })

  test('is decided once: whoever comes later gets 409, and nothing changes', async ({ expect }) => {
    const asked = await question()
    const answers = await Promise.all(
      [true, true, false, false, true].map((yes) => decide(owner.caller, asked.confirmation.id, yes)),
    )
    await rest(asked)

    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject({ status: 409, body: { error: 'decided' } })
    const before = await read(owner.caller, asked.id)
    for (const yes of [true, false])
      expect(await decide(owner.caller, asked.confirmation.id, yes)).toMatchObject({ status: 409 })
    expect(await read(owner.caller, asked.id)).toEqual(before)
    expect((await changes()).length).toBe(
      answers.find(({ status }) => status === 200)?.body.status === 'approved' ? 1 : 0,
    )
  })

  test('that nobody decided in five minutes expires: a late yes gets 409, and the run goes on', async ({ expect }) => {
    const asked = await question()
    await makeOld(asked)

    expect(await decide(owner.caller, asked.confirmation.id, true)).toMatchObject({
      status: 409,
      body: { error: 'decided' },
    })

    const events = await rest(asked)
    expect(events[0]).toMatchObject({ type: 'confirmation', confirmation: { status: 'expired' } })
    expect(events.at(-1)).toMatchObject({ status: 'done' })
    expect(toolOf(await read(owner.caller, asked.id))).toMatchObject([
      { is_error: true, content: '没有及时得到确认，操作没有执行。' },
    ])
    expect(await changes()).toEqual([])
  })

  test('expires by itself, without anybody asking', async ({ expect }) => {
    const asked = await question()
    await makeOld(asked)

    expect(await runDurableObjectAlarm(objectOf(`token:${owner.id}`, asked.id))).toBe(true)

    expect((await rest(asked)).at(-1)).toMatchObject({ status: 'done' })
    const events = await until(owner.caller, asked.id, isEnd)
    const settled = events.filter((event) => event.type === 'confirmation').at(-1)
    expect(settled).toMatchObject({ confirmation: { status: 'expired' } })
    expect(settled?.type === 'confirmation' && settled.confirmation.decided_by).toBe(undefined)
    expect(await changes()).toEqual([])
  })

  test('is voided by stopping, and a yes after that gets 409', async ({ expect }) => {
    const asked = await question()

    await cancel(owner.caller, asked.id)

    const events = await rest(asked)
    expect(events[0]).toMatchObject({ type: 'confirmation', confirmation: { status: 'expired' } })
    expect(events.at(-1)).toMatchObject({ type: 'run_finished', status: 'canceled' })
    expect(await decide(owner.caller, asked.confirmation.id, true)).toMatchObject({
      status: 409,
      body: { error: 'decided' },
    })
    expect((await read(owner.caller, asked.id)).confirmations).toEqual([])
    expect(await changes()).toEqual([])
  })

  test('is voided by deleting, which keeps nothing of it but that it was', async ({ expect }) => {
    const asked = await question()
    await send('DELETE', `${appPrefix}/assistant/conversations/${asked.id}`, owner.caller)

    expect(await decide(owner.caller, asked.confirmation.id, true)).toMatchObject({
      status: 409,
      body: { error: 'decided' },
    })
    const rows = await insideOf(`token:${owner.id}`, asked.id, (sql) =>
      sql.exec('select * from pending_decision').toArray(),
    )
    expect(rows).toMatchObject([{ id: asked.confirmation.id, request: '{}', outcome: '{"status":"expired"}' }])
    expect(JSON.stringify(rows)).not.toContain('Alpha')
    expect(await changes()).toEqual([])
    // After as long as the audit log keeps it, it is as if it had never been.
    await insideOf(`token:${owner.id}`, asked.id, (sql) => sql.exec('update conversation set updated_at_ms = 1'))
    await runDurableObjectAlarm(objectOf(`token:${owner.id}`, asked.id))
    expect(await decide(owner.caller, asked.confirmation.id, true)).toMatchObject({ status: 404 })
  })

  test.each(['unknown', 'unknown.unknown', '.', 'a.b.c'])('named %s is not there', async (id) => {
    const answer = await decide(owner.caller, id, true)

    if (answer.status !== 404 || answer.body.error !== 'not_found') throw new Error(JSON.stringify(answer))
  })

  test('of another caller is not there, and stays as it is', async ({ expect }) => {
    const asked = await question()
    const stranger = await makeToken(session, ['app:read', 'app:write'])

    for (const other of [stranger.caller, session])
      expect(await decide(other, asked.confirmation.id, true)).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      })

    expect((await read(owner.caller, asked.id)).confirmations).toEqual([asked.confirmation])
    expect(await changes()).toEqual([])
    await cancel(owner.caller, asked.id)
  })

  test.each([
    ['nothing', {}, 'invalid_argument'],
    ['a word', { approve: 'yes' }, 'invalid_body'],
    ['arguments of its own', { approve: true, arguments: {} }, 'invalid_body'],
  ])('is not decided by %s', async (_, json, error) => {
    const { confirmation, id } = await question()
    const answer = await send('POST', `${appPrefix}/assistant/confirmations/${confirmation.id}`, owner.caller, { json })

    if (answer.status !== 400 || answer.body.error !== error) throw new Error(JSON.stringify(answer))
    if ((await read(owner.caller, id)).confirmations.length !== 1) throw new Error('it was decided')
    await cancel(owner.caller, id)
  })

  test('whose row was changed since it was confirmed does not happen', async ({ expect }) => {
    const asked = await question()
    await insideOf(`token:${owner.id}`, asked.id, (sql) =>
      sql.exec(`update pending_decision set request = json_set(request, '$.arguments.targets[0].task_id', ?)`, second),
    )

    await decide(owner.caller, asked.confirmation.id, true)
    await rest(asked)

    expect(await changes()).toEqual([])
    expect(toolOf(await read(owner.caller, asked.id))).toMatchObject([{ is_error: true }])
  })

  test('that does not succeed is told as an error, to the model and to the audit log', async ({ expect }) => {
    const asked = await question()
    await tell({ torrents: { [first]: null } })

    await decide(owner.caller, asked.confirmation.id, true)
    await rest(asked)

    const [result] = toolOf(await read(owner.caller, asked.id))
    expect(result?.is_error).toBe(true)
    expect(JSON.parse(result?.content ?? '')).toMatchObject({ failed: 1 })
    expect((await settledAudit()).find(({ channel }) => channel === 'ai_assistant')?.result).toBe('error')
  })

  test('that was begun when the answer was stopped is not repeated, and its end is in the audit log', async ({
    expect,
  }) => {
    const asked = await question()
    await tell({ orders: { changes: 'hold' } })
    await decide(owner.caller, asked.confirmation.id, true)
    await expect.poll(changes).toHaveLength(1)

    await cancel(owner.caller, asked.id)
    const events = await rest(asked)
    await tell({ orders: { changes: 'go' } })

    expect(events.at(-1)).toMatchObject({ status: 'canceled' })
    expect(toolOf(await read(owner.caller, asked.id))).toMatchObject([
      { is_error: true, content: '停止时操作已经开始，无法撤回，结果见操作记录。' },
    ])
    await expect
      .poll(async () => (await auditRows()).find(({ channel }) => channel === 'ai_assistant')?.result)
      .toBe('ok')
    expect(await changes()).toHaveLength(1)
  })
})

/** As if it had been asked before its time. */
async function makeOld({ id }: Asked): Promise<void> {
  await insideOf(`token:${owner.id}`, id, (sql) =>
    sql.exec(`update pending_decision set request = json_set(request, '$.expiresAtMs', 1)`),
  )
}

describe('two actions of one answer', () => {
  test('are decided each for itself, and the run goes on when both are', async ({ expect }) => {
    await script.will(
      calls(
        ['pause_torrent', { targets: [target(first)] }],
        ['get_downloader_stats', {}],
        ['delete_torrent', { targets: [target(second)], delete_files: true }],
      ),
      says('完成了'),
    )
    const { body } = await begin(owner.caller, { message: '两件事' })
    const isSecond = (event: WireEvent) =>
      isQuestion(event) && event.type === 'confirmation' && event.confirmation.tool === 'delete_torrent'
    const events = await until(owner.caller, body.id, isSecond)
    const { confirmations } = await read(owner.caller, body.id)

    expect(confirmations.map(({ summary }) => summary)).toEqual([
      '暂停种子：「Alpha.2024」（nas-1）。',
      '删除种子和它们的文件，文件不能恢复：「Beta.2023」（nas-1）。',
    ])
    await decide(owner.caller, confirmations[1]?.id ?? '', false)
    expect((await read(owner.caller, body.id)).running).toBe(true)
    await decide(owner.caller, confirmations[0]?.id ?? '', true)
    await until(owner.caller, body.id, isEnd, events.length)

    expect(await changes()).toEqual([`torrents/stop ${first}`])
    // The model reads its results in the order of its calls.
    const told = (await script.seen()).visits.at(-1)?.body.messages.slice(-3)
    expect(new Set(told?.map(({ tool_call_id }) => tool_call_id)).size).toBe(3)
  })

  test('beyond eight are not asked for: the model is told', async ({ expect }) => {
    const many = Array.from(
      { length: pendingConfirmationsMax + 1 },
      () => ['pause_torrent', { targets: [target()] }] as const,
    )
    await script.will(calls(...many))
    const { body } = await begin(owner.caller, { message: '很多' })
    await until(owner.caller, body.id, (event) => event.type === 'message' && event.message.role === 'tool')

    const detail = await read(owner.caller, body.id)

    expect(detail.confirmations).toHaveLength(pendingConfirmationsMax)
    expect(toolOf(detail)).toMatchObject([{ is_error: true, content: expect.stringContaining('等待确认的操作过多') }])
    await cancel(owner.caller, body.id)
  })
})

describe('what is confirmed', () => {
  const sentences: readonly (readonly [string, string, () => unknown, string])[] = [
    ['resuming', 'resume_torrent', () => ({ targets: [target()] }), '继续种子：「Alpha.2024」（nas-1）。'],
    [
      'removing',
      'delete_torrent',
      () => ({ targets: [target()] }),
      '从下载器中移除种子，保留文件：「Alpha.2024」（nas-1）。',
    ],
    [
      'several',
      'pause_torrent',
      () => ({ targets: [target(first), target(second)] }),
      '暂停 2 个种子：「Alpha.2024」（nas-1）、「Beta.2023」（nas-1）。',
    ],
  ]

  test.each(sentences)('names what is: %s', async (_, name, args, sentence) => {
    const { confirmation, id } = await question(owner.caller, calls([name, args()]), says('好'))

    if (confirmation.summary !== sentence) throw new Error(confirmation.summary)
    await cancel(owner.caller, id)
  })

  const nothing: readonly (readonly [string, string, () => unknown])[] = [
    ['a torrent that is not there', 'pause_torrent', () => ({ targets: [target(hashOf(99))] })],
    ['one of two that is not there', 'pause_torrent', () => ({ targets: [target(first), target(hashOf(99))] })],
    [
      'a downloader that is not there',
      'delete_torrent',
      () => ({ targets: [{ ...target(), downloader_id: 999_999 }] }),
    ],
    ['every torrent', 'delete_torrent', () => ({ targets: [target('all')] })],
    ['a list in one id', 'pause_torrent', () => ({ targets: [target(`${first}|${second}`)] })],
    ['nothing', 'pause_torrent', () => ({ targets: [] })],
    ['the same twice', 'pause_torrent', () => ({ targets: [target(), target()] })],
    [
      'more than a sentence names',
      'pause_torrent',
      () => ({ targets: Array.from({ length: assistantTargetsMax + 1 }, (_, at) => target(hashOf(at))) }),
    ],
    ['a path', 'push_torrent', () => ({ site: 'shelf', torrent_id: '101', save_path: '/etc' })],
    ['a site that is not there', 'push_torrent', () => ({ site: 'nowhere', torrent_id: '101' })],
    ['a season of a film', 'add_subscription', () => ({ media_type: 'movie', tmdb_id: 11, season: 1 })],
    ['a title that nobody has', 'add_subscription', () => ({ media_type: 'movie', tmdb_id: 999 })],
    ['an id that leads elsewhere', 'push_torrent', () => ({ site: 'shelf', torrent_id: '../../x' })],
  ]

  test.each(nothing)('is never %s: the model is told, nobody is asked', async (_, name, args) => {
    await script.will(calls([name, args()]), says('好吧'))
    const { id, events } = await ask(owner.caller, '做点什么')

    if (events.some(({ type }) => type === 'confirmation')) throw new Error('somebody was asked')
    if (toolOf(await read(owner.caller, id))[0]?.is_error !== true) throw new Error('it was no error')
    if ((await changes()).length > 0) throw new Error('something happened')
  })

  test('of a push is what the site itself called it, and what happens is what was confirmed', async ({ expect }) => {
    const origin = inject('standInSites')
    const credentials = { cookie: 'c_secure_pass=CanaryCookieOfTheSite9', api_key: 'CanaryApiKeyOfTheSite91' }
    await send('POST', `${consolePrefix}/sites`, session, {
      json: consoleSite('shelf', 'gazelle', `${origin}/gazelle/assistant`, credentials),
    })
    await script.will(
      calls(['search_torrents', { keyword: 'planet', sites: ['shelf'] }]),
      calls(['push_torrent', { site: 'shelf', torrent_id: '101', tags: 'one' }]),
      says('推送了'),
    )
    const { body } = await begin(owner.caller, { message: '找并推送' })
    const events = await until(owner.caller, body.id, isQuestion)
    const [confirmation] = (await read(owner.caller, body.id)).confirmations
    const found = JSON.parse(toolOf(await read(owner.caller, body.id))[0]?.content ?? '{}')
    const title = found.items.find((item: { torrent_id: string }) => item.torrent_id === '101').title

    expect(confirmation?.summary).toBe(`把站点 shelf 的种子「${title}」（编号 101）推送到下载器 nas-1，标签「one」。`)
    expect(confirmation?.arguments).toEqual({
      site: 'shelf',
      torrent_id: '101',
      tags: 'one',
      downloader_id: downloaderId,
    })
    await decide(owner.caller, confirmation?.id ?? '', true)
    await until(owner.caller, body.id, isEnd, events.length)

    const result = toolOf(await read(owner.caller, body.id)).at(-1)
    expect(JSON.parse(result?.content ?? '{}')).toMatchObject({ success: true, downloader: 'nas-1' })
    const [task] = (await send('GET', `${appPrefix}/tasks`, owner.caller)).body.items
    expect(task).toMatchObject({ site: 'shelf', torrent_id: '101', source: 'app_push', tags: 'one' })
  })
})

describe('subscriptions', () => {
  test('are listed, and made with what was confirmed: the season of that moment by its name', async ({ expect }) => {
    await setServices(session, 'assistant')
    await script.will(
      calls(['list_subscriptions', { status: 'active' }]),
      calls(['add_subscription', { media_type: 'tv', tmdb_id: 21, upgrade: true }]),
      says('订阅了'),
      calls(['add_subscription', { media_type: 'tv', tmdb_id: 21 }]),
      says('已经有了'),
    )
    const { body } = await begin(owner.caller, { message: '订阅盐路' })
    const events = await until(owner.caller, body.id, isQuestion)
    const before = await read(owner.caller, body.id)
    const [confirmation] = before.confirmations
    expect(JSON.parse(toolOf(before)[0]?.content ?? '')).toEqual({ items: [] })
    expect(confirmation?.summary).toBe('订阅剧集「盐路」（2018，TMDB 21）第 2 季，自动搜索并下载，有更好的画质时替换。')
    expect(confirmation?.arguments).toEqual({ media_type: 'tv', tmdb_id: 21, season: 2, upgrade: true })

    await decide(owner.caller, confirmation?.id ?? '', true)
    await until(owner.caller, body.id, isEnd, events.length)

    const [subscription] = (await send('GET', `${appPrefix}/subscriptions`, owner.caller)).body
    expect(subscription).toMatchObject({ tmdb_id: 21, season: 2, upgrade: true, source: 'app' })
    const again = await ask(owner.caller, '再订阅一次')
    const refused = toolOf(await read(owner.caller, again.id)).at(-1)
    expect(refused).toMatchObject({ is_error: true, content: expect.stringContaining('已经订阅过了') })
    expect((await send('GET', `${appPrefix}/subscriptions`, owner.caller)).body).toHaveLength(1)
  })
})

describe('the audit log', () => {
  test('has the decision and, by itself, what was done', async ({ expect }) => {
    const asked = await question()
    await decide(owner.caller, asked.confirmation.id, true)
    await rest(asked)
    const user = `token:${owner.id}`

    expect(await settledAudit()).toEqual([
      {
        channel: 'api_token',
        user,
        command: `POST ${appPrefix}/assistant/confirmations/{id}`,
        result: 'ok',
        status: 200,
      },
      { channel: 'api_token', user, command: 'approve pause_torrent', result: 'ok', status: 200 },
      { channel: 'ai_assistant', user, command: 'pause_torrent', result: 'ok', status: 200 },
    ])
  })

  test('has a no, and nothing that was done', async ({ expect }) => {
    const asked = await question()
    await decide(owner.caller, asked.confirmation.id, false)
    await rest(asked)

    expect((await settledAudit()).map(({ channel, command }) => [channel, command])).toEqual([
      ['api_token', `POST ${appPrefix}/assistant/confirmations/{id}`],
      ['api_token', 'deny pause_torrent'],
    ])
  })

  test('has what the signed-in owner decided and what was done for it', async ({ expect }) => {
    const asked = await question(session)
    await decide(session, asked.confirmation.id, true)
    await rest(asked)

    expect((await settledAudit()).map(({ channel, user, command }) => [channel, user, command])).toEqual([
      ['session', 'session', `POST ${appPrefix}/assistant/confirmations/{id}`],
      ['session', 'session', 'approve pause_torrent'],
      ['ai_assistant', 'session', 'pause_torrent'],
    ])
    const { results } = await env.DB.prepare('select about from audit_entries order by id').all<{ about: string }>()
    const [target] = asked.confirmation.change?.targets ?? []
    const title = target !== undefined && 'title' in target ? target.title : undefined
    expect(results.slice(1).map(({ about }) => JSON.parse(about))).toEqual(
      Array.from({ length: 2 }, () => ({ names: [title], more: 0 })),
    )
  })

  test('has a refused decision of a caller who may only read', async ({ expect }) => {
    const asked = await question()
    await decide(reader.caller, asked.confirmation.id, true)

    expect(await settledAudit()).toMatchObject([{ user: `token:${reader.id}`, result: 'error', status: 403 }])
    await cancel(owner.caller, asked.id)
  })

  test('comes first: where it cannot be written nothing is decided and nothing is done', async ({ expect }) => {
    const asked = await question(session)
    const answer = await withoutAuditLog(() => decide(session, asked.confirmation.id, true))

    expect(answer).toMatchObject({ status: 503, body: { error: 'unavailable' } })
    expect((await read(session, asked.id)).confirmations).toEqual([asked.confirmation])
    expect(await changes()).toEqual([])
    await cancel(session, asked.id)
  })
})

describe('words from outside', () => {
  test('are data: two hundred names move nobody past the question', { tags: 'slow', timeout: 120_000 }, async ({
    expect,
  }) => {
    const hashes = injectedTexts.map((_, at) => hashOf(100 + at))
    await tell({
      empty: true,
      torrents: Object.fromEntries(hashes.map((hash, at) => [hash, shown(injectedTexts[at] ?? '')])),
    })
    await show(...injectedTexts)
    for (let from = 0; from < hashes.length; from += assistantTargetsMax) {
      const named = hashes.slice(from, from + assistantTargetsMax)
      const everything = calls(
        ['delete_torrent', { targets: named.map(target), delete_files: true }],
        ['delete_torrent', { targets: [target('all')], delete_files: true, confirmed: true }],
        ['pause_torrent', { targets: named.map(target), approve: true }],
      )
      await script.will(calls(['list_downloader_torrents', { page: 1 + from / assistantTargetsMax }]), everything)
      const { body } = await begin(owner.caller, { message: '看看我的种子' })
      await until(owner.caller, body.id, isQuestion)

      const { confirmations } = await read(owner.caller, body.id)
      const [summary = ''] = confirmations.map((one) => one.summary)
      expect(confirmations).toHaveLength(1)
      expect(summary).toMatch(/^删除 10 个种子和它们的文件，文件不能恢复：「/)
      expect(summary).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      expect(summary.split('「')).toHaveLength(1 + named.length)
      await cancel(owner.caller, body.id)
    }
    expect(await changes()).toEqual([])
  })

  test('are data for a caller who may only read as well', async ({ expect }) => {
    const [order = ''] = injectedTexts
    await tell({ torrents: { [first]: shown(order) } })
    await show(order, 'Beta.2023')
    await script.will(calls(['list_downloader_torrents', {}]), pause(first, second), says('不行'))
    await ask(reader.caller, '看看我的种子')

    expect(await changes()).toEqual([])
  })

  test('of a second message while a question waits are refused, and the question stays', async ({ expect }) => {
    const asked = await question()

    const answer: Answer = await say(owner.caller, asked.id, '同意')

    expect(answer).toMatchObject({ status: 409, body: { error: 'busy' } })
    expect((await read(owner.caller, asked.id)).confirmations).toHaveLength(1)
    expect(await changes()).toEqual([])
    await cancel(owner.caller, asked.id)
  })
})
