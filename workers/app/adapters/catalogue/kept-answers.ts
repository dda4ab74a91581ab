interface KeptAnswer {
  readonly atUnix: number
  /** What is known about it, as JSON. */
  readonly facts: string
  readonly bytes: ArrayBuffer | null
}

interface KeptRow extends Record<string, SqlStorageValue> {
  at_unix: number
  facts: string
  bytes: ArrayBuffer | null
}

/**
 * What a service answered, in an object's storage, where it outlives the object's memory: up to an age and a number, the
 * oldest go first. How old is too old for an answer is for the reader to say.
 */
export class KeptAnswers {
  readonly #sql: SqlStorage
  readonly #kind: string
  readonly #bounds: { readonly secondsMax: number; readonly rowsMax: number }

  constructor(
    sql: SqlStorage,
    kind: 'releases' | 'titles' | 'details' | 'images',
    bounds: { readonly secondsMax: number; readonly rowsMax: number },
  ) {
    this.#sql = sql
    this.#kind = kind
    this.#bounds = bounds
    sql.exec(
      'create table if not exists kept (kind text, key text, at_unix integer, facts text, bytes blob, primary key (kind, key))',
    )
    sql.exec('create index if not exists kept_by_age on kept (kind, at_unix)')
  }

  read(key: string): KeptAnswer | undefined {
    const [row] = this.#sql
      .exec<KeptRow>('select at_unix, facts, bytes from kept where kind = ? and key = ?', this.#kind, key)
      .toArray()
    return row === undefined ? undefined : { atUnix: row.at_unix, facts: row.facts, bytes: row.bytes }
  }

  /** What is no older than `secondsMax`; a time to come is a clock that was wrong. */
  readYoung(key: string, nowUnix: number, secondsMax: number): KeptAnswer | undefined {
    const row = this.read(key)
    if (row === undefined) return undefined
    const ageSeconds = nowUnix - row.atUnix
    return ageSeconds >= 0 && ageSeconds < secondsMax ? row : undefined
  }

  keep(key: string, nowUnix: number, facts: string, bytes: Uint8Array<ArrayBuffer> | null = null): void {
    const { secondsMax, rowsMax } = this.#bounds
    this.#sql.exec(
      'insert or replace into kept (kind, key, at_unix, facts, bytes) values (?, ?, ?, ?, ?)',
      this.#kind,
      key,
      nowUnix,
      facts,
      bytes,
    )
    this.#sql.exec(
      'delete from kept where kind = ? and (at_unix <= ? or at_unix > ?)',
      this.#kind,
      nowUnix - secondsMax,
      nowUnix,
    )
    this.#sql.exec(
      'delete from kept where kind = ? and key not in (select key from kept where kind = ? order by at_unix desc, rowid desc limit ?)',
      this.#kind,
      this.#kind,
      rowsMax,
    )
  }
}
