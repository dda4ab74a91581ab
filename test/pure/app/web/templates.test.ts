import { describe, test } from 'vitest'
import type { WireTemplateEvent } from '../../../../workers/app/contract/templates.ts'
import { commonVariables, templateEvents } from '../../../../workers/app/core/template-events.ts'
import { describeTemplateFault, type TemplateProblem } from '../../../../workers/app/core/template-fault.ts'
import { draftOf, isChanged, toBody, variableRows } from '../../../../workers/app/web/model/template-draft.ts'
import { mended, templateFaultOf } from '../../../../workers/app/web/model/template-faults.ts'
import { templateLines } from '../../../../workers/app/web/model/template-pieces.ts'
import { chinese } from '../../../../workers/app/web/words/chinese.ts'
import { english } from '../../../../workers/app/web/words/english.ts'

/** Typed against the server's list, so that a new problem does not compile until it stands here. */
const everyProblem: Readonly<Record<TemplateProblem['kind'], readonly TemplateProblem[]>> = {
  not_closed: [{ kind: 'not_closed' }],
  unknown_tag: [{ kind: 'unknown_tag', name: 'nope' }],
  unknown_filter: [
    { kind: 'unknown_filter', name: 'nope' },
    { kind: 'unknown_filter', name: 'upcse', near: 'upcase' },
  ],
  unknown_variable: [
    { kind: 'unknown_variable', name: '' },
    { kind: 'unknown_variable', name: 'item.sizetext', near: 'item.size_text' },
  ],
  list_as_text: [{ kind: 'list_as_text' }],
  tag_too_long: [{ kind: 'tag_too_long' }],
  text_too_long: [{ kind: 'text_too_long' }],
  output_too_long: [{ kind: 'output_too_long' }],
  too_much_work: [{ kind: 'too_much_work' }],
  syntax: [{ kind: 'syntax' }],
}

describe('problems of templates', () => {
  test.for(Object.values(everyProblem).flat())('the page knows what the server says: %o', (problem, { expect }) => {
    for (const part of ['title', 'text'] as const) {
      const known = templateFaultOf(describeTemplateFault({ part, line: 12, problem }))
      const { name = '', near } = { name: '', near: undefined, ...problem }

      expect(known).toEqual({ fault: problem.kind, part, line: 12, name, near })
      if (known === undefined) return
      const told = english.templateFaults[problem.kind](known)
      expect(told).toContain(near ?? name)
      expect(told).not.toMatch(/\p{Script=Han}/u)
      expect(chinese.templateFaults[problem.kind](known)).toContain(near ?? name)
    }
  })

  test('of other messages nothing is known', ({ expect }) => {
    for (const message of ['', '没有这个模板事件', '正文第 x 行：写法不正确'])
      expect(templateFaultOf(message)).toBeUndefined()
  })

  test('are mended in their own line', ({ expect }) => {
    const fault = { fault: 'unknown_variable', part: 'text', line: 2, name: 'stie', near: 'site' } as const

    expect(mended('{{ stie }}\n{{ stie }} {{ stie }}', fault)).toBe('{{ stie }}\n{{ site }} {{ site }}')
    expect(mended('a', { ...fault, near: undefined })).toBe('a')
  })
})

describe('the words of events', () => {
  test('are there in English for every event and every variable', ({ expect }) => {
    for (const { type, vars } of templateEvents) {
      expect(english.templates.eventName(type, '')).not.toBe('')
      expect(english.templates.eventDesc(type, '')).not.toBe('')
      const wire = vars.map((one) =>
        one.type === 'list'
          ? { key: one.key, type: one.type, desc: '', item: one.item.map((field) => ({ ...field, sample: '' })) }
          : { ...one, sample: '' },
      )
      for (const { name } of variableRows(wire)) expect(english.templates.variable(name, ''), name).not.toBe('')
    }
    for (const { key } of commonVariables) expect(english.templates.variable(key, '')).not.toBe('')
    expect(chinese.templates.eventName('push.done', '推送成功')).toBe('推送成功')
  })
})

describe('a draft', () => {
  const event: WireTemplateEvent = {
    type: 'push.done',
    group: 'notify',
    name: '',
    desc: '',
    no_title: false,
    vars: [],
    sample_title: '',
    sample_text: '',
    title: '',
    text: 'own',
    customized: true,
    updated_at: 1,
    builtin_title: 'B',
    builtin_text: 'C',
  }

  test('begins with the owner’s texts, or the built-in ones', ({ expect }) => {
    expect(draftOf(event)).toEqual({ title: 'B', text: 'own' })
  })

  test('that is as it was is not changed, and the built-in text stays the built-in one', ({ expect }) => {
    expect(isChanged(draftOf(event), event)).toBe(false)
    expect(isChanged({ title: '', text: 'own' }, event)).toBe(false)
    expect(isChanged({ title: 'x', text: 'own' }, event)).toBe(true)
    expect(toBody({ title: 'B', text: 'C' }, event)).toEqual({ title: '', text: '' })
    expect(toBody({ title: 'x', text: 'C' }, { ...event, no_title: true })).toEqual({ title: '', text: '' })
  })

  test('is told what a click puts in', ({ expect }) => {
    const rows = variableRows([
      { key: 'site', type: 'string', desc: 'd', sample: 's' },
      { key: 'items', type: 'list', desc: 'd', item: [{ key: 'title', type: 'string', desc: 'd', sample: 's' }] },
    ])

    expect(rows.map(({ name, insert, isField }) => [name, insert, isField])).toEqual([
      ['site', '{{ site }}', false],
      ['items', '{% for item in items %}{{ item.title }}\n{% endfor %}', false],
      ['item.title', '{{ item.title }}', true],
    ])
  })
})

describe('the drawn lines', () => {
  const drawn = (text: string) =>
    templateLines(text).map((line) => line.map(({ kind, text: said }) => `${kind[0]}:${said}`))

  test('tell text, tags and names apart', ({ expect }) => {
    expect(drawn('a {{ site | upcase }}\n{% if items.size > 1 %}"x"')).toEqual([
      ['t:a ', 't:{{ ', 'n:site', 't: | ', 'n:upcase', 't: }}'],
      ['t:{% ', 't:if', 't: ', 'n:items.size', 't: > 1 %}', 't:"x"'],
    ])
  })

  test.for(['', '\n', '{{', '{% if', 'a {{ b\nc', '{{ "}}" }}', "{{ 'a", '}} {{ x }}\n\n'])(
    '%j are the text itself',
    (text, { expect }) => {
      expect(
        templateLines(text)
          .map((line) => line.map((piece) => piece.text).join(''))
          .join('\n'),
      ).toBe(text)
    },
  )
})
