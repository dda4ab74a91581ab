import { describe, test } from 'vitest'
import type { WireTemplateEvent } from '../../../../workers/app/contract/templates.ts'
import { commonVariables, templateEvents } from '../../../../workers/app/core/template-events.ts'
import { chinese } from '../../../../workers/app/web/locales/chinese.ts'
import { english } from '../../../../workers/app/web/locales/english.ts'
import { draftOf, isChanged, toBody, variableRows } from '../../../../workers/app/web/model/template-draft.ts'
import { templateLines } from '../../../../workers/app/web/model/template-pieces.ts'

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
