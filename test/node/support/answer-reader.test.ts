import { describe, test } from 'vitest'
import { AnswerReader } from '../../support/answer-reader.ts'

const answers = [
  {
    name: 'counted',
    text: 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
    status: 200,
    bodyBytes: 5,
    isLast: false,
  },
  {
    name: 'chunked, with an extension and a trailer',
    text: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nC;a=b\r\n big \r\nworld\r\n0\r\nx-end: 1\r\n\r\n',
    status: 200,
    bodyBytes: 17,
    isLast: false,
  },
  {
    name: 'the last of its connection',
    text: 'HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 2\r\n\r\nno',
    status: 503,
    bodyBytes: 2,
    isLast: true,
  },
  { name: 'without a body', text: 'HTTP/1.1 204 No Content\r\n\r\n', status: 204, bodyBytes: 0, isLast: false },
  {
    name: 'of length 0',
    text: 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
    status: 200,
    bodyBytes: 0,
    isLast: false,
  },
  {
    name: 'announced by an interim one',
    text: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\ncontent-length: 1\r\n\r\nx',
    status: 201,
    bodyBytes: 1,
    isLast: false,
  },
]

describe('the reader of answers', () => {
  test.for(answers)(
    'reads an answer that is $name, cut at any byte',
    ({ text, status, bodyBytes, isLast }, { expect }) => {
      const bytes = Buffer.from(text)
      const reader = new AnswerReader()
      for (let cut = 1; cut < bytes.length; cut += 1) {
        reader.begin()
        expect(reader.push(bytes.subarray(0, cut))).toBe(false)
        expect(reader.end()).toBe(false)
        expect(reader.push(bytes.subarray(cut))).toBe(true)
        expect(reader).toMatchObject({ status, bodyBytes, isLast })
      }
      reader.begin()
      const completions = [...bytes].map((byte) => reader.push(Buffer.of(byte)))
      expect(completions.filter((isComplete) => isComplete)).toHaveLength(1)
      expect(completions.at(-1)).toBe(true)
      expect(reader).toMatchObject({ status, bodyBytes, isLast })
    },
  )

  test('an answer without a length ends with its connection', ({ expect }) => {
    const reader = new AnswerReader()
    expect(reader.push(Buffer.from('HTTP/1.1 200 OK\r\n\r\nsome'))).toBe(false)
    expect(reader.push(Buffer.from(' more'))).toBe(false)
    expect(reader.end()).toBe(true)
    expect(reader).toMatchObject({ status: 200, bodyBytes: 9, isLast: true })
  })

  test.for([
    ['another protocol', 'SSH-2.0-x\r\n'],
    ['a chunk without a size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n'],
    ['a chunk longer than its size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nxyz\r\n'],
    ['bytes nobody asked for', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nxy'],
  ] as const)('refuses %s', ([, text], { expect }) => {
    expect(() => new AnswerReader().push(Buffer.from(text))).toThrow()
  })
})
