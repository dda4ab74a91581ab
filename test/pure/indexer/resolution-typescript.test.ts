import path from 'node:path'
import { test } from 'vitest'
import { uncertainBelow } from '../../../local/indexer/core/vocabulary.ts'
import { linkSources } from '../../support/link-sources.ts'
import { readCorpus, scoreCorpus } from '../../support/resolution-corpus.ts'

const corpus = readCorpus(path.join(import.meta.dirname, '../../fixtures/code/typescript'))
const score = scoreCorpus(corpus.expectations, linkSources(corpus.sources), uncertainBelow)

test('TypeScript and JavaScript edges of the corpus are found', ({ expect }) => {
  console.log(
    `typescript: ${score.wanted} edges wanted, recall ${(score.recall * 100).toFixed(1)} %, ${score.unwanted} unwanted`,
  )
  expect(score.wanted).toBeGreaterThanOrEqual(120)
  expect(score.unwanted).toBeGreaterThanOrEqual(40)
  expect(score.recall, score.missing.join('\n')).toBeGreaterThanOrEqual(0.95)
})

test('no false TypeScript or JavaScript edge of the corpus is shown as certain', ({ expect }) => {
  expect(score.falseCertain).toEqual([])
})

test('functions that are handed over, given back or replaced are what is declared of them', ({ expect }) => {
  const missing = score.missing.filter((one) => one.includes('declared/'))
  expect(missing).toEqual([])
})
