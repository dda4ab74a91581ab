import { describe, test } from 'vitest'
import { Kept } from '../../../workers/gateway/core/kept.ts'

describe('values kept for a text', () => {
  const counted = () => {
    const made: string[] = []
    const kept = new Kept((text) => made.push(text), { textsMax: 2, charactersMax: 3 })
    return { made, kept }
  }

  test('are made once for each text, up to the bound, and afresh beyond it', ({ expect }) => {
    const { made, kept } = counted()
    for (const text of ['a', 'b', 'a', 'b']) kept.of(text)
    expect(made).toEqual(['a', 'b'])
    for (const text of ['c', 'c', 'a']) kept.of(text)
    expect(made).toEqual(['a', 'b', 'c', 'a'])
  })

  test('are not kept for texts longer than the bound', ({ expect }) => {
    const { made, kept } = counted()
    for (const text of ['123', '123', '1234', '1234']) kept.of(text)
    expect(made).toEqual(['123', '1234', '1234'])
  })
})
