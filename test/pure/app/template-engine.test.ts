import fc from 'fast-check'
import { describe, test } from 'vitest'
import { previewTemplate, renderTemplate } from '../../../workers/app/adapters/template-engine.ts'
import { inChinese } from '../../../workers/app/core/reason/chinese.ts'
import { templateReason } from '../../../workers/app/core/reason/of-fault.ts'
import { redact } from '../../../workers/app/core/redact.ts'
import { isBodyOnly, sampleValues, type TemplateEvent } from '../../../workers/app/core/template-event.ts'
import {
  commonVariables,
  eventIn,
  templateEventOf,
  templateEvents,
  variableIn,
} from '../../../workers/app/core/template-events.ts'
import { ownerLanguages, templateGroups, templateTypes } from '../../../workers/app/core/vocabulary.ts'
import {
  templateMemoryMax,
  templateOutputBytesMax,
  templateStepsMax,
  templateTagCharactersMax,
  templateTextBytesMax,
} from '../../../workers/app/limits.ts'

const matched = templateEventOf('rss.matched')

/** The rendered text, or what is wrong with it. */
function rendered(text: string, event: TemplateEvent = matched): string {
  const outcome = previewTemplate(event, { title: '', text })
  return outcome.ok ? outcome.value.text : inChinese(templateReason(outcome.failure))
}

describe('the list of events', () => {
  test('has each type once, and every group', ({ expect }) => {
    expect(templateEvents.map(({ type }) => type)).toEqual([...templateTypes])
    expect([...new Set(templateEvents.map(({ group }) => group))]).toEqual([...templateGroups])
  })

  const inBoth = templateEvents.flatMap((event) => ownerLanguages.map((language) => [event.type, language] as const))

  test.each(inBoth)('%s renders its built-in text with its samples for a reader of %s', (type, language) => {
    const event = eventIn(templateEventOf(type), language)
    const outcome = previewTemplate(event, { title: '', text: '' })

    if (!outcome.ok) throw new Error(inChinese(templateReason(outcome.failure)))
    const { title, text } = outcome.value
    if (text === '' || (title === '') !== isBodyOnly(event) || /[{}]/.test(title + text)) throw new Error(title + text)
    if (redact(title) !== title || redact(text) !== text) throw new Error('a sample reads as a credential')
    const words = JSON.stringify([event.name, title, text, event.vars.map((one) => sampleValues([one]))])
    if (language === 'en' && /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u.test(words)) throw new Error(words)
    if (language === 'zh' && !/\p{Script=Han}/u.test(event.name + event.text)) throw new Error(words)
  })

  test.each(templateEvents)('$type shows a reader of English the same facts', (event) => {
    const usedIn = ({ title, text }: { title: string; text: string }) =>
      new Set([...`${title}\n${text}`.matchAll(/\{\{ ([\w.]+) /g)].map(([, name]) => name))

    const english = usedIn(eventIn(event, 'en'))
    const missing = [...usedIn(event)].filter((name) => !english.has(name))
    if (missing.length > 0) throw new Error(missing.join())
  })

  test('every sample of what all events have is in the language of its reader', ({ expect }) => {
    const samples = commonVariables.map((one) => variableIn(one, 'en').sample).join()
    expect(samples).not.toMatch(/\p{Script=Han}/u)
  })

  test.each(templateEvents)('$type uses none of the names that every event has for something else', (event) => {
    const common = new Set(commonVariables.map(({ key }) => key))

    for (const { key } of event.vars) if (common.has(key)) throw new Error(key)
  })
})

describe('a template', () => {
  test.each([
    ['{{ site }} {{ items.size }} {{ items.first.title }}', 'Lantern 2 The Salt Road S02E06'],
    [
      '{% for item in items %}{{ forloop.index }}{{ item.title | upcase }};{% endfor %}',
      '1THE SALT ROAD S02E06;2NORTHERN PASSAGE S01;',
    ],
    ['{% assign all = items | map: "title" | join: "/" %}{{ all }}', 'The Salt Road S02E06/Northern Passage S01'],
    ['{% case site %}{% when "Lantern" %}a{% else %}b{% endcase %}', 'a'],
    ['{% comment %}{{ nobody }}{% endcomment %}{% raw %}{{ site }}{% endraw %}', '{{ site }}'],
    ['{{ service }} {{ event }} {{ date }} {{ time }}', 'Wharf RSS 命中 2026-11-22 11:20'],
    ['<b>{{ rule }}</b> & more', '<b>2160p 免费</b> & more'],
  ])('%s says what it should', (text, wanted) => {
    const said = rendered(text)
    if (said !== wanted) throw new Error(said)
  })

  test.each([
    ['a\n{{ site', '正文第 2 行：标签没有结束'],
    ['{% if site %}\n\n', '正文第 1 行：标签没有结束'],
    ['\n\n{{ stie }}', '正文第 3 行：没有变量 stie，是否想写 site'],
    [
      '{% for item in items %}\n{{ item.sizetext }}{% endfor %}',
      '正文第 2 行：没有变量 item.sizetext，是否想写 item.size_text',
    ],
    ['{% if false %}\n{{ nothing_like_it }}{% endif %}', '正文第 2 行：没有变量 nothing_like_it'],
    ['\n{{ site | upcse }}', '正文第 2 行：没有过滤器 upcse，是否想写 upcase'],
    ['\n{% nope %}', '正文第 2 行：没有标签 nope'],
    ['\n{{ items }}', '正文第 2 行：列表不能直接输出，请用 for 逐项输出'],
    ['{{ }}', '正文第 1 行：写法不正确'],
    ['{% for x %}{% endfor %}', '正文第 1 行：写法不正确'],
    ['{{ site | append }}', '正文第 1 行：写法不正确'],
  ])('%j is refused with its line and the problem', (text, wanted) => {
    const said = rendered(text)
    if (said !== wanted) throw new Error(said)
  })

  test('says of a title that it is the title', ({ expect }) => {
    const outcome = previewTemplate(matched, { title: '{{ nope }}', text: '' })

    expect(outcome.ok ? '' : inChinese(templateReason(outcome.failure))).toBe('标题第 1 行：没有变量 nope')
  })

  test('makes a title of one line, and none for an event that is body only', ({ expect }) => {
    const two = previewTemplate(matched, { title: ' {{ site }}\n{{ rule }} ', text: '' })
    const none = previewTemplate(templateEventOf('reply.sites'), { title: '{{ site', text: '' })

    expect(two.ok && two.value.title).toBe('Lantern 2160p 免费')
    expect(none.ok && none.value.title).toBe('')
  })

  test.each([
    '{% include "a" %}',
    '{% render "a" %}',
    '{% layout "a" %}',
    '{% liquid\n echo site %}',
    '{% capture x %}{% endcapture %}',
    '{% increment x %}',
    '{% tablerow a in items %}{% endtablerow %}',
    '{% constructor %}',
    '{% __proto__ %}',
    '{% toString %}',
    '{{ site | constructor }}',
    '{{ site | __proto__ }}',
    '{{ site | json }}',
    '{{ site | date: "%s" }}',
    '{{ items | where_exp: "x", "x" }}',
    '{{ __proto__ }}',
    '{{ constructor }}',
    '{{ site.constructor }}',
    '{{ site["__proto__"] }}',
    '{{ items[0].constructor.constructor }}',
    '{{ items.first["__proto__"] }}',
    '{{ forloop }}',
  ])('%s reaches nothing beyond the lists', (text) => {
    const outcome = previewTemplate(matched, { title: '', text })
    if (outcome.ok) throw new Error(outcome.value.text)
  })

  test('gives way to the built-in text when it fails with what really happened, or says nothing', ({ expect }) => {
    const values = { ...sampleValues(commonVariables), ...sampleValues(matched.vars) }
    const long = '{% for item in items %}{{ item.title }}{% endfor %}'
    const items = Array.from({ length: templateStepsMax }, () => ({ title: 'x', size_text: '', free: false }))
    expect(rendered(long)).toContain('Salt Road')

    const tooMuch = renderTemplate(matched, { title: '', text: long }, { ...values, items: items.slice(0, 100) })
    const overflowing = renderTemplate(
      matched,
      { title: '', text: `${'{{ site }}'.repeat(4990)}${long}` },
      { ...values, items: items.slice(0, 100) },
    )
    const silent = renderTemplate(matched, { title: '', text: '{% if items.size == 0 %}x{% endif %}' }, values)

    expect(tooMuch).toMatchObject({ rendered: { text: 'x'.repeat(100) } })
    expect(tooMuch.fault).toBeUndefined()
    expect(overflowing.rendered.text).toContain('推送到 nas-1')
    expect(overflowing.fault).toMatchObject({ part: 'text', problem: { kind: 'too_much_work' } })
    expect(silent.rendered.text).toContain('推送到 nas-1')
  })
})

describe('the bounds of a template', () => {
  const steps = (count: number) => `{{ site }}`.repeat(count)

  test.each<[string, string, string | undefined]>([
    ['64 KiB of text', 'x'.repeat(templateTextBytesMax), undefined],
    ['a byte more', `${'x'.repeat(templateTextBytesMax - 2)}字`, '模板过长'],
    ['a tag of 1,000 characters', `{{ "${'x'.repeat(templateTagCharactersMax - 6)}" }}`, undefined],
    ['a tag of one more', `{{ "${'x'.repeat(templateTagCharactersMax - 5)}" }}`, '这个标签过长'],
    ['an opened tag without an end', `\n{{${' '.repeat(templateTagCharactersMax)}`, '这个标签过长'],
    ['5,000 steps', steps(templateStepsMax - 1), undefined],
    ['one step more', steps(templateStepsMax), '模板的计算量过大'],
    ['a list of a million', `{% assign a = (1..${templateMemoryMax}) %}{{ a.size }}`, undefined],
    ['a list of one more', `{% assign a = (1..${templateMemoryMax + 1}) %}{{ a.size }}`, '模板的计算量过大'],
    ['64 KiB of output', doubled(12) + '{{ a }}'.repeat(16), undefined],
    ['a byte more of output', `${doubled(12)}${'{{ a }}'.repeat(16)}b`, '生成的内容过长'],
    ['doubling without end', doubled(40), '模板的计算量过大'],
    ['loops in loops', '{% for a in (1..900) %}{% for b in (1..900) %}{% endfor %}{% endfor %}', '模板的计算量过大'],
    [
      'conditions in a loop',
      `{% for a in (1..900) %}{% if false %}${'{% elsif false %}'.repeat(1000)}{% endif %}{% endfor %}`,
      '模板的计算量过大',
    ],
    [
      'cases in a loop',
      `{% for a in (1..900) %}{% case a %}${'{% when 0 %}'.repeat(1000)}{% endcase %}{% endfor %}`,
      '模板的计算量过大',
    ],
    ['nesting without end', '{% unless false %}'.repeat(3500), '模板的计算量过大|标签没有结束'],
  ])('%s', (_, text, wanted) => {
    const outcome = previewTemplate(matched, { title: '', text })
    const said = outcome.ok ? undefined : inChinese(templateReason(outcome.failure))
    if (wanted === undefined ? said !== undefined : !new RegExp(`行：(${wanted})$`).test(said ?? ''))
      throw new Error(said)
  })

  /** A text of 2 to that power, made by a template. */
  function doubled(times: number): string {
    return `{% assign a = "a" %}${'{% assign a = a | append: a %}'.repeat(times)}`
  }
})

const runs = Number(process.env['WHARF_FUZZ_RUNS'] ?? 1500)
/** Given by a long run, so that a failed one can be run again. */
const seed = process.env['WHARF_FUZZ_SEED']
const manyRuns = { numRuns: runs, ...(seed === undefined ? {} : { seed: Number(seed) }) }

describe('whatever is written', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...[
        '{{',
        '}}',
        '{%',
        '%}',
        '{%-',
        '-%}',
        '{{-',
        '|',
        ':',
        '.',
        '..',
        '[',
        ']',
        '"',
        "'",
        '(1..9)',
        ',',
        '==',
        '>',
        ' and ',
      ],
      ...[
        'if ',
        'elsif ',
        'else',
        'endif',
        'unless ',
        'endunless',
        'for ',
        ' in ',
        'endfor',
        'case ',
        'when ',
        'endcase',
      ],
      ...[
        'assign a = ',
        'break',
        'continue',
        'comment',
        'endcomment',
        'raw',
        'endraw',
        'echo ',
        '#',
        'reversed',
        'limit:',
        'offset:',
      ],
      ...[
        'site',
        'items',
        'items[0]',
        '.title',
        '.size',
        'item',
        'rule',
        'forloop.index',
        '__proto__',
        'constructor',
        'empty',
        'nil',
      ],
      ...[
        ' | upcase',
        ' | append: ',
        ' | map: "title"',
        ' | join: ',
        ' | split: ""',
        ' | where: "free"',
        ' | times: ',
        ' | replace: ',
      ],
      ...[
        ' | slice: ',
        ' | truncate: ',
        ' | round: ',
        '-1',
        '1e99',
        '999999999',
        '0',
        '0.1',
        '\n',
        '\r\n',
        '\u2028',
        '😀',
      ],
    ),
    fc.string({ maxLength: 12, unit: 'grapheme' }),
  )
  const builtIn = fc
    .tuple(fc.constantFrom(...templateEvents.map(({ text }) => text)), fc.nat(), fc.nat({ max: 20 }), piece)
    .map(
      ([text, at, cut, put]) =>
        text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + cut),
    )
  const wild = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

  test('a template ends within its bounds, with a text or with a line and a problem', () => {
    fc.assert(
      fc.property(fc.oneof(wild, builtIn), fc.constantFrom(...templateEvents), (text, event) => {
        const outcome = previewTemplate(event, { title: '', text })
        if (outcome.ok) {
          if (new TextEncoder().encode(outcome.value.text).byteLength > templateOutputBytesMax)
            throw new Error('too long')
          return
        }
        const { line } = outcome.failure
        const said = inChinese(templateReason(outcome.failure))
        if (!(line >= 1 && line <= text.split('\n').length)) throw new Error(said)
        if (said.length > 300 || said.split('\n').length !== 1) throw new Error(said)
      }),
      manyRuns,
    )
  })

  test('what is sent is always a text', () => {
    const values = { ...sampleValues(commonVariables), ...sampleValues(matched.vars), items: [] }
    fc.assert(
      fc.property(fc.oneof(wild, builtIn), (text) => {
        const { rendered: sent } = renderTemplate(matched, { title: text, text }, values)
        if (sent.text === '' || sent.title.includes('\n')) throw new Error(JSON.stringify(sent))
      }),
      { ...manyRuns, numRuns: Math.ceil(runs / 5) },
    )
  })
})
