import fc from 'fast-check'
import { describe, test } from 'vitest'
import { type SaidPiece, ThoughtSplitter } from '../../../local/agent/core/thought-text.ts'

function said(pieces: readonly string[], isAnywhere = false): { reasoning: string; text: string } {
  const splitter = new ThoughtSplitter(isAnywhere)
  const all: SaidPiece[] = [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()]
  const of = (kind: SaidPiece['kind']) =>
    all
      .filter((one) => one.kind === kind)
      .map(({ text }) => text)
      .join('')
  return { reasoning: of('reasoning'), text: of('text') }
}

describe('an answer', () => {
  test.for([
    ['without thoughts', 'Hello', '', 'Hello'],
    ['with thoughts first', '<think>\nWhy?\n</think>\n\nSo.', '\nWhy?\n', 'So.'],
    ['with blanks before its thoughts', '\n <think>Why?</think>So.', 'Why?', 'So.'],
    ['that tells of the tag', 'Write <think>x</think> there', '', 'Write <think>x</think> there'],
    ['that tells of the tag after its thoughts', '<think>a</think>b <think>c</think>', 'a', 'b <think>c</think>'],
    ['that ends while it thinks', '<think>Why</th', 'Why</th', ''],
    ['that is the beginning of a tag', ' <thin', '', ' <thin'],
    ['of blanks alone', ' \n', '', ' \n'],
    ['of thoughts alone', '<think></think>', '', ''],
  ] as const)('%s is split the same, however it is cut into pieces', ([, whole, reasoning, text], { expect }) => {
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length)), (cuts) => {
        const at = [0, ...cuts.sort((left, right) => left - right), whole.length]
        const pieces = at.slice(1).map((end, index) => whole.slice(at[index], end))
        expect(said(pieces)).toEqual({ reasoning, text })
      }),
    )
  })
})

describe('an answer of one that tells thoughts anywhere', () => {
  test.for([
    ['without thoughts', 'Hello', '', 'Hello'],
    ['with several', '<think>a</think>b<think>c</think>d', 'ac', 'bd'],
    ['with text first', 'a <think>b</think> c', 'b', 'a c'],
    ['that ends with the beginning of a tag', 'a<think>b</think>c<thi', 'b', 'ac<thi'],
    ['that ends while it thinks', 'a<think>b</th', 'b</th', 'a'],
  ] as const)('%s is split the same, however it is cut into pieces', ([, whole, reasoning, text], { expect }) => {
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length)), (cuts) => {
        const at = [0, ...cuts.sort((left, right) => left - right), whole.length]
        const pieces = at.slice(1).map((end, index) => whole.slice(at[index], end))
        expect(said(pieces, true)).toEqual({ reasoning, text })
      }),
    )
  })
})
