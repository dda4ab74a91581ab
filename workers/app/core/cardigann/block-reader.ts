/** The parts that a definition is made of everywhere: fields, selectors, inputs, headers, filters. */
import type { ErrorMark, FieldSelector, HeaderLine, Inputs } from './definition.ts'
import type { DefinitionReader, Path, Tree } from './definition-reader.ts'
import { compileFilter, type Filter, FilterFault } from './filters.ts'
import { parseJsonSelector } from './json-path.ts'
import type { Template } from './template.ts'

export interface SelectorCheck {
  /** Whether a page can be asked with it. */
  readonly isSelector: (text: string) => boolean
}

export class BlockReader {
  readonly reader: DefinitionReader
  readonly #check: SelectorCheck

  constructor(reader: DefinitionReader, check: SelectorCheck) {
    this.reader = reader
    this.#check = check
  }

  field(tree: Tree | undefined, path: Path, kind: 'json' | 'html'): FieldSelector {
    const { reader } = this
    const table = reader.table(tree, path, [
      'selector',
      'attribute',
      'optional',
      'default',
      'case',
      'remove',
      'text',
      'filters',
    ])
    const cases = 'case' in table ? reader.table(table['case'], [...path, 'case']) : undefined
    const selector = reader.text(table['selector'], [...path, 'selector'])
    return {
      selector: selector === undefined ? undefined : this.selectorTemplate(selector, [...path, 'selector'], kind),
      attribute: reader.text(table['attribute'], [...path, 'attribute']),
      isOptional: reader.flag(table['optional'], [...path, 'optional']),
      fallback: reader.template(table['default'], [...path, 'default']),
      cases:
        cases === undefined
          ? undefined
          : Object.keys(cases).map((key) => {
              if (kind === 'html' && key !== '*') this.#checked(key, [...path, 'case', key])
              return { key, value: reader.template(cases[key], [...path, 'case', key]) ?? reader.templateOf('', path) }
            }),
      remove: kind === 'html' ? this.selector(table['remove'], [...path, 'remove']) : undefined,
      text: reader.template(table['text'], [...path, 'text']),
      filters: this.filters(table['filters'], [...path, 'filters']),
    }
  }

  /** A selector may be made by a template; then it is judged once it is there. */
  selectorTemplate(text: string, path: Path, kind: 'json' | 'html'): Template {
    const template = this.reader.templateOf(text, path)
    if (!template.isPlain) return template
    if (kind === 'html') this.#checked(text, path)
    else if (parseJsonSelector(text.replace(/^\.+/, '')) === undefined)
      this.reader.note('selector', path, 'a path that is not understood')
    return template
  }

  selector(tree: Tree | undefined, path: Path): string | undefined {
    const text = this.reader.text(tree, path)
    if (text !== undefined) this.#checked(text, path)
    return text
  }

  #checked(text: string, path: Path): void {
    if (!this.#check.isSelector(text)) this.reader.note('selector', path, 'a selector that is not understood')
  }

  inputs(tree: Tree | undefined, path: Path): Inputs[] {
    const table = this.reader.table(tree, path)
    return Object.keys(table).map((name) => ({
      name,
      value: this.reader.template(table[name], [...path, name]) ?? this.reader.templateOf('', path),
    }))
  }

  headers(tree: Tree | undefined, path: Path): HeaderLine[] {
    const { reader } = this
    const table = reader.table(tree, path)
    return Object.keys(table).flatMap((name) => {
      if (!/^[A-Za-z0-9-]{1,64}$/.test(name)) reader.note('value', [...path, name], 'a name of a header')
      const lines = typeof table[name] === 'string' ? [table[name]] : reader.texts(table[name], [...path, name])
      return lines.map((line) => ({ name, value: reader.templateOf(line, [...path, name]) }))
    })
  }

  filters(tree: Tree | undefined, path: Path): Filter[] {
    return this.reader.list(tree, path).flatMap((one, index) => {
      const at = [...path, String(index)]
      const { name, args } = this.filterParts(one, at)
      return this.filter(name, args, at) ?? []
    })
  }

  filterParts(tree: Tree, path: Path): { readonly name: string; readonly args: readonly string[] } {
    const table = this.reader.table(tree, path, ['name', 'args'])
    const { args } = table
    return {
      name: this.reader.needed(table, 'name', path),
      args: args === undefined ? [] : typeof args === 'string' ? [args] : this.reader.texts(args, [...path, 'args']),
    }
  }

  filter(name: string, args: readonly string[], path: Path): Filter | undefined {
    try {
      return compileFilter(name, args)
    } catch (cause) {
      if (!(cause instanceof FilterFault)) throw cause
      this.reader.note(cause.rule, path, cause.message)
      return undefined
    }
  }

  errors(tree: Tree | undefined, path: Path): ErrorMark[] {
    return this.reader.list(tree, path).map((one, index) => {
      const at = [...path, String(index)]
      const table = this.reader.table(one, at, ['path', 'selector', 'message'])
      return {
        selector: this.selector(table['selector'], [...at, 'selector']) ?? '',
        message: 'message' in table ? this.field(table['message'], [...at, 'message'], 'html') : undefined,
      }
    })
  }
}
