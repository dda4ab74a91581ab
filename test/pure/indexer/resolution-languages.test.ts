import path from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { languages, uncertainBelow } from '../../../local/indexer/core/vocabulary.ts'
import { extractFile, prepareLanguages } from '../../../local/indexer/extract/extract-file.ts'
import { linkSources } from '../../support/link-sources.ts'
import { readCorpus, scoreCorpus } from '../../support/resolution-corpus.ts'

const settings = { packages: [], aliases: [], goModules: [{ folder: '', path: 'example.org/shop' }] }

beforeAll(() => prepareLanguages(languages))

describe.each(['python', 'go', 'java', 'csharp', 'rust', 'ruby', 'php', 'cpp'])('%s', (language) => {
  test(`edges of the ${language} corpus are found, and no false one is shown as certain`, ({ expect }) => {
    const corpus = readCorpus(path.join(import.meta.dirname, '../../fixtures/code', language))

    const score = scoreCorpus(corpus.expectations, linkSources(corpus.sources, settings), uncertainBelow)

    console.log(
      `${language}: ${score.wanted} edges wanted, recall ${(score.recall * 100).toFixed(1)} %, ${score.unwanted} unwanted`,
    )
    expect(score.wanted).toBeGreaterThanOrEqual(120)
    expect(score.unwanted).toBeGreaterThanOrEqual(40)
    expect(score.recall, score.missing.join('\n')).toBeGreaterThanOrEqual(0.95)
    expect(score.falseCertain).toEqual([])
  })
})

test('a Go interface is not implemented by what merely has its methods', ({ expect }) => {
  const corpus = readCorpus(path.join(import.meta.dirname, '../../fixtures/code/go'))

  expect(linkSources(corpus.sources, settings).filter((edge) => edge.kind === 'implements')).toEqual([])
})

test('a macro between `class` and the name of a class of C++ hides nothing of it', ({ expect }) => {
  const corpus = readCorpus(path.join(import.meta.dirname, '../../fixtures/code/cpp'))
  const score = scoreCorpus(corpus.expectations, linkSources(corpus.sources, settings), uncertainBelow)
  expect(corpus.expectations.filter((one) => one.file.includes('beacon'))).not.toEqual([])
  expect(score.missing.filter((one) => one.includes('beacon'))).toEqual([])
})

test('Python gives a property what a method gives its object, and its class bodies know what they declared', ({
  expect,
}) => {
  const corpus = readCorpus(path.join(import.meta.dirname, '../../fixtures/code/python'))
  const score = scoreCorpus(corpus.expectations, linkSources(corpus.sources, settings), uncertainBelow)
  expect(corpus.expectations.filter((one) => one.file.includes('lamp')).length).toBeGreaterThan(10)
  expect(score.missing.filter((one) => one.includes('lamp'))).toEqual([])
  expect(score.falseCertain).toEqual([])
})

test('a function of C is where it is defined, whatever stands between its type and its name where it is declared', ({
  expect,
}) => {
  const corpus = readCorpus(path.join(import.meta.dirname, '../../fixtures/code/cpp'))
  const lathe = corpus.sources['lathe/lathe.c'] ?? ''
  const symbols = extractFile('lathe.c', lathe).symbols.filter((one) => one.name === 'find_lathe')
  expect(symbols.map((one) => [one.kind, one.line])).toEqual([
    ['function', lathe.split('\n').findIndex((one) => one.includes('find_lathe(int at) {')) + 1],
  ])
  const score = scoreCorpus(corpus.expectations, linkSources(corpus.sources, settings), uncertainBelow)
  expect(corpus.expectations.filter((one) => one.file.includes('lathe')).length).toBeGreaterThan(3)
  expect(score.missing.filter((one) => one.includes('lathe'))).toEqual([])
})
