/**
 * What the object of one bot keeps, in a database of its own. An update is written down before it is looked at, and is over
 * in one transaction with what it makes us say, so that a crash repeats nothing and leaves nothing out.
 */
import { migrate } from '#shared/sql/migrate.ts'
import { numberOf, type SqlRow, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import type { ChatAction, ChatMessage } from '../../core/chat/chat-update.ts'
import {
  chatButtonsMax,
  chatMessagesWaitingMax,
  chatStrangersMax,
  chatUpdateKeptSeconds,
  chatUpdatesKeptMax,
} from '../../limits.ts'

const schema: readonly (readonly string[])[] = [
  [
    `CREATE TABLE bot (
       one INTEGER PRIMARY KEY CHECK (one = 1), token_hash TEXT NOT NULL, newest INTEGER NOT NULL DEFAULT -1,
       newest_at_ms INTEGER NOT NULL DEFAULT 0, hook_address TEXT NOT NULL DEFAULT '', hook_hash TEXT NOT NULL DEFAULT ''
     )`,
    // waiting; acting: it was begun and must not be begun again; done.
    `CREATE TABLE chat_update (id INTEGER PRIMARY KEY, body TEXT NOT NULL, state TEXT NOT NULL, at_ms INTEGER NOT NULL)`,
    `CREATE INDEX chat_update_by_state ON chat_update (state, id)`,
    `CREATE TABLE chat_message (
       number INTEGER PRIMARY KEY AUTOINCREMENT, chat TEXT NOT NULL, body TEXT NOT NULL,
       attempts INTEGER NOT NULL DEFAULT 0, due_at_ms INTEGER NOT NULL
     )`,
    `CREATE TABLE chat_button (
       token TEXT PRIMARY KEY, chat TEXT NOT NULL, together TEXT NOT NULL, action TEXT NOT NULL, until_ms INTEGER NOT NULL
     )`,
    `CREATE TABLE chat_talk (
       chat TEXT PRIMARY KEY, conversation TEXT NOT NULL, told INTEGER NOT NULL, is_running INTEGER NOT NULL
     )`,
    `CREATE TABLE channel (one INTEGER PRIMARY KEY CHECK (one = 1), id INTEGER NOT NULL)`,
    `CREATE TABLE chat_stranger (chat TEXT PRIMARY KEY, told_at_ms INTEGER NOT NULL)`,
  ],
]

const tables = ['chat_update', 'chat_message', 'chat_button', 'chat_talk', 'chat_stranger', 'bot'] as const

export interface WaitingUpdate {
  readonly id: number
  readonly body: unknown
  /** It was begun in a life that ended. */
  readonly wasCutOff: boolean
}

export interface WaitingMessage {
  readonly number: number
  readonly chat: string
  readonly message: ChatMessage
  readonly attempts: number
  readonly dueAtMs: number
}

/** A conversation with the assistant that a chat has, and up to which event it was told. */
export interface Talk {
  readonly chat: string
  readonly conversationId: string
  readonly told: number
  readonly isRunning: boolean
}

/** What follows from something, all at once. */
export interface Outcome {
  readonly messages: readonly ChatMessage[]
  readonly buttons?: readonly {
    readonly token: string
    readonly together: string
    readonly action: ChatAction
    readonly untilMs: number
  }[]
  readonly talk?: Omit<Talk, 'chat'> | 'none'
}

export class ChatMemory {
  readonly #sql: SyncSql

  constructor(sql: SyncSql) {
    this.#sql = sql
    migrate(sql, schema)
  }

  /** Whose bot this is: an object does not know what it is called. */
  belong(channelId: number): void {
    this.#sql.run(
      'INSERT INTO channel (one, id) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET id = excluded.id',
      channelId,
    )
  }

  channelId(): number | undefined {
    const [row] = this.#sql.all('SELECT id FROM channel')
    return row === undefined ? undefined : numberOf(row, 'id')
  }

  /** Whether something is still to be done, said or followed. */
  isAnyLeft(): boolean {
    return this.waiting() > 0 || this.due().length > 0 || this.running().length > 0
  }

  /** Another bot has other numbers and other chats: nothing of the last one counts. */
  begin(tokenHash: string): void {
    const row = this.#bot()
    if (row !== undefined && textOf(row, 'token_hash') === tokenHash) return
    this.#sql.transaction(() => {
      for (const table of tables) this.#sql.run(`DELETE FROM ${table}`)
      this.#sql.run('INSERT INTO bot (one, token_hash) VALUES (1, ?)', tokenHash)
    })
  }

  /** Updates there may still be more of begin here; undefined where numbers may begin anew. */
  offset(nowMs: number, quietMs: number): number | undefined {
    const row = this.#bot()
    if (row === undefined || numberOf(row, 'newest') < 0) return undefined
    return nowMs - numberOf(row, 'newest_at_ms') > quietMs ? undefined : numberOf(row, 'newest') + 1
  }

  hook(): { readonly address: string; readonly hash: string } {
    const row = this.#bot()
    return row === undefined
      ? { address: '', hash: '' }
      : { address: textOf(row, 'hook_address'), hash: textOf(row, 'hook_hash') }
  }

  setHook(address: string, hash: string): void {
    this.#sql.run('UPDATE bot SET hook_address = ?, hook_hash = ?', address, hash)
  }

  /** Those that are new are taken; what was taken before is left. */
  take(updates: readonly { readonly id: number; readonly body: unknown }[], nowMs: number): void {
    this.#sql.transaction(() => {
      for (const { id, body } of updates) {
        this.#sql.run(
          `INSERT INTO chat_update (id, body, state, at_ms) VALUES (?, ?, 'waiting', ?) ON CONFLICT (id) DO NOTHING`,
          id,
          JSON.stringify(body),
          nowMs,
        )
        this.#sql.run('UPDATE bot SET newest = ?, newest_at_ms = ?', id, nowMs)
      }
      this.#sql.run(`DELETE FROM chat_update WHERE state = 'done' AND at_ms < ?`, nowMs - chatUpdateKeptSeconds * 1000)
      this.#sql.run(
        `DELETE FROM chat_update WHERE state = 'done' AND id NOT IN
           (SELECT id FROM chat_update ORDER BY at_ms DESC, id DESC LIMIT ?)`,
        chatUpdatesKeptMax,
      )
    })
  }

  waiting(): number {
    const [row] = this.#sql.all(`SELECT COUNT(*) AS many FROM chat_update WHERE state <> 'done'`)
    return row === undefined ? 0 : numberOf(row, 'many')
  }

  /** By number, which is the order in which they were written. */
  next(): WaitingUpdate | undefined {
    const [row] = this.#sql.all(`SELECT id, body, state FROM chat_update WHERE state <> 'done' ORDER BY id LIMIT 1`)
    if (row === undefined) return undefined
    return {
      id: numberOf(row, 'id'),
      body: JSON.parse(textOf(row, 'body')),
      wasCutOff: textOf(row, 'state') === 'acting',
    }
  }

  /** From here on it is not begun again. */
  acting(id: number): void {
    this.#sql.run(`UPDATE chat_update SET state = 'acting' WHERE id = ?`, id)
  }

  /** What it said is forgotten with it: an update is kept for its number alone. */
  done(id: number, chat: string, outcome: Outcome, nowMs: number): void {
    this.#sql.transaction(() => {
      this.#sql.run(`UPDATE chat_update SET state = 'done', body = '' WHERE id = ?`, id)
      this.#settle(chat, outcome, nowMs)
    })
  }

  /** What a conversation makes us say, with how far it was followed. */
  told(talk: Talk, outcome: Outcome, nowMs: number): void {
    this.#sql.transaction(() => {
      this.#sql.run(
        'UPDATE chat_talk SET told = ?, is_running = ? WHERE chat = ? AND conversation = ?',
        talk.told,
        talk.isRunning ? 1 : 0,
        talk.chat,
        talk.conversationId,
      )
      this.#settle(talk.chat, outcome, nowMs)
    })
  }

  talk(chat: string): Talk | undefined {
    const [row] = this.#sql.all('SELECT * FROM chat_talk WHERE chat = ?', chat)
    return row === undefined ? undefined : toTalk(row)
  }

  running(): Talk[] {
    return this.#sql.all('SELECT * FROM chat_talk WHERE is_running = 1').map(toTalk)
  }

  /**
   * Uses a button up, and with it those beside it, and with the same stroke begins what the update asks for. Undefined when
   * it was used, is over, or is another chat's.
   */
  press(updateId: number, token: string, chat: string, nowMs: number): ChatAction | undefined {
    return this.#sql.transaction(() => {
      const [row] = this.#sql.all('SELECT * FROM chat_button WHERE token = ? AND chat = ?', token, chat)
      if (row === undefined) return undefined
      this.#sql.run('DELETE FROM chat_button WHERE together = ?', textOf(row, 'together'))
      this.#sql.run(`UPDATE chat_update SET state = 'acting' WHERE id = ?`, updateId)
      return numberOf(row, 'until_ms') > nowMs ? (JSON.parse(textOf(row, 'action')) as ChatAction) : undefined
    })
  }

  /** Whether this chat may be told that it is not paired; true once in a while, for so many chats. */
  meetStranger(chat: string, nowMs: number, pauseMs: number): boolean {
    return this.#sql.transaction(() => {
      this.#sql.run('DELETE FROM chat_stranger WHERE told_at_ms < ?', nowMs - pauseMs)
      const [known] = this.#sql.all('SELECT chat FROM chat_stranger WHERE chat = ?', chat)
      const [count] = this.#sql.all('SELECT COUNT(*) AS many FROM chat_stranger')
      if (known !== undefined || (count !== undefined && numberOf(count, 'many') >= chatStrangersMax)) return false
      this.#sql.run('INSERT INTO chat_stranger (chat, told_at_ms) VALUES (?, ?)', chat, nowMs)
      return true
    })
  }

  /** The oldest of each chat, so that what is said keeps its order. */
  due(): WaitingMessage[] {
    return this.#sql
      .all(
        'SELECT * FROM chat_message WHERE number IN (SELECT MIN(number) FROM chat_message GROUP BY chat) ORDER BY number',
      )
      .map((row) => ({
        number: numberOf(row, 'number'),
        chat: textOf(row, 'chat'),
        message: JSON.parse(textOf(row, 'body')) as ChatMessage,
        attempts: numberOf(row, 'attempts'),
        dueAtMs: numberOf(row, 'due_at_ms'),
      }))
  }

  sent(number: number): void {
    this.#sql.run('DELETE FROM chat_message WHERE number = ?', number)
  }

  putOff(number: number, dueAtMs: number): void {
    this.#sql.run('UPDATE chat_message SET attempts = attempts + 1, due_at_ms = ? WHERE number = ?', dueAtMs, number)
  }

  #settle(chat: string, { messages, buttons = [], talk }: Outcome, nowMs: number): void {
    for (const message of messages)
      this.#sql.run(
        'INSERT INTO chat_message (chat, body, due_at_ms) VALUES (?, ?, ?)',
        chat,
        JSON.stringify(message),
        nowMs,
      )
    this.#sql.run(
      'DELETE FROM chat_message WHERE number NOT IN (SELECT number FROM chat_message ORDER BY number DESC LIMIT ?)',
      chatMessagesWaitingMax,
    )
    this.#sql.run('DELETE FROM chat_button WHERE until_ms <= ?', nowMs)
    for (const { token, together, action, untilMs } of buttons)
      this.#sql.run(
        'INSERT INTO chat_button (token, chat, together, action, until_ms) VALUES (?, ?, ?, ?, ?)',
        token,
        chat,
        together,
        JSON.stringify(action),
        untilMs,
      )
    this.#sql.run(
      'DELETE FROM chat_button WHERE rowid NOT IN (SELECT rowid FROM chat_button ORDER BY rowid DESC LIMIT ?)',
      chatButtonsMax,
    )
    if (talk === 'none') this.#sql.run('DELETE FROM chat_talk WHERE chat = ?', chat)
    else if (talk !== undefined)
      this.#sql.run(
        `INSERT INTO chat_talk (chat, conversation, told, is_running) VALUES (?, ?, ?, ?)
         ON CONFLICT (chat) DO UPDATE SET conversation = excluded.conversation, told = excluded.told, is_running = excluded.is_running`,
        chat,
        talk.conversationId,
        talk.told,
        talk.isRunning ? 1 : 0,
      )
  }

  #bot(): SqlRow | undefined {
    return this.#sql.all('SELECT * FROM bot')[0]
  }
}

function toTalk(row: SqlRow): Talk {
  return {
    chat: textOf(row, 'chat'),
    conversationId: textOf(row, 'conversation'),
    told: numberOf(row, 'told'),
    isRunning: numberOf(row, 'is_running') === 1,
  }
}
