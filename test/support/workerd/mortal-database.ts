/** A database whose user may die at any statement, before it or after it: what is called from then on is never answered. */

export interface Life {
  /** One more statement, or the like: never goes on where this is the end. */
  step(): Promise<void>
  readonly isOver: boolean
  /** Resolves when it is over. */
  readonly end: Promise<void>
}

/** `steps`: how many are lived through. */
export function lifeOf(steps: number): Life {
  let left = steps
  const { promise: end, resolve } = Promise.withResolvers<void>()
  return {
    async step() {
      left -= 1
      if (left < 0) {
        resolve()
        await new Promise(() => undefined)
      }
    },
    get isOver() {
      return left < 0
    },
    end,
  }
}

export function mortalDatabase(database: D1Database, life: Life): D1Database {
  const inner = new WeakMap<object, D1PreparedStatement>()
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const call = async <T>(deed: () => Promise<T>): Promise<T> => {
      await life.step()
      const answer = await deed()
      await life.step()
      return answer
    }
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      all: () => call(() => statement.all()),
      run: () => call(() => statement.run()),
      raw: () => call(() => statement.raw()),
      first: (column: string) => call(() => statement.first(column)),
    }
    inner.set(wrapped, statement)
    return wrapped as unknown as D1PreparedStatement
  }
  return {
    prepare: (query: string) => wrap(database.prepare(query)),
    async batch(statements: readonly D1PreparedStatement[]) {
      await life.step()
      const answers = await database.batch(statements.map((one) => inner.get(one) ?? one))
      await life.step()
      return answers
    },
  } as unknown as D1Database
}
