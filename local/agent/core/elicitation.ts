/** What a tool server asks of the owner by a form: its fields as questions, and the answers as the values it takes. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { QuestionItem } from './session/event.ts'

type FieldKind = 'text' | 'number' | 'integer' | 'truth' | 'choice' | 'choices'

export interface FormField {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly kind: FieldKind
  readonly isRequired: boolean
  /** Value and label. */
  readonly choices: readonly (readonly [value: string, label: string])[]
  readonly min: number | undefined
  readonly max: number | undefined
}

/** As a person can take it in. */
export interface FormBounds {
  readonly fieldsMax: number
  readonly choicesMax: number
  readonly charactersMax: number
}

type FormValue = string | number | boolean | readonly string[]

const yes = 'Yes'
const no = 'No'
const leftOut = '(leave out)'

/** Undefined for a form that is not one of plain fields, or has too many of them to be asked. */
export function readForm(schema: unknown, bounds: FormBounds): readonly FormField[] | undefined {
  const { properties, required } = (schema ?? {}) as { readonly properties?: unknown; readonly required?: unknown }
  if (typeof properties !== 'object' || properties === null) return undefined
  const fields = Object.entries(properties).map(([name, field]) =>
    readField(name, field, Array.isArray(required) && required.includes(name), bounds),
  )
  const known = fields.filter((field) => field !== undefined)
  return known.length === fields.length && known.length > 0 && known.length <= bounds.fieldsMax ? known : undefined
}

function readField(
  name: string,
  field: unknown,
  isRequired: boolean,
  { choicesMax, charactersMax }: FormBounds,
): FormField | undefined {
  const said = (field ?? {}) as Readonly<Record<string, unknown>>
  const kind = kindOf(said)
  if (kind === undefined) return undefined
  const list = (kind === 'choices' ? (said['items'] as Readonly<Record<string, unknown>>) : said) ?? {}
  const choices = kind === 'choice' || kind === 'choices' ? choicesOf(list) : []
  if (choices === undefined || choices.length >= choicesMax) return undefined
  const short = (text: unknown, instead: string) =>
    typeof text === 'string' && text.trim() !== '' ? text.slice(0, Math.floor(charactersMax / 4)) : instead
  const title = short(said['title'], name)
  const bound = (...names: string[]) => names.map((one) => said[one]).find((value) => typeof value === 'number')
  return {
    ...{ name, title, kind, isRequired, choices },
    about: short(said['description'], ''),
    min: bound('minimum', 'minLength', 'minItems'),
    max: bound('maximum', 'maxLength', 'maxItems'),
  }
}

function kindOf(said: Readonly<Record<string, unknown>>): FieldKind | undefined {
  if (said['type'] === 'boolean') return 'truth'
  if (said['type'] === 'number' || said['type'] === 'integer') return said['type']
  if (said['type'] === 'array') return 'choices'
  if (said['type'] !== 'string') return undefined
  return 'enum' in said || 'oneOf' in said ? 'choice' : 'text'
}

function choicesOf(list: Readonly<Record<string, unknown>>): (readonly [string, string])[] | undefined {
  const titled = list['oneOf'] ?? list['anyOf']
  const pairs = Array.isArray(titled)
    ? titled.map((one: unknown) => {
        const { const: value, title } = (one ?? {}) as { readonly const?: unknown; readonly title?: unknown }
        return [value, title ?? value]
      })
    : Array.isArray(list['enum'])
      ? list['enum'].map((value: unknown, at: number) => {
          const names = list['enumNames']
          return [value, Array.isArray(names) ? (names[at] ?? value) : value]
        })
      : []
  const known = pairs.flatMap(([value, label]) =>
    typeof value === 'string' && typeof label === 'string' && label !== '' ? [[value, label] as const] : [],
  )
  const labels = new Set(known.map(([, label]) => label))
  return known.length === pairs.length && known.length > 0 && labels.size === known.length ? known : undefined
}

/** One question a field. Above the first it says who asks, and what for. */
export function questionsOf(
  server: string,
  message: string,
  fields: readonly FormField[],
  { charactersMax }: FormBounds,
): QuestionItem[] {
  return fields.map(({ title, about, kind, choices, isRequired }, at) => {
    const labels = kind === 'truth' ? [yes, no] : choices.map(([, label]) => label)
    const lines = [...(at === 0 ? [`${server} asks: ${message}`] : []), title, ...(about === '' ? [] : [about])]
    return {
      question: lines.join('\n').slice(0, charactersMax),
      header: title,
      options: [...labels, ...(isRequired ? [] : [leftOut])].map((label) => ({ label, description: '' })),
      ...(kind === 'choices' ? { multiple: true } : {}),
      custom: labels.length === 0,
    }
  })
}

const opened = 'I have been there'
const notOpened = 'No'

/** Whose page it is stands before what the server says of it; the address stands alone, so that it can be a link. */
export function pageQuestion(
  server: string,
  message: string,
  page: URL,
  { charactersMax }: Pick<FormBounds, 'charactersMax'>,
): QuestionItem {
  return {
    question: `${server} asks you to open a page of ${page.host}:\n${page.href}\n${message}`.slice(0, charactersMax),
    header: server,
    options: [opened, notOpened].map((label) => ({ label, description: '' })),
    custom: false,
  }
}

export function isPageOpened(answers: readonly (readonly string[])[]): boolean {
  return answers[0]?.[0] === opened
}

/** The values; fails with the first field whose answer does not fit. */
export function valuesOf(
  fields: readonly FormField[],
  answers: readonly (readonly string[])[],
): Result<Readonly<Record<string, FormValue>>, FormField> {
  const values: [string, FormValue][] = []
  for (const [at, field] of fields.entries()) {
    const given = (answers[at] ?? []).filter((answer) => answer !== leftOut)
    if (given.length === 0 && !field.isRequired) continue
    const value = fieldValue(field, given)
    if (value === undefined) return failWith(field)
    values.push([field.name, value])
  }
  return succeed(Object.fromEntries(values))
}

function fieldValue(
  { kind, choices, min = -Infinity, max = Infinity }: FormField,
  given: readonly string[],
): FormValue | undefined {
  const [first = ''] = given
  const isWithin = (size: number) => size >= min && size <= max
  if (kind === 'truth') return first === yes ? true : first === no ? false : undefined
  if (kind === 'text') return isWithin(first.length) && given.length === 1 ? first : undefined
  if (kind === 'number' || kind === 'integer') {
    const number = first.trim() === '' ? Number.NaN : Number(first)
    const isFit = Number.isFinite(number) && isWithin(number) && (kind === 'number' || Number.isInteger(number))
    return isFit ? number : undefined
  }
  const values = given.flatMap((label) => choices.filter(([, known]) => known === label).map(([value]) => value))
  if (values.length !== given.length) return undefined
  if (kind === 'choice') return values[0]
  return isWithin(values.length) ? values : undefined
}

/** What an answer to it has to be. */
export function sayWanted({ title, kind, min, max }: FormField): string {
  const bounds = [min === undefined ? '' : `at least ${min}`, max === undefined ? '' : `at most ${max}`]
  const said = bounds.filter((one) => one !== '').join(', ')
  const what = { text: 'characters', number: 'a number', integer: 'a whole number', truth: 'Yes or No' } as const
  const noun = kind === 'choice' || kind === 'choices' ? 'of the choices' : what[kind]
  return said === ''
    ? `${title}: needs ${noun}`
    : kind === 'number' || kind === 'integer'
      ? `${title}: needs ${noun}, ${said}`
      : `${title}: needs ${said} ${noun}`
}
