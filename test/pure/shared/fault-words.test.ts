import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'vitest'
import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'

const root = path.resolve(import.meta.dirname, '../../..')

describe('a family of faults', () => {
  const sentences = {
    gone: 'it is gone',
    large: ({ bytes, bytesMax }: { bytes: number; bytesMax: number }) => `it has ${bytes} bytes of ${bytesMax}`,
  }
  const cases: readonly (readonly [FaultOf<typeof sentences>, string])[] = [
    [{ kind: 'gone' }, 'it is gone'],
    [{ kind: 'large', bytes: 3, bytesMax: 2 }, 'it has 3 bytes of 2'],
  ]
  test.for(cases)('says %j', ([fault, words], { expect }) => {
    expect(sayBy(sentences)(fault)).toBe(words)
  })
})

/** Places where what fails is a text, so that whoever gets it can only show it, or read it to decide. */
function sentencesIn(source: string): readonly number[] {
  const found = [...source.matchAll(/\btype \w+ = string\s*$/gm)].map(({ index }) => index)
  for (const { index, 0: start } of source.matchAll(/\b(?:Result|failWith)</g)) {
    let depth = 1
    let last = index + start.length
    let at = last
    for (; depth > 0 && at < source.length; at += 1) {
      const letter = source.charAt(at)
      if ('<([{'.includes(letter)) depth += 1
      else if (')]}'.includes(letter) || (letter === '>' && source.charAt(at - 1) !== '=')) depth -= 1
      else if (letter === ',' && depth === 1) last = at + 1
    }
    if (source.slice(last, at - 1).trim() === 'string') found.push(index)
  }
  return found
}

describe('a failure is facts, not a sentence,', () => {
  test.for([
    ['Result<void, string>', 1],
    ['Promise<Result<readonly Item[], string>>', 1],
    ['Result<{ a: () => void; b: string }, string>', 1],
    ['failWith<string>(why)', 1],
    ['export type Fault = string\n', 1],
    ['Result<string, Fault>', 0],
    ['Result<Record<string, string>, Fault>', 0],
    ['Result<string | undefined, ReadonlyMap<string, string>>', 0],
  ] as const)('so that %s is found %d times', ([source, count], { expect }) => {
    expect(sentencesIn(source)).toHaveLength(count)
  })

  test.for(['shared', 'workers', 'local', 'scripts'])('everywhere in %s', (room, { expect }) => {
    const files = readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
    const sources = files.filter((file) => /\.tsx?$/.test(file))
    expect(sources.length).toBeGreaterThan(5)
    const told = sources.filter((file) => sentencesIn(readFileSync(path.join(root, room, file), 'utf8')).length > 0)
    expect(told).toEqual([])
  })

  test('and nothing of the App decides by the words of a message', ({ expect }) => {
    const files = readdirSync(path.join(root, 'workers/app'), { recursive: true, encoding: 'utf8' })
    const deciding = files.filter(
      (file) =>
        /\.tsx?$/.test(file) &&
        /message ===|test\(.*message/.test(readFileSync(path.join(root, 'workers/app', file), 'utf8')),
    )
    expect(deciding).toEqual([])
  })
})
