/** What the object of a bot keeps, on both engines: what happens once, and where it ends. */
import { beforeEach, test } from 'vitest'
import { ChatMemory } from '../../workers/app/adapters/chat/chat-memory.ts'
import {
  chatButtonsMax,
  chatMessagesWaitingMax,
  chatStrangerSeconds,
  chatStrangersMax,
  chatUpdateKeptSeconds,
  chatUpdatesKeptMax,
} from '../../workers/app/limits.ts'
import { newDatabase, type TestDatabase } from './engine.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await newDatabase()
  return () => database.close()
})

const say = (text: string) => ({ kind: 'say', text }) as const
const use = (work: (memory: ChatMemory) => void) =>
  database.use((sql) => {
    const memory = new ChatMemory(sql)
    memory.begin('first')
    work(memory)
  })

test('an update is taken once, also after it was worked on, and is asked for no more', async ({ expect }) => {
  await use((memory) => {
    expect(memory.offset(0, 1000)).toBeUndefined()
    memory.take([{ id: 7, body: 'a' }], 0)
    memory.done(7, '501', { messages: [] }, 0)
    memory.take(
      [
        { id: 7, body: 'a' },
        { id: 8, body: 'b' },
      ],
      10,
    )
    expect(memory.next()).toEqual({ id: 8, body: 'b', wasCutOff: false })
    expect(memory.offset(1000, 1000)).toBe(9)
    // After so long without one numbers may begin anywhere.
    expect(memory.offset(1011, 1000)).toBeUndefined()
  })
})

test('numbers are remembered for so many updates, and what waits is never forgotten', async ({ expect }) => {
  await use((memory) => {
    const updates = Array.from({ length: chatUpdatesKeptMax + 1 }, (_, id) => ({ id, body: id }))
    memory.take(updates, 0)
    expect(memory.waiting()).toBe(chatUpdatesKeptMax + 1)
    for (const { id } of updates) memory.done(id, '501', { messages: [] }, 0)
    // At the bound the oldest of them is gone, and may come again; the next one is known.
    memory.take([], 1)
    memory.take([{ id: 1, body: 1 }], 1)
    expect(memory.waiting()).toBe(0)
    memory.take([{ id: 0, body: 0 }], 1)
    expect(memory.next()?.id).toBe(0)
  })
})

test('what was begun is known as such, and numbers are forgotten after their time', async ({ expect }) => {
  await use((memory) => {
    memory.take([{ id: 7, body: 'a' }], 0)
    memory.acting(7)
    expect(memory.next()?.wasCutOff).toBe(true)
    memory.done(7, '501', { messages: [] }, 0)
    memory.take([{ id: 7, body: 'a' }], chatUpdateKeptSeconds * 1000)
    expect(memory.next()).toBeUndefined()
    memory.take([], chatUpdateKeptSeconds * 1000 + 1)
    memory.take([{ id: 7, body: 'a' }], chatUpdateKeptSeconds * 1000 + 1)
    expect(memory.next()?.id).toBe(7)
  })
})

test('of buttons that belong together one counts, once, in its chat and in its time', async ({ expect }) => {
  await use((memory) => {
    const action = { kind: 'decide', confirmationId: 'c', approve: true } as const
    const buttons = ['yes', 'no', 'late'].map((token) => ({
      token,
      together: token === 'late' ? 'other' : 'one',
      action,
      untilMs: 100,
    }))
    memory.take([{ id: 1, body: '' }], 0)
    memory.done(1, '501', { messages: [], buttons }, 0)
    expect(memory.press(1, 'yes', '502', 1)).toBeUndefined()
    expect(memory.press(1, 'yes', '501', 99)).toEqual(action)
    expect(memory.press(1, 'no', '501', 99)).toBeUndefined()
    expect(memory.press(1, 'late', '501', 100)).toBeUndefined()
  })
})

test('so many buttons and messages are kept, the newest', async ({ expect }) => {
  await use((memory) => {
    const action = { kind: 'decide', confirmationId: 'c', approve: true } as const
    const button = (at: number) => ({ token: `t${at}`, together: `t${at}`, action, untilMs: 100 })
    const fill = (count: number, from: number) => ({
      messages: Array.from({ length: Math.min(count, chatMessagesWaitingMax) }, (_, at) => say(`${from + at}`)),
      buttons: Array.from({ length: count }, (_, at) => button(from + at)),
    })
    memory.done(1, '501', fill(chatButtonsMax, 0), 0)
    expect(memory.due()[0]?.message).toEqual(say('0'))
    memory.done(2, '501', { messages: [say('one more')], buttons: [button(chatButtonsMax)] }, 0)
    expect(memory.due()[0]?.message).toEqual(say('1'))
    expect(memory.press(1, 't0', '501', 1)).toBeUndefined()
    expect(memory.press(1, 't1', '501', 1)).toEqual(action)
  })
})

test('so many strangers are told, once in a while each', async ({ expect }) => {
  await use((memory) => {
    const pauseMs = chatStrangerSeconds * 1000
    for (let at = 0; at < chatStrangersMax; at += 1) expect(memory.meetStranger(`s${at}`, 0, pauseMs)).toBe(true)
    expect(memory.meetStranger('s0', 1, pauseMs)).toBe(false)
    expect(memory.meetStranger('one more', 1, pauseMs)).toBe(false)
    expect(memory.meetStranger('s0', pauseMs + 1, pauseMs)).toBe(true)
  })
})

test('what is said keeps its order in a chat, and one chat does not wait for another', async ({ expect }) => {
  await use((memory) => {
    memory.done(1, '501', { messages: [say('a'), say('b')] }, 0)
    memory.done(2, '502', { messages: [say('c')] }, 0)
    const [first] = memory.due()
    expect(memory.due().map(({ message }) => message)).toEqual([say('a'), say('c')])
    memory.putOff(first?.number ?? 0, 1000)
    expect(memory.due().map(({ message, attempts, dueAtMs }) => [message, attempts, dueAtMs])).toEqual([
      [say('a'), 1, 1000],
      [say('c'), 0, 0],
    ])
    memory.sent(first?.number ?? 0)
    expect(memory.due().map(({ message }) => message)).toEqual([say('b'), say('c')])
  })
})

test('of another bot nothing of the last one counts', async ({ expect }) => {
  await use((memory) => {
    memory.belong(3)
    memory.take([{ id: 7, body: 'a' }], 0)
    memory.setHook('https://x.example', 'hash')
    memory.begin('second')
    expect([memory.next(), memory.hook().address, memory.offset(0, 1), memory.channelId()]).toEqual([
      undefined,
      '',
      undefined,
      3,
    ])
  })
})
