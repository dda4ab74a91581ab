/** Which lines the index is asked about before an edit, and how far. */
import { describe, test } from 'vitest'
import { editReachFilesMax, editReachWordsMax } from '../../../local/agent/limits.ts'
import type { CodeSenses } from '../../../local/agent/runtime/code-senses.ts'
import { reachOf } from '../../../local/agent/runtime/edit-reach.ts'
import type { ToolCall } from '../../../local/agent/runtime/tool-port.ts'

function recorded(ask: CodeSenses['ask'] = async () => ({ text: 'relied on', isError: false })) {
  const asked: Readonly<Record<string, unknown>>[] = []
  const senses: Pick<CodeSenses, 'hasIndex' | 'ask'> = {
    hasIndex: () => true,
    ask(directory, tool, input, mayShow, signal) {
      asked.push({ tool, ...input })
      return ask(directory, tool, input, mayShow, signal)
    },
  }
  return { asked, senses }
}

const call = {
  directory: '/project',
  signal: new AbortController().signal,
  isAllowed: () => true,
} as unknown as ToolCall
const file = (shown: string, isOutside = false) => ({ target: { full: `/project/${shown}`, shown, isOutside } })
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}\n`)

describe('before an edit', () => {
  test.for([
    ['replaced', 'a\nb\nc\nd\n', 'a\nX\nY\nd\n', '2-3'],
    ['taken away', 'a\nb\nc\n', 'a\nc\n', '2-2'],
    ['put in', 'a\nb\nc\n', 'a\nb\nX\nc\n', '2+'],
    ['put before the first', 'a\n', 'X\na\n', '0+'],
    ['all of a file that goes', 'a\nb\n', undefined, '1-2'],
    ['in two places', 'a\nb\nc\nd\ne\n', 'X\nb\nc\nd\nY\n', '1-1,5-5'],
  ] as const)(
    'lines that are %s are asked about by their older numbers',
    async ([, before, after, lines], { expect }) => {
      const { asked, senses } = recorded()
      expect(await reachOf(senses, call, [{ ...file('a.ts'), before, after }])).toEqual(
        new Map([['a.ts', 'relied on']]),
      )
      expect(asked).toMatchObject([{ tool: 'relies', file: 'a.ts', lines }])
    },
  )

  test('nothing is asked of what is new, outside or unchanged, nor for one that may not search', async ({ expect }) => {
    const { asked, senses } = recorded()
    const changes = [
      { ...file('new.ts'), before: undefined, after: 'a\n' },
      { ...file('/elsewhere/a.ts', true), before: 'a\n', after: 'b\n' },
      { ...file('same.ts'), before: 'a\n', after: 'a\n' },
    ]
    expect(await reachOf(senses, call, changes)).toEqual(new Map())
    const changed = [{ ...file('a.ts'), before: 'a\n', after: 'b\n' }]
    expect(await reachOf(senses, { ...call, isAllowed: () => false }, changed)).toEqual(new Map())
    expect(await reachOf({ ...senses, hasIndex: () => false }, call, changed)).toEqual(new Map())
    expect(await reachOf(undefined, call, changed)).toEqual(new Map())
    expect(asked).toEqual([])
  })

  test('as many files are asked about as are allowed, and not one more', async ({ expect }) => {
    const { asked, senses } = recorded()
    const changes = Array.from({ length: editReachFilesMax + 1 }, (_, at) => ({
      ...file(`${at}.ts`),
      before: 'a\n',
      after: 'b\n',
    }))
    await reachOf(senses, call, changes.slice(1))
    expect(asked).toHaveLength(editReachFilesMax)
    await reachOf(senses, call, changes)
    expect(asked).toHaveLength(2 * editReachFilesMax)
  })

  test('places are named up to their bound, and whole', async ({ expect }) => {
    const { asked, senses } = recorded()
    const lines = numbered(2_000)
    const after = lines.map((line, at) => (at % 2 === 0 ? `other ${line}` : line)).join('')
    await reachOf(senses, call, [{ ...file('a.ts'), before: lines.join(''), after }])
    const named = String(asked[0]?.['lines'])
    const places = named.split(',')
    expect(named.length).toBeLessThanOrEqual(editReachWordsMax)
    expect(`${named},${2 * places.length + 1}-${2 * places.length + 1}`.length).toBeGreaterThan(editReachWordsMax)
    expect(places.at(-1)).toBe(`${2 * places.length - 1}-${2 * places.length - 1}`)
  })

  test('an index that fails says nothing, and an interrupt is one', async ({ expect }) => {
    const changed = [{ ...file('a.ts'), before: 'a\n', after: 'b\n' }]
    const failing = recorded(() => Promise.reject(new Error('the reader of the index ended')))
    expect(await reachOf(failing.senses, call, changed)).toEqual(new Map())
    const refusing = recorded(async () => ({ text: 'the index has no file', isError: true }))
    expect(await reachOf(refusing.senses, call, changed)).toEqual(new Map())
    const stop = new AbortController()
    const stopped = recorded(() => {
      stop.abort(new Error('stopped'))
      return Promise.reject(new Error('stopped'))
    })
    await expect(reachOf(stopped.senses, { ...call, signal: stop.signal }, changed)).rejects.toThrow('stopped')
  })
})
