/** Walks a tree of texts, lists and tables, notes what is wrong with it and where. */
import type { DefinitionFault, DefinitionRule } from './definition.ts'
import { compileTemplate, type Template, TemplateFault } from './template.ts'

/** As YAML has it when nothing but texts is made of its words. */
export type Tree = string | readonly Tree[] | { readonly [name: string]: Tree }
export type Table = { readonly [name: string]: Tree }
export type Path = readonly string[]

const textCharactersMax = 20_000
const entriesMax = 2000

export class DefinitionReader {
  readonly faults: DefinitionFault[] = []
  readonly #faultsMax: number
  readonly #templates = new Map<string, Template>()

  constructor(faultsMax: number) {
    this.#faultsMax = faultsMax
  }

  note(rule: DefinitionRule, path: Path, detail: string): void {
    if (this.faults.length < this.#faultsMax) this.faults.push({ rule, path, detail })
  }

  table(tree: Tree | undefined, path: Path, names?: readonly string[]): Table {
    if (tree === undefined) return {}
    if (typeof tree !== 'object' || Array.isArray(tree)) {
      // An empty table is written as nothing at all.
      if (tree !== '') this.note('shape', path, 'a table is expected')
      return {}
    }
    const table = tree as Table
    const keys = Object.keys(table)
    if (keys.length > entriesMax) this.note('too_many', path, `more than ${entriesMax} entries`)
    for (const key of keys) {
      if (names !== undefined && !names.includes(key))
        this.note('unknown_field', [...path, key], `"${key.slice(0, 40)}" is not known`)
    }
    return table
  }

  list(tree: Tree | undefined, path: Path): readonly Tree[] {
    if (tree === undefined || tree === '') return []
    if (!Array.isArray(tree)) {
      this.note('shape', path, 'a list is expected')
      return []
    }
    if (tree.length > entriesMax) {
      this.note('too_many', path, `more than ${entriesMax} entries`)
      return []
    }
    return tree as readonly Tree[]
  }

  text(tree: Tree | undefined, path: Path): string | undefined {
    if (tree === undefined) return undefined
    if (typeof tree !== 'string') {
      this.note('shape', path, 'a text is expected')
      return undefined
    }
    if (tree.length > textCharactersMax) this.note('too_large', path, `more than ${textCharactersMax} characters`)
    return tree
  }

  needed(table: Table, name: string, path: Path): string {
    const text = this.text(table[name], [...path, name])
    if (text === undefined && !(name in table)) this.note('missing', path, `"${name}" is missing`)
    return text ?? ''
  }

  texts(tree: Tree | undefined, path: Path): readonly string[] {
    return this.list(tree, path).flatMap((one, index) => this.text(one, [...path, String(index)]) ?? [])
  }

  flag(tree: Tree | undefined, path: Path): boolean {
    const text = this.text(tree, path)?.toLowerCase()
    if (text !== undefined && text !== 'true' && text !== 'false') this.note('value', path, 'true or false is expected')
    return text === 'true'
  }

  choice<Name extends string>(tree: Tree | undefined, path: Path, names: readonly Name[], otherwise: Name): Name {
    const text = this.text(tree, path)
    if (text === undefined) return otherwise
    const name = names.find((one) => one === text.toLowerCase())
    if (name === undefined) this.note('value', path, `one of ${names.join(', ')} is expected`)
    return name ?? otherwise
  }

  /** Undefined where the field is left out. */
  template(tree: Tree | undefined, path: Path): Template | undefined {
    const text = this.text(tree, path)
    return text === undefined ? undefined : this.templateOf(text, path)
  }

  templateOf(text: string, path: Path): Template {
    const known = this.#templates.get(text)
    if (known !== undefined) return known
    try {
      const template = compileTemplate(text)
      this.#templates.set(text, template)
      return template
    } catch (cause) {
      if (!(cause instanceof TemplateFault)) throw cause
      this.note('template', path, cause.message)
      return { isPlain: true, render: () => '' }
    }
  }
}
