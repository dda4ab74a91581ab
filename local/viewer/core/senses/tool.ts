/** A question about code that a program may ask, and what it takes to ask it. */
import type { GraphReader } from '../../../indexer/core/graph-reader.ts'
import type { FileRow } from '../../../indexer/core/rows.ts'
import { type Answer, badRequest } from '../failure.ts'
import type { Review } from '../review.ts'
import type { TextAsked, TextFound } from '../text-answer.ts'
import type { Report } from './report.ts'
import { budgetDefault, budgetMax, budgetMin } from './report.ts'

/** The text of a file of the index; undefined when what lies there now is another. */
type ReadAsIndexed = (file: FileRow) => string | undefined

export interface Sensed {
  readonly reader: GraphReader
  readonly read: ReadAsIndexed
  /** Whether whoever asks may be given text of a file. */
  readonly mayShow: (path: string) => boolean
  /** Texts of the project that are no source and may name some. */
  readonly others: () => Iterable<string>
  readonly review: (range: string) => Answer<Review>
}

type Parameter =
  | { readonly kind: 'text'; readonly about: string; readonly charsMax: number; readonly isRequired?: true }
  | { readonly kind: 'flag'; readonly about: string }
  | {
      readonly kind: 'whole'
      readonly about: string
      readonly min: number
      readonly max: number
      readonly fallback: number
    }

export type Given = Readonly<Record<string, string | number | boolean | undefined>>

interface ToolFacts {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, Parameter>>
}

/** Answered from the index alone. */
export interface IndexTool extends ToolFacts {
  readonly ask: (sensed: Sensed, given: Given) => Answer<Report>
}

/** What has to be looked for outside of the index, within the files that it names. */
interface Lookout {
  readonly findText: (asked: TextAsked) => Promise<Answer<TextFound>>
}

export interface LookingTool extends ToolFacts {
  readonly look: (lookout: Lookout, given: Given) => Promise<Answer<Report>>
}

export type SenseTool = IndexTool | LookingTool

const budget: Parameter = {
  kind: 'whole',
  about: 'About how many tokens the answer may have; what does not fit is cut, and that is said.',
  min: budgetMin,
  max: budgetMax,
  fallback: budgetDefault,
}

function parametersOf(tool: SenseTool): Readonly<Record<string, Parameter>> {
  return { ...tool.parameters, budget }
}

/** As JSON Schema. */
export function schemaOf(tool: SenseTool): {
  readonly properties: Record<string, Record<string, string | number | boolean>>
  readonly required: string[]
  readonly additionalProperties: false
} {
  const parameters = Object.entries(parametersOf(tool))
  const properties = parameters.map(([name, one]) => [
    name,
    one.kind === 'flag'
      ? { type: 'boolean', description: one.about, default: false }
      : one.kind === 'text'
        ? { type: 'string', description: one.about, minLength: 1, maxLength: one.charsMax }
        : { type: 'integer', description: one.about, minimum: one.min, maximum: one.max, default: one.fallback },
  ])
  return {
    properties: Object.fromEntries(properties) as Record<string, Record<string, string | number | boolean>>,
    required: parameters.filter(([, one]) => one.kind === 'text' && one.isRequired === true).map(([name]) => name),
    additionalProperties: false,
  }
}

/** Nothing is clamped and nothing unknown is let pass: whoever wrote it meant something by it. */
export function givenOf(tool: SenseTool, raw: Readonly<Record<string, unknown>>): Answer<Given> {
  const parameters = parametersOf(tool)
  const unknown = Object.keys(raw).find((name) => !Object.hasOwn(parameters, name))
  if (unknown !== undefined)
    return badRequest(`${tool.name} takes no "${unknown.slice(0, 80)}"; it takes ${Object.keys(parameters).join(', ')}`)
  const given: Record<string, string | number | boolean | undefined> = {}
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = raw[name]
    if (parameter.kind === 'flag') {
      if (value !== undefined && typeof value !== 'boolean') return badRequest(`${name} must be true or false`)
      given[name] = value === true
    } else if (parameter.kind === 'whole') {
      if (value === undefined) given[name] = parameter.fallback
      else if (Number.isInteger(value) && Number(value) >= parameter.min && Number(value) <= parameter.max)
        given[name] = Number(value)
      else return badRequest(`${name} must be a whole number from ${parameter.min} to ${parameter.max}`)
    } else if (value === undefined) {
      if (parameter.isRequired === true) return badRequest(`${name} is missing: ${parameter.about}`)
    } else if (typeof value !== 'string' || value.trim() === '') return badRequest(`${name} must be a text`)
    else if (value.length > parameter.charsMax)
      return badRequest(`${name} may have at most ${parameter.charsMax} characters`)
    else given[name] = value
  }
  return { ok: true, value: given }
}
