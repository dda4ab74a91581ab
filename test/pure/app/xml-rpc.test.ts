/** What rTorrent is sent and what is made of what it answers. */
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { Base64Text, faultOf, readAnswer, writeCall, type XmlRpcValue } from '../../../workers/app/core/xml-rpc.ts'

const answer = (value: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\r\n<methodResponse>\r\n<params>\r\n<param>${value}</param>\r\n</params>\r\n</methodResponse>\r\n`

test('a call is written with its arguments, each by its kind', ({ expect }) => {
  expect(writeCall('d.multicall2', ['', 7, new Base64Text('AAEC'), ['a<b', { 'x&y': '中\u0001' }]])).toBe(
    '<?xml version="1.0" encoding="UTF-8"?><methodCall><methodName>d.multicall2</methodName><params>' +
      '<param><value><string></string></value></param><param><value><i8>7</i8></value></param>' +
      '<param><value><base64>AAEC</base64></value></param><param><value><array><data>' +
      '<value><string>a&lt;b</string></value><value><struct><member><name>x&amp;y</name>' +
      '<value><string>中</string></value></member></struct></value></data></array></value></param></params></methodCall>',
  )
})

describe('an answer is read', () => {
  test.for<[string, string, XmlRpcValue]>([
    ['a text', '<value><string>a &amp; b &#20013;&#x4e2d;</string></value>', 'a & b 中中'],
    ['a text without a type', '<value>as it is</value>', 'as it is'],
    ['a text without content, in both ways', '<value><string/></value>', ''],
    ['whole numbers', '<value><i8>-5368709120</i8></value>', -5_368_709_120],
    ['a number with a point', '<value><double>0.25</double></value>', 0.25],
    ['yes', '<value><boolean>1</boolean></value>', true],
    [
      'lists in lists',
      '<value><array><data>\r\n<value><array><data><value><i4>1</i4></value></data></array></value><value/>\r\n</data></array></value>',
      [[1], ''],
    ],
    ['a list of none', '<value><array><data/></array></value>', []],
    ['names', '<value><struct><member><name>a</name><value><int>1</int></value></member></struct></value>', { a: 1 }],
  ])('%s', ([, value, told], { expect }) => {
    expect(readAnswer(answer(value))).toEqual({ ok: true, value: told })
  })

  test('a name that objects have already is a name like others', ({ expect }) => {
    const named = '<value><struct><member><name>__proto__</name><value><i4>1</i4></value></member></struct></value>'
    const told = readAnswer(answer(named))
    expect(told.ok && Object.keys(told.value)).toEqual(['__proto__'])
  })

  test('a fault is one, of the call and of one of several', ({ expect }) => {
    const fault =
      '<value><struct><member><name>faultCode</name><value><i4>-501</i4></value></member><member><name>faultString</name><value><string>Could not find info-hash.</string></value></member></struct></value>'
    const told = { kind: 'fault', code: -501, text: 'Could not find info-hash.' }
    expect(readAnswer(`<methodResponse><fault>${fault}</fault></methodResponse>`)).toEqual({ ok: false, failure: told })
    const one = readAnswer(answer(fault))
    expect(one.ok && faultOf(one.value)).toEqual(told)
  })
})

describe('is no answer', () => {
  const deep = (levels: number) =>
    `${'<value><array><data>'.repeat(levels)}<value><i4>1</i4></value>${'</data></array></value>'.repeat(levels)}`

  test.for<[string, string]>([
    ['nothing', ''],
    ['a page', '<!doctype html><html></html>'],
    ['a document type', `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]>${answer('<value/>').slice(40)}`],
    ['a comment', answer('<value><!-- no --></value>')],
    ['an attribute', answer('<value><string lang="zh">a</string></value>')],
    ['a type it does not have', answer('<value><nil/></value>')],
    ['an entity of its own', answer('<value>&bomb;</value>')],
    ['a sign out of range', answer('<value>&#x110000;</value>')],
    ['a whole number that is none', answer('<value><i4>1.5</i4></value>')],
    ['yes and no in other words', answer('<value><boolean>true</boolean></value>')],
    ['an end that is missing', answer('<value><array><data></array></value>')],
    ['something behind its end', `${answer('<value>a</value>')}<more/>`],
    ['lists seventeen deep', answer(deep(17))],
  ])('%s', ([, text], { expect }) => {
    expect(readAnswer(text)).toEqual({ ok: false, failure: { kind: 'malformed' } })
  })

  test('lists sixteen deep are read', ({ expect }) => {
    expect(readAnswer(answer(deep(16))).ok).toBe(true)
  })

  test('whatever comes is an answer or none, and never an error', ({ expect }) => {
    const pieces = fc.array(
      fc.constantFrom(
        '<value>',
        '</value>',
        '<array><data>',
        '</data></array>',
        '<i4>',
        '</i4>',
        '1',
        '&lt;',
        ' ',
        '<',
      ),
      { maxLength: 30 },
    )
    fc.assert(fc.property(pieces, (some) => typeof readAnswer(answer(some.join(''))).ok === 'boolean'))
    expect(true).toBe(true)
  })
})
