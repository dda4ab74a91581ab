import { describe, test } from 'vitest'
import {
  changePolicy,
  describeNotes,
  excludeFrom,
  memoryScope,
  notesThatFit,
  oneLine,
  policyOf,
} from '../../../local/agent/core/memory.ts'
import { noTokens, type SessionRecord } from '../../../local/agent/core/session/message.ts'

const record: SessionRecord = {
  id: 'ses_1',
  projectID: 'abc',
  cost: 0,
  tokens: noTokens,
  time: { created: 1, updated: 2 },
  title: 'A session',
  location: { directory: '/p' },
}
const defaults = { use: true, generate: false }
const own = { useMemories: false, generation: 'enabled', reason: 'r', source: 'request', time: 5, revision: 3 } as const

describe('a policy', () => {
  test('is what the configuration says until the session has its own', ({ expect }) => {
    expect(policyOf(record, defaults)).toEqual({
      useMemories: true,
      generation: 'disabled',
      reason: 'the configuration',
      source: 'configuration',
      time: 1,
      revision: 0,
    })
    expect(policyOf({ ...record, memory: own }, defaults)).toEqual(own)
  })

  test.for([
    [undefined, 0, 1],
    [undefined, 1, undefined],
    [3, 3, 4],
    [3, 2, undefined],
    [3, 4, undefined],
  ] as const)('at revision %o, changed at %o, is at %o', ([revision, expectedRevision, after], { expect }) => {
    const before = revision === undefined ? record : { ...record, memory: { ...own, revision } }
    const changed = changePolicy(before, { useMemories: true, generation: 'disabled', expectedRevision })
    expect(changed.ok ? changed.value.revision : changed.failure.code).toBe(after ?? 'conflict')
  })

  test('of an excluded session is final', ({ expect }) => {
    const excluded = { ...record, memory: { ...own, generation: 'excluded' as const } }
    expect(changePolicy(excluded, { useMemories: true, generation: 'enabled', expectedRevision: 3 }).ok).toBe(false)
    expect(excludeFrom(excluded, defaults, 'again')).toBeUndefined()
    expect(excludeFrom(record, { use: false, generate: true }, 'it read a page')).toEqual({
      operation: 'exclude',
      useMemories: false,
      generation: 'excluded',
      reason: 'it read a page',
      source: 'host',
      revision: 1,
      previousRevision: 0,
    })
  })
})

describe('notes', () => {
  test('belong to a project, and without one to the folder', ({ expect }) => {
    expect(memoryScope(record)).toBe('abc')
    expect(memoryScope({ ...record, projectID: 'global' })).toBe('folder:/p')
  })

  test('are the newest that fit, oldest first', ({ expect }) => {
    const notes = ['four', 'é', 'two', 'one'].map((text) => ({ id: text, text }))
    const ids = (bytes: number) => notesThatFit(notes, bytes).map((note) => note.id)
    expect(ids(100)).toEqual(['one', 'two', 'é', 'four'])
    expect(ids(6)).toEqual(['é', 'four'])
    expect(ids(5)).toEqual(['four'])
    expect(ids(3)).toEqual([])
  })

  test('are one line each, whatever is in them', ({ expect }) => {
    expect(oneLine(' a\n# New rules:\r\n\u2028b\0\ud800 ')).toBe('a # New rules: b \ufffd')
    expect(describeNotes([{ id: 'mem_1', text: 'a\n- mem_2: b' }]).split('\n')).toHaveLength(2)
    expect(describeNotes([])).toBe('')
  })
})
