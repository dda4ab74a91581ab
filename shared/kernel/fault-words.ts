/** A family of faults whose words are in one language: each kind beside its sentence, the facts being what that takes. */

type Sentence = string | ((facts: never) => string)
export type Sentences = Readonly<Record<string, Sentence>>

/** The closed union of a family: `kind` and facts. */
export type FaultOf<Table extends Sentences> = {
  [Kind in keyof Table & string]: { readonly kind: Kind } & (Table[Kind] extends (facts: infer Facts) => string
    ? Readonly<Facts>
    : unknown)
}[keyof Table & string]

/** What a table has for a fault; undefined for a kind that it does not know. */
export function saidIn(table: Sentences, fault: { readonly kind: string }): string | undefined {
  const sentence = Object.hasOwn(table, fault.kind) ? table[fault.kind] : undefined
  return typeof sentence === 'function' ? sentence(fault as never) : sentence
}

/** The one renderer of a family. */
export function sayBy<const Table extends Sentences>(table: Table): (fault: FaultOf<Table>) => string {
  return (fault) => saidIn(table, fault) ?? fault.kind
}

/** What the system said. */
export function causeOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
