/** Texts of symbols that a viewer keeps between two questions: not more than a number of them. */

import { test } from 'vitest'
import { keptTextsMax } from '../../../local/indexer/limits.ts'
import { KeptIndex, openIndex } from '../../../local/indexer/store/open-index.ts'
import { unwrap } from '../../support/unwrap.ts'
import { indexedInTest } from '../../support/viewer-in-test.ts'

test.for([
  ['one more fits', keptTextsMax - 1, keptTextsMax],
  ['nothing more fits, and keeping begins anew', keptTextsMax, 1],
] as const)('%s beside %i kept texts', async ([, before, after], { expect }) => {
  const project = await indexedInTest({ 'one.ts': 'export function one() {}\n' })
  const kept = new KeptIndex()
  const ask = (): string | undefined => {
    const opened = unwrap(openIndex(project.place, kept))
    try {
      return opened.reader.nodesNamed('one')[0]?.signature
    } finally {
      opened.close()
    }
  }
  const signature = ask()
  const [text] = kept.texts.values()
  if (text === undefined) throw new Error('no text is kept')
  kept.texts.clear()
  // Nodes of a larger project.
  for (let n = 1; n <= before; n += 1) kept.texts.set(-n, text)

  expect(ask()).toBe(signature)
  expect(kept.texts.size).toBe(after)
})
