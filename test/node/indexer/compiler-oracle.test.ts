import path from 'node:path'
import { test } from 'vitest'
import { judge } from '../../support/compiler-oracle.ts'

const root = path.join(import.meta.dirname, '../../..')
/** A compiler needs most of a minute for all of it: `npm run test:long viewer-fuzz` asks about the whole. */
const folder = Number(process.env['FUZZ_SCALE'] ?? 1) > 1 ? 'local' : 'local/indexer'

test('the TypeScript compiler agrees with the call edges of this project', { tags: 'slow', timeout: 300_000 }, ({
  expect,
}) => {
  const verdict = judge(root, folder)
  const recall = verdict.found / verdict.calls

  console.log(
    `${verdict.calls} calls judged, recall ${(recall * 100).toFixed(1)} %, ${verdict.wrong.length} of ${verdict.certain} certain edges contradicted`,
  )
  expect(verdict.calls).toBeGreaterThan(1000)
  expect(recall, verdict.missed.slice(0, 20).join('\n')).toBeGreaterThanOrEqual(0.95)
  // One in two hundred: calls of calls share a position, which the judge cannot tell apart.
  expect(verdict.wrong.length, verdict.wrong.join('\n')).toBeLessThanOrEqual(Math.floor(verdict.certain / 200))
})
