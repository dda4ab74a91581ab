/** Makes a definition ready to run, or tells what is wrong with it and where. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { commonCategories } from './categories.ts'
import {
  type CategoryMapping,
  type Definition,
  type DefinitionFault,
  type DefinitionSetting,
  type ErrorMark,
  type FieldSelector,
  type HeaderLine,
  type Inputs,
  type LoginBlock,
  loginMethods,
  type RowsBlock,
  type SearchBlock,
  type SearchField,
  type SearchPath,
  settingTypes,
} from './definition.ts'
import { DefinitionReader, type Path, type Table, type Tree } from './definition-reader.ts'
import { type BlockReader, readDownload } from './download-block.ts'
import { compileFilter, type Filter, FilterFault } from './filters.ts'
import { parseJsonSelector } from './json-path.ts'
import type { Template } from './template.ts'

export interface SelectorCheck {
  /** Whether a page can be asked with it. */
  readonly isSelector: (text: string) => boolean
}

const rootNames = [
  'id',
  'replaces',
  'name',
  'description',
  'language',
  'type',
  'encoding',
  'followredirect',
  'testlinktorrent',
  'requestdelay',
  'requestDelay',
  'links',
  'legacylinks',
  'certificates',
  'caps',
  'settings',
  'login',
  'search',
  'download',
]
const pathsMax = 30
const linksMax = 50
/** Two minutes: longer pauses than that are mistakes. */
const pauseSecondsMax = 120

/** At the most `faultsMax` of what is wrong with it are told. */
export function compileDefinition(
  tree: Tree,
  check: SelectorCheck,
  faultsMax: number,
): Result<Definition, readonly DefinitionFault[]> {
  const reader = new DefinitionReader(faultsMax)
  const definition = new DefinitionCompiler(reader, check).read(tree)
  return reader.faults.length === 0 ? succeed(definition) : failWith(reader.faults)
}

class DefinitionCompiler implements BlockReader {
  readonly reader: DefinitionReader
  readonly #check: SelectorCheck

  constructor(reader: DefinitionReader, check: SelectorCheck) {
    this.reader = reader
    this.#check = check
  }

  read(tree: Tree): Definition {
    const { reader } = this
    const root = reader.table(tree, [], rootNames)
    const id = reader.needed(root, 'id', [])
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id)) reader.note('value', ['id'], 'letters, digits, dots, - and _')
    const links = reader.texts(root['links'], ['links'])
    if (links.length === 0) reader.note('missing', [], '"links" is missing')
    if (links.length > linksMax) reader.note('too_many', ['links'], `more than ${linksMax}`)
    for (const [index, link] of links.entries())
      if (!/^https?:\/\/[^\s/?#@]+(?:[/?#]|$)/i.test(link))
        reader.note('address', ['links', String(index)], 'http or https is expected')
    const pause = Number(reader.text(root['requestDelay'] ?? root['requestdelay'], ['requestDelay']) ?? '0')
    if (!(pause >= 0 && pause <= pauseSecondsMax))
      reader.note('value', ['requestDelay'], `0 to ${pauseSecondsMax} seconds`)
    reader.list(root['legacylinks'], ['legacylinks'])
    return {
      id,
      name: reader.needed(root, 'name', []).slice(0, 200),
      description: (reader.text(root['description'], ['description']) ?? '').slice(0, 2000),
      language: reader.text(root['language'], ['language']) ?? 'en-US',
      type: reader.choice(root['type'], ['type'], ['public', 'semi-private', 'private'], 'private'),
      encoding: reader.text(root['encoding'], ['encoding']) ?? 'UTF-8',
      links,
      pauseMs: Math.round((pause || 0) * 1000),
      settings: this.#settings(root['settings']),
      categories: this.#categories(root),
      login: 'login' in root ? this.#login(root['login']) : undefined,
      search: this.#search(root),
      download: 'download' in root ? readDownload(this, root['download']) : undefined,
    }
  }

  #settings(tree: Tree | undefined): DefinitionSetting[] {
    const { reader } = this
    if (tree === undefined) {
      // As the programs have it that definitions are written for.
      return ['username', 'password'].map((name) => ({
        name,
        type: name === 'password' ? ('password' as const) : ('text' as const),
        label: name,
        fallback: '',
        options: {},
      }))
    }
    return reader.list(tree, ['settings']).map((one, index) => {
      const path = ['settings', String(index)]
      const table = reader.table(one, path, ['name', 'label', 'type', 'default', 'options', 'defaults'])
      const name = reader.needed(table, 'name', path)
      if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) reader.note('value', [...path, 'name'], 'letters, digits, - and _')
      const options = reader.table(table['options'], [...path, 'options'])
      return {
        name,
        type: reader.choice(table['type'], [...path, 'type'], settingTypes, 'text'),
        label: reader.text(table['label'], [...path, 'label']) ?? name,
        fallback: reader.text(table['default'], [...path, 'default']) ?? '',
        options: Object.fromEntries(
          Object.keys(options).map((key) => [key, reader.text(options[key], [...path, 'options', key]) ?? '']),
        ),
      }
    })
  }

  #categories(root: Table): CategoryMapping[] {
    const { reader } = this
    if (!('caps' in root)) reader.note('missing', [], '"caps" is missing')
    const caps = reader.table(
      root['caps'],
      ['caps'],
      ['categories', 'categorymappings', 'modes', 'allowrawsearch', 'allowtvsearchimdb'],
    )
    const named = (name: string, path: Path) => {
      if (!commonCategories.has(name.toLowerCase()))
        reader.note('value', path, `the category ${name.slice(0, 40)} is not known`)
      return name
    }
    const plain = reader.table(caps['categories'], ['caps', 'categories'])
    const short = Object.keys(plain).map((id): CategoryMapping => {
      const path = ['caps', 'categories', id]
      return { id, name: named(reader.text(plain[id], path) ?? '', path), description: '', isDefault: false }
    })
    const long = reader
      .list(caps['categorymappings'], ['caps', 'categorymappings'])
      .map((one, index): CategoryMapping => {
        const path = ['caps', 'categorymappings', String(index)]
        const table = reader.table(one, path, ['id', 'cat', 'desc', 'default'])
        return {
          id: reader.needed(table, 'id', path),
          name: named(reader.needed(table, 'cat', path), [...path, 'cat']),
          description: reader.text(table['desc'], [...path, 'desc']) ?? '',
          isDefault: reader.flag(table['default'], [...path, 'default']),
        }
      })
    return [...short, ...long]
  }

  #login(tree: Tree | undefined): LoginBlock {
    const { reader } = this
    const path = ['login']
    const table = reader.table(tree, path, [
      'method',
      'path',
      'submitpath',
      'form',
      'cookies',
      'captcha',
      'inputs',
      'selectors',
      'selectorinputs',
      'getselectorinputs',
      'error',
      'test',
      'headers',
    ])
    const test = 'test' in table ? reader.table(table['test'], ['login', 'test'], ['path', 'selector']) : undefined
    const captcha =
      'captcha' in table
        ? reader.table(table['captcha'], ['login', 'captcha'], ['type', 'selector', 'input'])
        : undefined
    const blocks = (name: string) => {
      const inputs = reader.table(table[name], ['login', name])
      return Object.keys(inputs).map((input) => ({
        name: input,
        selector: this.field(inputs[input], ['login', name, input], 'html'),
      }))
    }
    return {
      method: reader.choice(table['method'], ['login', 'method'], loginMethods, 'form'),
      path: reader.template(table['path'], ['login', 'path']),
      submitPath: reader.template(table['submitpath'], ['login', 'submitpath']),
      form: this.selector(table['form'], ['login', 'form']) ?? 'form',
      cookies: reader.texts(table['cookies'], ['login', 'cookies']),
      inputs: this.inputs(table['inputs'], ['login', 'inputs']),
      namesAreSelectors: reader.flag(table['selectors'], ['login', 'selectors']),
      selectorInputs: blocks('selectorinputs'),
      addressInputs: blocks('getselectorinputs'),
      errors: this.#errors(table['error'], ['login', 'error']),
      test:
        test === undefined
          ? undefined
          : {
              path: reader.template(test['path'], ['login', 'test', 'path']) ?? reader.templateOf('', []),
              selector: this.selector(test['selector'], ['login', 'test', 'selector']),
            },
      captcha:
        captcha === undefined
          ? undefined
          : { selector: this.selector(captcha['selector'], ['login', 'captcha', 'selector']) ?? 'img' },
      headers: this.headers(table['headers'], ['login', 'headers']),
    }
  }

  #search(root: Table): SearchBlock {
    const { reader } = this
    if (!('search' in root)) reader.note('missing', [], '"search" is missing')
    const table = reader.table(
      root['search'],
      ['search'],
      [
        'path',
        'paths',
        'allowEmptyInputs',
        'inputs',
        'headers',
        'keywordsfilters',
        'error',
        'preprocessingfilters',
        'rows',
        'fields',
      ],
    )
    const shared = this.inputs(table['inputs'], ['search', 'inputs'])
    const listed = reader.list(table['paths'], ['search', 'paths'])
    if (listed.length > pathsMax) reader.note('too_many', ['search', 'paths'], `more than ${pathsMax}`)
    const paths = 'path' in table ? [this.#path({ path: table['path'] ?? '' }, ['search'], shared)] : []
    for (const [index, one] of listed.entries()) paths.push(this.#path(one, ['search', 'paths', String(index)], shared))
    if (paths.length === 0) reader.note('missing', ['search'], '"paths" is missing')
    const kind = paths.some(({ response }) => response === 'json') ? 'json' : 'html'
    return {
      paths,
      headers: this.headers(table['headers'], ['search', 'headers']),
      allowEmptyInputs: reader.flag(table['allowEmptyInputs'], ['search', 'allowEmptyInputs']),
      keywordFilters: this.filters(table['keywordsfilters'], ['search', 'keywordsfilters']),
      pageFilters: this.filters(table['preprocessingfilters'], ['search', 'preprocessingfilters']),
      errors: this.#errors(table['error'], ['search', 'error']),
      rows: this.#rows(table, kind),
      fields: this.#fields(table['fields'], kind),
    }
  }

  #path(tree: Tree, path: Path, shared: readonly Inputs[]): SearchPath {
    const { reader } = this
    const table = reader.table(tree, path, [
      'path',
      'method',
      'followredirect',
      'categories',
      'inputs',
      'inheritinputs',
      'queryseparator',
      'response',
    ])
    const response = reader.table(table['response'], [...path, 'response'], ['type', 'noResultsMessage'])
    const own = this.inputs(table['inputs'], [...path, 'inputs'])
    const inherits = !('inheritinputs' in table) || reader.flag(table['inheritinputs'], [...path, 'inheritinputs'])
    return {
      path: reader.template(table['path'], [...path, 'path']) ?? reader.templateOf('', path),
      method: reader.template(table['method'], [...path, 'method']) ?? reader.templateOf('get', path),
      categories: reader.texts(table['categories'], [...path, 'categories']),
      inputs: inherits ? [...shared, ...own] : own,
      separator: reader.text(table['queryseparator'], [...path, 'queryseparator']) ?? '&',
      response: reader.choice(response['type'], [...path, 'response', 'type'], ['html', 'json', 'xml'], 'html'),
      noResults: reader.text(response['noResultsMessage'], [...path, 'response', 'noResultsMessage']),
    }
  }

  #rows(search: Table, kind: 'json' | 'html'): RowsBlock {
    const { reader } = this
    const path = ['search', 'rows']
    if (!('rows' in search)) reader.note('missing', ['search'], '"rows" is missing')
    const table = reader.table(search['rows'], path, [
      'after',
      'dateheaders',
      'selector',
      'attribute',
      'optional',
      'multiple',
      'missingAttributeEqualsNoResults',
      'case',
      'remove',
      'text',
      'filters',
      'count',
    ])
    const after = Number(reader.text(table['after'], [...path, 'after']) ?? '0')
    if (!Number.isInteger(after) || after < 0 || after > 20) reader.note('value', [...path, 'after'], '0 to 20')
    let wordsMatch: RowsBlock['wordsMatch']
    for (const [index, one] of reader.list(table['filters'], [...path, 'filters']).entries()) {
      const at = [...path, 'filters', String(index)]
      const { name, args } = this.#filterParts(one, at)
      this.#filter(name, args, at)
      if (name === 'andmatch') wordsMatch = { charactersMax: args[0] === undefined ? undefined : Number(args[0]) || 0 }
    }
    const selector = reader.needed(table, 'selector', path)
    return {
      selector: this.selectorTemplate(selector, [...path, 'selector'], kind),
      attribute: reader.text(table['attribute'], [...path, 'attribute']),
      isMultiple: reader.flag(table['multiple'], [...path, 'multiple']),
      mayLackAttribute: reader.flag(table['missingAttributeEqualsNoResults'], [
        ...path,
        'missingAttributeEqualsNoResults',
      ]),
      after: Number.isInteger(after) ? after : 0,
      remove: kind === 'html' ? this.selector(table['remove'], [...path, 'remove']) : undefined,
      count: 'count' in table ? this.field(table['count'], [...path, 'count'], kind) : undefined,
      dateHeaders:
        'dateheaders' in table ? this.field(table['dateheaders'], [...path, 'dateheaders'], kind) : undefined,
      wordsMatch,
    }
  }

  #fields(tree: Tree | undefined, kind: 'json' | 'html'): SearchField[] {
    const { reader } = this
    const table = reader.table(tree, ['search', 'fields'])
    const names = Object.keys(table)
    const has = (...wanted: string[]) => wanted.some((name) => names.some((one) => one.split('|')[0] === name))
    if (!has('title')) reader.note('missing', ['search', 'fields'], '"title" is missing')
    if (!has('download', 'magnet', 'infohash')) reader.note('missing', ['search', 'fields'], '"download" is missing')
    return names.map((name) => {
      const [plain = '', ...modifiers] = name.split('|')
      if (!/^[\w-]{1,64}$/.test(plain)) reader.note('unknown_field', ['search', 'fields', name], 'a name of a field')
      return {
        name: plain,
        isAppended: modifiers.includes('append'),
        selector: this.field(table[name], ['search', 'fields', name], kind),
      }
    })
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
      const { name, args } = this.#filterParts(one, at)
      return this.#filter(name, args, at) ?? []
    })
  }

  #filterParts(tree: Tree, path: Path): { readonly name: string; readonly args: readonly string[] } {
    const table = this.reader.table(tree, path, ['name', 'args'])
    const { args } = table
    return {
      name: this.reader.needed(table, 'name', path),
      args: args === undefined ? [] : typeof args === 'string' ? [args] : this.reader.texts(args, [...path, 'args']),
    }
  }

  #filter(name: string, args: readonly string[], path: Path): Filter | undefined {
    try {
      return compileFilter(name, args)
    } catch (cause) {
      if (!(cause instanceof FilterFault)) throw cause
      this.reader.note(cause.rule, path, cause.message)
      return undefined
    }
  }

  #errors(tree: Tree | undefined, path: Path): ErrorMark[] {
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
