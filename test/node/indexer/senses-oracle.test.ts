// @module-tag slow
import { cpSync } from 'node:fs'
import path from 'node:path'
import { test } from 'vitest'
import { judgeSenses } from '../../support/senses-oracle.ts'
import { projectInTest } from '../../support/viewer-in-test.ts'

const indexer = path.join(import.meta.dirname, '../../../local/indexer')

test('who relies on a function is told before it is edited and in the review of the edit as its compiler tells it', {
  timeout: 300_000,
}, async ({ expect }) => {
  const { root } = projectInTest({}).place
  for (const part of ['core', 'resolve', 'limits.ts'])
    cpSync(path.join(indexer, part), path.join(root, part), { recursive: true })
  const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_126)

  const { before, review } = await judgeSenses(root, 8, seed)

  for (const told of [before, review]) {
    expect(told.callers).toBeGreaterThan(5)
    expect(told.wrong).toEqual([])
    // All of them is 98 in a hundred of so few.
    expect(told.missed).toEqual([])
  }
})
