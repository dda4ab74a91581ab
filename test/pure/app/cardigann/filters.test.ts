import { describe, test } from 'vitest'
import {
  compileFilter,
  type FilterContext,
  FilterFault,
  filterNames,
  hasAllWords,
} from '../../../../workers/app/core/cardigann/filters.ts'

/** 2031-05-14 12:00:00 UTC. */
const nowUnix = Date.UTC(2031, 4, 14, 12) / 1000

const context: FilterContext = {
  variables: new Map([
    ['.Config.word', 'put in'],
    ['.Result.id', '77'],
  ]),
  dates: { nowUnix, utcOffsetMinutes: 0 },
  decodeMarkup: (text) => text.replaceAll('&amp;', '&'),
  encodeUrl: encodeURIComponent,
  decodeUrl: (text) => decodeURIComponent(text.replaceAll('+', ' ')),
}

const run = (name: string, args: readonly string[], text: string, dates = context.dates) =>
  compileFilter(name, args)(text, { ...context, dates })

const table: readonly (readonly [name: string, args: readonly string[], text: string, expected: string])[] = [
  ['re_replace', ['\\s+', ' '], 'a   b', 'a b'],
  ['re_replace', ['(\\d+)', '{{ .Config.word }} $1'], 'x5', 'xput in 5'],
  ['regexp', ['id=(\\d+)'], 'a?id=12&b', '12'],
  ['regexp', ['\\d+'], 'a12', '12'],
  ['regexp', ['(z)'], 'a12', ''],
  ['replace', ['a', 'b'], 'banana', 'bbnbnb'],
  ['replace', ['a', '$&'], 'a', '$&'],
  ['replace', ['', 'x'], 'a', 'a'],
  ['append', ['/{{ .Result.id }}'], 'get', 'get/77'],
  ['prepend', ['tt'], '012', 'tt012'],
  ['split', ['/', '1'], 'a/b/c', 'b'],
  ['split', ['/', '-1'], 'a/b/c', 'c'],
  ['split', ['/', '9'], 'a/b/c', ''],
  ['trim', [], '  a ', 'a'],
  ['trim', ['[]'], '[[a]]', 'a'],
  ['tolower', [], 'ÄB', 'äb'],
  ['toupper', [], 'äb', 'ÄB'],
  ['urlencode', [], 'a b&c', 'a%20b%26c'],
  ['urldecode', [], 'a+b%26c', 'a b&c'],
  ['htmldecode', [], 'a &amp; b', 'a & b'],
  ['htmlencode', [], '<a & "b">', '&#60;a &#38; &#34;b&#34;&#62;'],
  ['querystring', ['id'], 'details.php?x=1&id=12#top', '12'],
  ['querystring', ['id'], 'details.php?no=1', ''],
  ['diacritics', ['replace'], 'Příliš žluťoučký', 'Prilis zlutoucky'],
  ['validate', ['Action, Sci-Fi, Drama'], 'drama / western | action', 'action,drama'],
  ['validfilename', [], 'a/b:c?', 'a_b_c_'],
  ['jsonjoinarray', ['$.tags', ', '], '{"tags":["a","b"]}', 'a, b'],
  ['jsonjoinarray', ['$.list[*].name', '+'], '{"list":[{"name":"x"},{"name":"y"}]}', 'x+y'],
  ['jsonjoinarray', ['$.tags', ', '], 'no json', 'no json'],
  ['hexdump', [], 'as it is', 'as it is'],
  ['strdump', ['label'], 'as it is', 'as it is'],
  ['andmatch', [], 'as it is', 'as it is'],
  ['dateparse', ['yyyy-MM-dd HH:mm:ss zzz'], '2030-02-03 04:05:06 +02:00', 'Sun, 03 Feb 2030 02:05:06 +0000'],
  ['dateparse', ['yyyy-MM-ddHH:mm:ss zzz'], '2030-02-0304:05:06 -05:00', 'Sun, 03 Feb 2030 09:05:06 +0000'],
  ['dateparse', ['MMM dd yyyy, HH:mm'], 'Dec 24 2029, 18:30', 'Mon, 24 Dec 2029 18:30:00 +0000'],
  ['dateparse', ['dddd dd MMMM yyyy'], 'Monday 24 December 2029', 'Mon, 24 Dec 2029 00:00:00 +0000'],
  ['dateparse', ['d/M/yy h:mm tt'], '4/3/30 1:05 PM', 'Mon, 04 Mar 2030 13:05:00 +0000'],
  ['dateparse', ['h tt, d MMM yyyy'], '12 am, 1 Jan 2030', 'Tue, 01 Jan 2030 00:00:00 +0000'],
  ['dateparse', ["'at' yyyy.MM.dd"], 'at 2030.01.02', 'Wed, 02 Jan 2030 00:00:00 +0000'],
  ['dateparse', ['MMM. d HH:mm'], 'May. 3 10:00', 'Sat, 03 May 2031 10:00:00 +0000'],
  ['dateparse', ['MM-dd'], '12-24', 'Tue, 24 Dec 2030 00:00:00 +0000'],
  ['dateparse', ['HH:mm'], '09:30', 'Wed, 14 May 2031 09:30:00 +0000'],
  ['dateparse', ['2006-01-02 15:04:05 -0700'], '2030-02-03 04:05:06 +0100', 'Sun, 03 Feb 2030 03:05:06 +0000'],
  ['dateparse', ['Mon, 02 Jan 2006 15:04:05 MST'], 'Tue, 01 Jan 2030 00:00:05 GMT', 'Tue, 01 Jan 2030 00:00:05 +0000'],
  ['dateparse', ['Jan 2, 2006 3:04 PM'], 'Mar 9, 2030 11:04 AM', 'Sat, 09 Mar 2030 11:04:00 +0000'],
  ['dateparse', ['yyyy-MM-dd'], 'not a date', 'not a date'],
  ['dateparse', ['yyyy-MM-dd'], '2030-02-30', '2030-02-30'],
  ['timeparse', ['HH:mm zzz'], '01:00 +01:00', 'Wed, 14 May 2031 00:00:00 +0000'],
  ['timeago', [], '2 hours 30 mins ago', 'Wed, 14 May 2031 09:30:00 +0000'],
  ['timeago', [], '1 week, 1 day', 'Tue, 06 May 2031 12:00:00 +0000'],
  ['reltime', [], '1y 2mo', 'Fri, 15 Mar 2030 12:00:00 +0000'],
  ['reltime', [], 'an hour ago', 'Wed, 14 May 2031 11:00:00 +0000'],
  ['timeago', [], 'now', 'Wed, 14 May 2031 12:00:00 +0000'],
  ['timeago', [], 'who knows', 'who knows'],
  ['fuzzytime', [], 'Today 10:20', 'Wed, 14 May 2031 10:20:00 +0000'],
  ['fuzzytime', [], 'yesterday, 9:05 pm', 'Tue, 13 May 2031 21:05:00 +0000'],
  ['fuzzytime', [], '昨天 21:05', 'Tue, 13 May 2031 21:05:00 +0000'],
  ['fuzzytime', [], '5 days ago', 'Fri, 09 May 2031 12:00:00 +0000'],
  ['fuzzytime', [], '1893456000', 'Tue, 01 Jan 2030 00:00:00 +0000'],
  ['fuzzytime', [], '1893456000123', 'Tue, 01 Jan 2030 00:00:00 +0000'],
  ['fuzzytime', [], '2030-01-02T03:04:05.5Z', 'Wed, 02 Jan 2030 03:04:05 +0000'],
  ['fuzzytime', [], '2030/01/02', 'Wed, 02 Jan 2030 00:00:00 +0000'],
]

describe('filters of definitions', () => {
  test.for(table)('%s %j of "%s"', ([name, args, text, expected], { expect }) => {
    expect(run(name, args, text)).toBe(expected)
  })

  test('every filter there is stands in the table', ({ expect }) => {
    expect(filterNames.filter((name) => !table.some(([one]) => one === name))).toEqual([])
  })

  test('times without a zone are those of the site', ({ expect }) => {
    expect(run('dateparse', ['yyyy-MM-dd HH:mm'], '2030-01-02 08:00', { nowUnix, utcOffsetMinutes: 480 })).toBe(
      'Wed, 02 Jan 2030 00:00:00 +0000',
    )
  })

  test.for([
    ['nothing', []],
    ['split', ['/']],
    ['split', ['/', 'x']],
    ['replace', ['a']],
    ['append', []],
    ['regexp', ['(']],
    ['re_replace', ['a', '{{ nope }}']],
    ['dateparse', ['----']],
    ['tolower', ['x']],
  ] as const)('refuses %s with %j', ([name, args], { expect }) => {
    expect(() => compileFilter(name, args)).toThrow(FilterFault)
  })

  test('a pattern that would take too long leaves the text as it is', ({ expect }) => {
    const text = 'a'.repeat(3000)
    expect(run('re_replace', ['(a*)*\\1c', '-'], text)).toBe(text)
  })

  test.for([
    ['The Long Walk 2030', 'walk long', undefined, true],
    ['The Long Walk 2030', 'walk short', undefined, false],
    ['The Long Walk 2030', 'walk short', 4, true],
    ['Žižkov', '', undefined, true],
  ] as const)('words of "%s" against "%s" (%s): %s', ([title, keywords, max, expected], { expect }) => {
    expect(hasAllWords(title, keywords, max)).toBe(expected)
  })
})
