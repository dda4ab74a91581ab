/**
 * Names that references without a target are written with, each as a number, with how many of them there are: a name that
 * none has any more would put a symbol's being unused in doubt, and looking for one in all of them would be reading all.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'

export class NameNumbers {
  /** Nothing was written yet: there is nothing to look up. */
  readonly isNew: boolean
  readonly #database: DatabaseSync
  readonly #find: StatementSync
  readonly #numbers = new Map<string, number>()
  readonly #added: { readonly n: number; readonly name: string }[] = []
  /** More or fewer uses, by number. */
  readonly #uses = new Map<number, number>()
  #last: number

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#find = database.prepare('SELECT n FROM names WHERE name = ?')
    this.#last = Number(database.prepare('SELECT max(n) AS last FROM names').get()?.['last'] ?? 0)
    this.isNew = this.#last === 0
  }

  readonly numberOf = (name: string): number => {
    const known = this.#numbers.get(name) ?? this.#published(name)
    if (known !== undefined) return known
    this.#last += 1
    this.#numbers.set(name, this.#last)
    this.#added.push({ n: this.#last, name })
    return this.#last
  }

  #published(name: string): number | undefined {
    const row = this.isNew ? undefined : this.#find.get(name)
    if (row === undefined) return undefined
    const n = Number(row['n'])
    this.#numbers.set(name, n)
    return n
  }

  count(n: number, more: 1 | -1): void {
    this.#uses.set(n, (this.#uses.get(n) ?? 0) + more)
  }

  write(): void {
    const put = this.#database.prepare('INSERT INTO names VALUES (?, ?, ?)')
    for (const { n, name } of this.#added) {
      const uses = this.#uses.get(n) ?? 0
      this.#uses.delete(n)
      if (uses > 0) put.run(n, name, uses)
    }
    const change = this.#database.prepare('UPDATE names SET uses = uses + ? WHERE n = ? RETURNING uses')
    const remove = this.#database.prepare('DELETE FROM names WHERE n = ?')
    for (const [n, more] of this.#uses) if (more !== 0 && Number(change.get(more, n)?.['uses']) === 0) remove.run(n)
  }
}
