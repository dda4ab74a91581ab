/** When a viewer has its index judged by the compiler: once it is left alone, one check at a time, and never where it only reads. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished, test } from 'vitest'
import type { startProof } from '../../../local/indexer/prove/prove-in-process.ts'
import type { ProofOutcome } from '../../../local/indexer/prove/watch-proof.ts'
import { createBackgroundProof } from '../../../local/viewer/adapters/background-proof.ts'
import { indexedInTest, servedInTest } from '../../support/viewer-in-test.ts'

/** Checks that end when the test says so. */
function heldChecks() {
  const ends: ((outcome: ProofOutcome) => void)[] = []
  let stopped = 0
  const start: typeof startProof = () => {
    const { promise, resolve } = Promise.withResolvers<ProofOutcome>()
    ends.push(resolve)
    return { ended: promise, pid: undefined, stop: () => (stopped += 1) }
  }
  return { start, ends, stopped: () => stopped }
}

test('an index is judged once, and again when it is another one; a check that is under way is waited for', async ({
  expect,
}) => {
  const project = await indexedInTest({ 'a.ts': 'export const a = 1\n' })
  const { start, ends, stopped } = heldChecks()
  const turns: boolean[] = []
  const said: string[] = []
  const background = createBackgroundProof({
    ...{ place: project.place, quietMs: 0, start },
    onTurn: () => turns.push(background.isRunning),
    report: (message) => said.push(message),
  })
  onTestFinished(() => background.close())
  background.look()
  background.look()
  await expect.poll(() => ends.length).toBe(1)
  expect(background.isRunning).toBe(true)

  project.write('a.ts', 'export const a = 2\n')
  await project.sync()
  background.look()
  expect(ends).toHaveLength(1)
  ends[0]?.({ kind: 'done' })
  await expect.poll(() => ends.length).toBe(2)

  ends[1]?.({ kind: 'failed', reason: 'it broke' })
  await expect.poll(() => background.isRunning).toBe(false)
  expect(said).toEqual(['links are not checked by the compiler: it broke'])
  // What could not be judged is not tried again as it is.
  background.look()
  await expect.poll(() => turns).toEqual([true, false, true, false])
  expect(ends).toHaveLength(2)
  expect(stopped()).toBe(0)
})

test('a check is ended with the viewer', async ({ expect }) => {
  const project = await indexedInTest({ 'a.ts': 'export const a = 1\n' })
  const { start, ends, stopped } = heldChecks()
  const background = createBackgroundProof({
    ...{ place: project.place, quietMs: 0, start },
    ...{ onTurn: () => undefined, report: () => undefined },
  })
  background.look()
  await expect.poll(() => ends.length).toBe(1)
  background.close()
  expect(stopped()).toBe(1)
})

test('a viewer that only reads has nothing judged', async ({ expect }) => {
  const project = await indexedInTest({ 'a.ts': 'export const a = 1\n' })
  const viewer = await servedInTest(project.place, { isReadOnly: true, proof: {} })
  await viewer.running.loadAhead()

  expect((await viewer.get('/api/accuracy')).body).toMatchObject({ checking: false, check: null })
  expect(existsSync(path.join(project.place.folder, 'proofs.db'))).toBe(false)
})
