/** Makes a definition ready to run, or tells what is wrong with it and where. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { BlockReader, type SelectorCheck } from './block-reader.ts'
import { commonCategories } from './categories.ts'
import {
  type CategoryMapping,
  type Definition,
  type DefinitionFault,
  type DefinitionSetting,
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
import { readDownload } from './download-block.ts'

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

/** At most `faultsMax` faults are told. */
export function compileDefinition(
  tree: Tree,
  check: SelectorCheck,
  faultsMax: number,
): Result<Definition, readonly DefinitionFault[]> {
  const reader = new DefinitionReader(faultsMax)
  const definition = new DefinitionCompiler(new BlockReader(reader, check)).read(tree)
  return reader.faults.length === 0 ? succeed(definition) : failWith(reader.faults)
}

class DefinitionCompiler {
  readonly #blocks: BlockReader
  readonly #reader: DefinitionReader

  constructor(blocks: BlockReader) {
    this.#blocks = blocks
    this.#reader = blocks.reader
  }

  read(tree: Tree): Definition {
    const reader = this.#reader
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
      download: 'download' in root ? readDownload(this.#blocks, root['download']) : undefined,
    }
  }

  #settings(tree: Tree | undefined): DefinitionSetting[] {
    const reader = this.#reader
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
    const reader = this.#reader
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
    const reader = this.#reader
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
        selector: this.#blocks.field(inputs[input], ['login', name, input], 'html'),
      }))
    }
    return {
      method: reader.choice(table['method'], ['login', 'method'], loginMethods, 'form'),
      path: reader.template(table['path'], ['login', 'path']),
      submitPath: reader.template(table['submitpath'], ['login', 'submitpath']),
      form: this.#blocks.selector(table['form'], ['login', 'form']) ?? 'form',
      cookies: reader.texts(table['cookies'], ['login', 'cookies']),
      inputs: this.#blocks.inputs(table['inputs'], ['login', 'inputs']),
      namesAreSelectors: reader.flag(table['selectors'], ['login', 'selectors']),
      selectorInputs: blocks('selectorinputs'),
      addressInputs: blocks('getselectorinputs'),
      errors: this.#blocks.errors(table['error'], ['login', 'error']),
      test:
        test === undefined
          ? undefined
          : {
              path: reader.template(test['path'], ['login', 'test', 'path']) ?? reader.templateOf('', []),
              selector: this.#blocks.selector(test['selector'], ['login', 'test', 'selector']),
            },
      captcha:
        captcha === undefined
          ? undefined
          : { selector: this.#blocks.selector(captcha['selector'], ['login', 'captcha', 'selector']) ?? 'img' },
      headers: this.#blocks.headers(table['headers'], ['login', 'headers']),
    }
  }

  #search(root: Table): SearchBlock {
    const reader = this.#reader
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
    const shared = this.#blocks.inputs(table['inputs'], ['search', 'inputs'])
    const listed = reader.list(table['paths'], ['search', 'paths'])
    if (listed.length > pathsMax) reader.note('too_many', ['search', 'paths'], `more than ${pathsMax}`)
    const paths = 'path' in table ? [this.#path({ path: table['path'] ?? '' }, ['search'], shared)] : []
    for (const [index, one] of listed.entries()) paths.push(this.#path(one, ['search', 'paths', String(index)], shared))
    if (paths.length === 0) reader.note('missing', ['search'], '"paths" is missing')
    const kind = paths.some(({ response }) => response === 'json') ? 'json' : 'html'
    return {
      paths,
      headers: this.#blocks.headers(table['headers'], ['search', 'headers']),
      allowEmptyInputs: reader.flag(table['allowEmptyInputs'], ['search', 'allowEmptyInputs']),
      keywordFilters: this.#blocks.filters(table['keywordsfilters'], ['search', 'keywordsfilters']),
      pageFilters: this.#blocks.filters(table['preprocessingfilters'], ['search', 'preprocessingfilters']),
      errors: this.#blocks.errors(table['error'], ['search', 'error']),
      rows: this.#rows(table, kind),
      fields: this.#fields(table['fields'], kind),
    }
  }

  #path(tree: Tree, path: Path, shared: readonly Inputs[]): SearchPath {
    const reader = this.#reader
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
    const own = this.#blocks.inputs(table['inputs'], [...path, 'inputs'])
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
    const reader = this.#reader
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
      const { name, args } = this.#blocks.filterParts(one, at)
      this.#blocks.filter(name, args, at)
      if (name === 'andmatch') wordsMatch = { charactersMax: args[0] === undefined ? undefined : Number(args[0]) || 0 }
    }
    const selector = reader.needed(table, 'selector', path)
    return {
      selector: this.#blocks.selectorTemplate(selector, [...path, 'selector'], kind),
      attribute: reader.text(table['attribute'], [...path, 'attribute']),
      isMultiple: reader.flag(table['multiple'], [...path, 'multiple']),
      mayLackAttribute: reader.flag(table['missingAttributeEqualsNoResults'], [
        ...path,
        'missingAttributeEqualsNoResults',
      ]),
      after: Number.isInteger(after) ? after : 0,
      remove: kind === 'html' ? this.#blocks.selector(table['remove'], [...path, 'remove']) : undefined,
      count: 'count' in table ? this.#blocks.field(table['count'], [...path, 'count'], kind) : undefined,
      dateHeaders:
        'dateheaders' in table ? this.#blocks.field(table['dateheaders'], [...path, 'dateheaders'], kind) : undefined,
      wordsMatch,
    }
  }

  #fields(tree: Tree | undefined, kind: 'json' | 'html'): SearchField[] {
    const reader = this.#reader
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
        selector: this.#blocks.field(table[name], ['search', 'fields', name], kind),
      }
    })
  }
}
