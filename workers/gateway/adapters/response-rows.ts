import { type JsonRecord, parseJson, recordOf, textOf as wordOf } from '#shared/kernel/json-record.ts'
import { migrate } from '#shared/sql/migrate.ts'
import { numberOf, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import { keptPieceCharacters, keptResponseCharactersOneMax, keptResponseMs, keptResponsesMax } from '../limits.ts'
import type { KeptResponse, NewResponse } from '../ports.ts'

const steps: readonly (readonly string[])[] = [
  [
    `CREATE TABLE response (
       owner TEXT NOT NULL, id TEXT NOT NULL, made_ms INTEGER NOT NULL, inputs INTEGER NOT NULL,
       PRIMARY KEY (owner, id)) WITHOUT ROWID`,
    'CREATE INDEX response_by_age ON response (made_ms, owner)',
    `CREATE TABLE link (
       owner TEXT NOT NULL, response TEXT NOT NULL, place INTEGER NOT NULL, item TEXT NOT NULL,
       PRIMARY KEY (owner, response, place)) WITHOUT ROWID`,
    'CREATE INDEX link_by_item ON link (owner, item)',
    `CREATE TABLE piece (
       owner TEXT NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL,
       PRIMARY KEY (owner, name, number)) WITHOUT ROWID`,
    'CREATE TABLE held (owner TEXT PRIMARY KEY, characters INTEGER NOT NULL) WITHOUT ROWID',
  ],
]

/** What a link takes beside its text. */
const linkCharacters = 64

interface RowBounds {
  /** Of one owner. */
  readonly ownerCharactersMax: number
  /** Of all owners in this database. */
  readonly charactersMax: number
}

/**
 * Answers that clients may go on from, each with all that was said up to it. What several answers of a conversation
 * share is kept once. The oldest make room, and what does not fit at all is not kept. One database may hold one owner or
 * all of them.
 */
export class ResponseRows {
  readonly #sql: SyncSql
  readonly #bounds: RowBounds

  constructor(sql: SyncSql, bounds: RowBounds) {
    this.#sql = sql
    this.#bounds = bounds
    migrate(sql, steps)
  }

  put(owner: string, { id, response, previousId, input, output }: NewResponse, nowMs: number): void {
    this.#sql.transaction(() => {
      this.#sweep(nowMs)
      const earlier = previousId === undefined ? [] : this.#links(owner, previousId)
      // Without what was said before it would be another conversation.
      if (previousId !== undefined && !this.#has(owner, previousId)) return
      this.#remove(owner, id)
      this.#write(owner, `r:${id}`, JSON.stringify(response))
      const items = [...earlier, ...[...input, ...output].map((item) => this.#keepItem(owner, id, item))]
      this.#sql.run(
        'INSERT INTO response (owner, id, made_ms, inputs) VALUES (?, ?, ?, ?)',
        owner,
        id,
        nowMs,
        earlier.length + input.length,
      )
      for (const [place, item] of items.entries()) {
        this.#sql.run('INSERT INTO link (owner, response, place, item) VALUES (?, ?, ?, ?)', owner, id, place, item)
      }
      this.#hold(owner, items.length * linkCharacters)
      this.#makeRoom(owner)
    })
  }

  get(owner: string, id: string, nowMs: number): KeptResponse | undefined {
    const [row] = this.#sql.all('SELECT made_ms, inputs FROM response WHERE owner = ? AND id = ?', owner, id)
    if (row === undefined || isOver(numberOf(row, 'made_ms'), nowMs)) return undefined
    const items = this.#links(owner, id).map((item) => recordOf(this.#read(owner, item)) ?? {})
    const response = recordOf(this.#read(owner, `r:${id}`)) ?? {}
    return { id, response, items, inputs: numberOf(row, 'inputs') }
  }

  /** Those of these that are kept, as far as they are together no longer than an answer that is kept. */
  items(owner: string, ids: readonly string[], nowMs: number): readonly JsonRecord[] {
    const found: JsonRecord[] = []
    let characters = 0
    for (const id of new Set(ids)) {
      const text = this.#itemText(owner, id, nowMs)
      characters += text?.length ?? 0
      if (characters > keptResponseCharactersOneMax) break
      const item = text === undefined ? undefined : recordOf(parseJson(text))
      if (item !== undefined) found.push(item)
    }
    return found
  }

  #itemText(owner: string, id: string, nowMs: number): string | undefined {
    const rows = this.#sql.all(
      `SELECT response.made_ms AS made_ms FROM link JOIN response
         ON response.owner = link.owner AND response.id = link.response
       WHERE link.owner = ? AND link.item = ? ORDER BY response.made_ms DESC LIMIT 1`,
      owner,
      `i:${id}`,
    )
    const [row] = rows
    return row === undefined || isOver(numberOf(row, 'made_ms'), nowMs) ? undefined : this.#text(owner, `i:${id}`)
  }

  /** False: there was none. */
  delete(owner: string, id: string): boolean {
    return this.#sql.transaction(() => this.#remove(owner, id))
  }

  /** Everything of an owner. */
  forget(owner: string): void {
    this.#sql.transaction(() => {
      for (const table of ['response', 'link', 'piece', 'held']) {
        this.#sql.run(`DELETE FROM ${table} WHERE owner = ?`, owner)
      }
    })
  }

  /** Lets go of what is too old. When the next is due; undefined: nothing is kept. */
  sweep(nowMs: number): number | undefined {
    return this.#sql.transaction(() => {
      this.#sweep(nowMs)
      const [row] = this.#sql.all('SELECT made_ms FROM response ORDER BY made_ms LIMIT 1')
      return row === undefined ? undefined : numberOf(row, 'made_ms') + keptResponseMs
    })
  }

  #sweep(nowMs: number): void {
    const rows = this.#sql.all('SELECT owner, id FROM response WHERE made_ms <= ?', nowMs - keptResponseMs)
    for (const row of rows) this.#remove(textOf(row, 'owner'), textOf(row, 'id'))
  }

  #makeRoom(owner: string): void {
    for (;;) {
      const [own] = this.#sql.all(
        `SELECT (SELECT COUNT(*) FROM response WHERE owner = ?) AS count,
                COALESCE((SELECT characters FROM held WHERE owner = ?), 0) AS characters,
                COALESCE((SELECT SUM(characters) FROM held), 0) AS everything`,
        owner,
        owner,
      )
      if (own === undefined) return
      const isOwnFull =
        numberOf(own, 'count') > keptResponsesMax || numberOf(own, 'characters') > this.#bounds.ownerCharactersMax
      if (!isOwnFull && numberOf(own, 'everything') <= this.#bounds.charactersMax) return
      const [oldest] = isOwnFull
        ? this.#sql.all('SELECT owner, id FROM response WHERE owner = ? ORDER BY made_ms, id LIMIT 1', owner)
        : this.#sql.all('SELECT owner, id FROM response ORDER BY made_ms, id LIMIT 1')
      if (oldest === undefined) return
      this.#remove(textOf(oldest, 'owner'), textOf(oldest, 'id'))
    }
  }

  #remove(owner: string, id: string): boolean {
    if (!this.#has(owner, id)) return false
    const items = this.#links(owner, id)
    this.#sql.run('DELETE FROM response WHERE owner = ? AND id = ?', owner, id)
    this.#sql.run('DELETE FROM link WHERE owner = ? AND response = ?', owner, id)
    this.#hold(owner, -items.length * linkCharacters)
    this.#erase(owner, `r:${id}`)
    for (const item of new Set(items)) {
      const [used] = this.#sql.all('SELECT 1 AS one FROM link WHERE owner = ? AND item = ? LIMIT 1', owner, item)
      if (used === undefined) this.#erase(owner, item)
    }
    return true
  }

  #has(owner: string, id: string): boolean {
    return this.#sql.all('SELECT 1 AS one FROM response WHERE owner = ? AND id = ?', owner, id).length > 0
  }

  #links(owner: string, id: string): readonly string[] {
    return this.#sql
      .all('SELECT item FROM link WHERE owner = ? AND response = ? ORDER BY place', owner, id)
      .map((row) => textOf(row, 'item'))
  }

  /** By its id, unless another item has that already: then the answer's id tells the two apart. */
  #keepItem(owner: string, responseId: string, item: JsonRecord): string {
    const text = JSON.stringify(item)
    const name = `i:${wordOf(item['id']) ?? ''}`
    const known = this.#text(owner, name)
    if (known === text) return name
    const own = known === undefined ? name : `${name} ${responseId}`
    if (known !== undefined) this.#erase(owner, own)
    this.#write(owner, own, text)
    return own
  }

  #write(owner: string, name: string, text: string): void {
    let number = 0
    for (let start = 0; start < text.length; number += 1) {
      let end = Math.min(text.length, start + keptPieceCharacters)
      // A character of two units stays whole.
      if (end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1))) end -= 1
      const piece = text.slice(start, end)
      this.#sql.run('INSERT INTO piece (owner, name, number, text) VALUES (?, ?, ?, ?)', owner, name, number, piece)
      start = end
    }
    this.#hold(owner, text.length)
  }

  #erase(owner: string, name: string): void {
    const text = this.#text(owner, name)
    if (text === undefined) return
    this.#sql.run('DELETE FROM piece WHERE owner = ? AND name = ?', owner, name)
    this.#hold(owner, -text.length)
  }

  #text(owner: string, name: string): string | undefined {
    const rows = this.#sql.all('SELECT text FROM piece WHERE owner = ? AND name = ? ORDER BY number', owner, name)
    return rows.length === 0 ? undefined : rows.map((row) => textOf(row, 'text')).join('')
  }

  #read(owner: string, name: string): unknown {
    const text = this.#text(owner, name)
    return text === undefined ? undefined : JSON.parse(text)
  }

  #hold(owner: string, characters: number): void {
    this.#sql.run(
      'INSERT INTO held (owner, characters) VALUES (?, ?) ON CONFLICT DO UPDATE SET characters = characters + excluded.characters',
      owner,
      characters,
    )
  }
}

function isOver(madeMs: number, nowMs: number): boolean {
  return nowMs - madeMs >= keptResponseMs
}
