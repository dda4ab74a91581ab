import type { WireTemplateEvent, WireTemplateVariable } from '../../contract/templates.ts'

/** What stands in the two boxes. */
export interface Draft {
  readonly title: string
  readonly text: string
}

/** The owner's texts, and where there are none the built-in ones to start from. */
export function draftOf(event: WireTemplateEvent): Draft {
  return { title: event.title || event.builtin_title, text: event.text || event.builtin_text }
}

/** What is sent: a text that is the built-in one stays the built-in one, also when a later version has a better one. */
export function toBody(draft: Draft, event: WireTemplateEvent): Draft {
  return {
    title: event.no_title || draft.title === event.builtin_title ? '' : draft.title,
    text: draft.text === event.builtin_text ? '' : draft.text,
  }
}

export function isChanged(draft: Draft, event: WireTemplateEvent): boolean {
  const { title, text } = toBody(draft, event)
  return title !== event.title || text !== event.text
}

export interface VariableRow {
  /** As it is written. */
  readonly name: string
  readonly type: WireTemplateVariable['type']
  readonly desc: string
  readonly sample: string
  /** What a click puts into the text. */
  readonly insert: string
  /** A field of each item of a list. */
  readonly isField: boolean
}

export function variableRows(variables: readonly WireTemplateVariable[]): VariableRow[] {
  return variables.flatMap(({ key, type, desc, sample, item }) => {
    const fields = item ?? []
    const first = fields[0]?.key ?? ''
    const insert = type === 'list' ? `{% for item in ${key} %}{{ item.${first} }}\n{% endfor %}` : `{{ ${key} }}`
    return [
      { name: key, type, desc, sample: sample ?? '', insert, isField: false },
      ...fields.map((field) => ({
        name: `item.${field.key}`,
        type: field.type,
        desc: field.desc,
        sample: field.sample,
        insert: `{{ item.${field.key} }}`,
        isField: true,
      })),
    ]
  })
}
