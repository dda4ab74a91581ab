import type { TemplateGroup, TemplateType, TemplateVariableType } from './vocabulary.ts'

export type ScalarValue = string | number | boolean
/** What an event says, by variable. */
export type TemplateValues = Readonly<Record<string, ScalarValue | readonly Readonly<Record<string, ScalarValue>>[]>>

export interface ScalarVariable {
  readonly key: string
  readonly type: Exclude<TemplateVariableType, 'list'>
  readonly desc: string
  readonly sample: ScalarValue
}

interface ListVariable {
  readonly key: string
  readonly type: 'list'
  readonly desc: string
  readonly item: readonly ScalarVariable[]
  /** Further items of the sample data, beside the one that the samples of the fields make. */
  readonly more: readonly Readonly<Record<string, ScalarValue>>[]
}

export type TemplateVariable = ScalarVariable | ListVariable

export interface TemplateEvent {
  readonly type: TemplateType
  readonly group: TemplateGroup
  readonly name: string
  readonly desc: string
  /** Empty for an event that is body only. */
  readonly title: string
  readonly text: string
  readonly vars: readonly TemplateVariable[]
}

export function isBodyOnly(event: TemplateEvent): boolean {
  return event.title === ''
}

export function sampleValues(variables: readonly TemplateVariable[]): TemplateValues {
  return Object.fromEntries(
    variables.map((variable) => [
      variable.key,
      variable.type === 'list'
        ? [Object.fromEntries(variable.item.map(({ key, sample }) => [key, sample])), ...variable.more]
        : variable.sample,
    ]),
  )
}

/** Every name that a template of the event may write: its variables, and with their list the fields of an item. */
export function namesOf(variables: readonly TemplateVariable[]): readonly string[] {
  return variables.flatMap((variable) =>
    variable.type === 'list' ? [variable.key, ...variable.item.map(({ key }) => key)] : [variable.key],
  )
}
