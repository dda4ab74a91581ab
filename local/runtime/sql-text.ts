/** What has to be known of an SQL text before SQLite sees it: its statements, their parameters, whether they only read. */
import { statementTextsMax } from './limits.ts'

export interface SqlStatement {
  readonly text: string
  readonly parameters: number
  readonly isRead: boolean
  /** BEGIN, COMMIT, SAVEPOINT and their like: transactions are the runtime's. */
  readonly isTransactionControl: boolean
  /** May change what other statements mean. */
  readonly isDefinition: boolean
}

/** Quoted text, names and comments in one piece; words, parameters and single characters. */
const token =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\?\d*|[:@$][\p{L}\p{N}_$]+|[\p{L}\p{N}_$]+|\s+|[\s\S]/gu

const known = new Map<string, readonly SqlStatement[]>()

/** Of a text, in order, without what holds nothing but comments. */
export function statementsOf(sql: string): readonly SqlStatement[] {
  const before = known.get(sql)
  if (before !== undefined) return before
  const statements = split(sql)
  if (known.size >= statementTextsMax) known.clear()
  known.set(sql, statements)
  return statements
}

function split(sql: string): SqlStatement[] {
  const statements: SqlStatement[] = []
  let reading = new Reading()
  for (const [piece] of sql.matchAll(token)) {
    if (piece === ';' && reading.mayEnd) {
      if (reading.words.length > 0) statements.push(reading.end())
      reading = new Reading()
    } else reading.take(piece)
  }
  if (reading.words.length > 0) statements.push(reading.end())
  return statements
}

const readers: ReadonlySet<string> = new Set(['select', 'values', 'explain'])
const writers: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'replace'])
const controls: ReadonlySet<string> = new Set(['begin', 'commit', 'end', 'rollback', 'savepoint', 'release'])
const definitions: ReadonlySet<string> = new Set(['create', 'alter', 'drop', 'vacuum', 'reindex', 'attach', 'pragma'])

class Reading {
  /** Lower case; of anything else that is no space the text itself. */
  readonly words: string[] = []
  #text = ''
  #highest = 0
  readonly #names = new Set<string>()

  /** Inside a trigger a semicolon ends a statement of its body, until one follows `END`. */
  get mayEnd(): boolean {
    const { words } = this
    if (!isTrigger(words)) return true
    return words.at(-1) === 'end' && words.at(-2) === ';'
  }

  take(piece: string): void {
    this.#text += piece
    if (/^(?:\s|--|\/\*)/.test(piece)) return
    this.words.push(piece.toLowerCase())
    if (piece.startsWith('?'))
      this.#highest = piece === '?' ? this.#highest + 1 : Math.max(this.#highest, Number(piece.slice(1)))
    else if (/^[:@$]./u.test(piece) && !this.#names.has(piece)) {
      this.#names.add(piece)
      this.#highest += 1
    }
  }

  end(): SqlStatement {
    const first = this.words[0] ?? ''
    return {
      text: this.#text.trim(),
      parameters: this.#highest,
      isRead: readers.has(first) || (first === 'with' && !this.words.some((word) => writers.has(word))),
      isTransactionControl: controls.has(first),
      isDefinition: definitions.has(first),
    }
  }
}

function isTrigger(words: readonly string[]): boolean {
  if (words[0] !== 'create') return false
  return words[1] === 'trigger' || ((words[1] === 'temp' || words[1] === 'temporary') && words[2] === 'trigger')
}
