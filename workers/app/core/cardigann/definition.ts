/** A tracker definition as it is read, checked and made ready. Written by others: every part is checked. */
import type { Filter } from './filters.ts'
import type { Template } from './template.ts'

export const settingTypes = [
  'info',
  'text',
  'password',
  'checkbox',
  'select',
  'info_category_8000',
  'info_cookie',
  'info_flaresolverr',
  'info_useragent',
] as const

export interface DefinitionSetting {
  readonly name: string
  readonly type: (typeof settingTypes)[number]
  readonly label: string
  readonly fallback: string
  readonly options: Readonly<Record<string, string>>
}

export interface CategoryMapping {
  /** The site's own. */
  readonly id: string
  /** `Movies/HD`: the common name. */
  readonly name: string
  readonly description: string
  readonly isDefault: boolean
}

export interface FieldSelector {
  readonly selector: Template | undefined
  readonly attribute: string | undefined
  readonly isOptional: boolean
  readonly fallback: Template | undefined
  readonly cases: readonly { readonly key: string; readonly value: Template }[] | undefined
  readonly remove: string | undefined
  readonly text: Template | undefined
  readonly filters: readonly Filter[]
}

export interface Inputs {
  readonly name: string
  readonly value: Template
}

export interface ErrorMark {
  readonly selector: string
  readonly message: FieldSelector | undefined
}

export const loginMethods = ['form', 'post', 'cookie', 'get', 'oneurl'] as const

export interface LoginBlock {
  readonly method: (typeof loginMethods)[number]
  readonly path: Template | undefined
  readonly submitPath: Template | undefined
  readonly form: string
  readonly cookies: readonly string[]
  readonly inputs: readonly Inputs[]
  /** The names of inputs are selectors. */
  readonly namesAreSelectors: boolean
  readonly selectorInputs: readonly { readonly name: string; readonly selector: FieldSelector }[]
  readonly addressInputs: readonly { readonly name: string; readonly selector: FieldSelector }[]
  readonly errors: readonly ErrorMark[]
  readonly test: { readonly path: Template; readonly selector: string | undefined } | undefined
  readonly captcha: { readonly selector: string } | undefined
  readonly headers: readonly HeaderLine[]
}

export interface HeaderLine {
  readonly name: string
  readonly value: Template
}

export interface SearchPath {
  readonly path: Template
  readonly method: Template
  readonly categories: readonly string[]
  /** Those of the search before them, where they are inherited. */
  readonly inputs: readonly Inputs[]
  readonly separator: string
  readonly response: 'html' | 'json' | 'xml'
  readonly noResults: string | undefined
}

export interface RowsBlock {
  readonly selector: Template
  readonly attribute: string | undefined
  readonly isMultiple: boolean
  readonly mayLackAttribute: boolean
  readonly after: number
  readonly remove: string | undefined
  readonly count: FieldSelector | undefined
  readonly dateHeaders: FieldSelector | undefined
  /** Only rows whose title has every word that was asked for; with a number, of its first so many characters. */
  readonly wordsMatch: { readonly charactersMax: number | undefined } | undefined
}

export interface SearchField {
  readonly name: string
  readonly isAppended: boolean
  readonly selector: FieldSelector
}

export interface SearchBlock {
  readonly paths: readonly SearchPath[]
  readonly headers: readonly HeaderLine[]
  readonly allowEmptyInputs: boolean
  readonly keywordFilters: readonly Filter[]
  readonly pageFilters: readonly Filter[]
  readonly errors: readonly ErrorMark[]
  readonly rows: RowsBlock
  readonly fields: readonly SearchField[]
}

export interface DownloadSelector {
  readonly selector: Template
  readonly attribute: string | undefined
  readonly fromBefore: boolean
  readonly filters: readonly Filter[]
}

export interface DownloadBlock {
  readonly method: 'GET' | 'POST'
  readonly headers: readonly HeaderLine[]
  readonly before:
    | {
        readonly path: Template | undefined
        readonly pathSelector: DownloadSelector | undefined
        readonly method: 'GET' | 'POST'
        readonly inputs: readonly Inputs[]
        readonly separator: string
      }
    | undefined
  readonly selectors: readonly DownloadSelector[]
  readonly infoHash: DownloadSelector | undefined
}

export interface Definition {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly language: string
  readonly type: 'public' | 'semi-private' | 'private'
  readonly encoding: string
  readonly links: readonly string[]
  readonly pauseMs: number
  readonly settings: readonly DefinitionSetting[]
  readonly categories: readonly CategoryMapping[]
  readonly login: LoginBlock | undefined
  readonly search: SearchBlock
  readonly download: DownloadBlock | undefined
}

export const definitionRules = [
  'yaml',
  'shape',
  'missing',
  'unknown_field',
  'filter',
  'arguments',
  'pattern',
  'template',
  'date_layout',
  'selector',
  'address',
  'value',
  'too_many',
  'too_large',
] as const
export type DefinitionRule = (typeof definitionRules)[number]

/** What is wrong, and where: `search.fields.size.filters.0`. */
export interface DefinitionFault {
  readonly rule: DefinitionRule
  readonly path: readonly string[]
  /** For whoever wrote the definition: names the thing, never the text around it. */
  readonly detail: string
}
