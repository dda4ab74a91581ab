import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { languages, uncertainBelow } from '../../../local/indexer/core/vocabulary.ts'
import { extractFile, prepareLanguages } from '../../../local/indexer/extract/extract-file.ts'
import { rustCrate } from '../../../local/indexer/files/cargo-manifest.ts'
import { linkSources } from '../../support/link-sources.ts'
import { readCorpus, scoreCorpus } from '../../support/resolution-corpus.ts'

const code = path.join(import.meta.dirname, '../../fixtures/code')
const settings = {
  packages: [],
  aliases: [],
  goModules: [{ folder: '', path: 'example.org/shop' }],
  crates: ['harbour', 'ferry'].flatMap((folder) =>
    rustCrate(folder, readFileSync(path.join(code, 'rust', folder, 'Cargo.toml'), 'utf8')),
  ),
  usings: [],
}

beforeAll(() => prepareLanguages(languages))

describe.each(['python', 'go', 'java', 'csharp', 'rust', 'ruby', 'php', 'cpp'])('%s', (language) => {
  test(`edges of the ${language} corpus are found, and no false one is shown as certain`, ({ expect }) => {
    const corpus = readCorpus(path.join(code, language))

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
  const corpus = readCorpus(path.join(code, 'go'))

  expect(linkSources(corpus.sources, settings).filter((edge) => edge.kind === 'implements')).toEqual([])
})

test('a macro between `class` and the name of a class of C++ hides nothing of it', ({ expect }) => {
  const corpus = readCorpus(path.join(code, 'cpp'))
  const score = scoreCorpus(corpus.expectations, linkSources(corpus.sources, settings), uncertainBelow)
  expect(corpus.expectations.filter((one) => one.file.includes('beacon'))).not.toEqual([])
  expect(score.missing.filter((one) => one.includes('beacon'))).toEqual([])
})

test('Python gives a property what a method gives its object, and its class bodies know what they declared', ({
  expect,
}) => {
  const corpus = readCorpus(path.join(code, 'python'))
  const score = scoreCorpus(corpus.expectations, linkSources(corpus.sources, settings), uncertainBelow)
  expect(corpus.expectations.filter((one) => one.file.includes('lamp')).length).toBeGreaterThan(10)
  expect(score.missing.filter((one) => one.includes('lamp'))).toEqual([])
  expect(score.falseCertain).toEqual([])
})

test('a function of C is where it is defined, whatever stands between its type and its name where it is declared', ({
  expect,
}) => {
  const corpus = readCorpus(path.join(code, 'cpp'))
  const lathe = corpus.sources['lathe/lathe.c'] ?? ''
  const symbols = extractFile('lathe.c', lathe).symbols.filter((one) => one.name === 'find_lathe')
  expect(symbols.map((one) => [one.kind, one.line])).toEqual([
    ['function', lathe.split('\n').findIndex((one) => one.includes('find_lathe(int at) {')) + 1],
  ])
  const score = scoreCorpus(corpus.expectations, linkSources(corpus.sources, settings), uncertainBelow)
  expect(corpus.expectations.filter((one) => one.file.includes('lathe')).length).toBeGreaterThan(3)
  expect(score.missing.filter((one) => one.includes('lathe'))).toEqual([])
})

test('what C++ writes outside of a class is of the class that its whole name says, and before what a file has of that name', ({
  expect,
}) => {
  const corpus = readCorpus(path.join(code, 'cpp'))
  const score = scoreCorpus(corpus.expectations, linkSources(corpus.sources, settings), uncertainBelow)
  expect(corpus.expectations.filter((one) => one.file.includes('reel')).length).toBeGreaterThan(15)
  expect(score.missing.filter((one) => one.includes('reel'))).toEqual([])
  expect(score.falseCertain).toEqual([])
})

test('a macro before what a pointer to a function gives makes no name of its type', ({ expect }) => {
  const header = readFileSync(path.join(code, 'cpp/lathe/lathe.h'), 'utf8')
  const names = extractFile('lathe.h', header).symbols.map((one) => one.name)
  expect(header.match(/LATHE_API speed_t/g)).toHaveLength(2)
  expect(names).toContain('speed')
  expect(names).not.toContain('speed_t')
})

test('Rust finds crates by their manifests, what is passed on, macros, and what they make', ({ expect }) => {
  const corpus = readCorpus(path.join(code, 'rust'))
  const score = scoreCorpus(corpus.expectations, linkSources(corpus.sources, settings), uncertainBelow)
  const isOurs = (one: string): boolean => /^(harbour|ferry)\//.test(one)
  expect(corpus.expectations.filter((one) => isOurs(one.file)).length).toBeGreaterThan(40)
  expect(score.missing.filter(isOurs)).toEqual([])
  expect(score.falseCertain).toEqual([])
})

test('PHP believes the comment before a declaration, asks traits first, and finds functions outside of namespaces', ({
  expect,
}) => {
  const corpus = readCorpus(path.join(code, 'php'))
  const score = scoreCorpus(corpus.expectations, linkSources(corpus.sources, settings), uncertainBelow)
  const isOurs = (one: string): boolean => one.startsWith('src/Depot/')
  expect(corpus.expectations.filter((one) => isOurs(one.file)).length).toBeGreaterThan(20)
  expect(score.missing.filter(isOurs)).toEqual([])
  expect(score.falseCertain).toEqual([])
})

test('C# knows what is imported for a project, names outside of namespaces, and what stands in the head of a class', ({
  expect,
}) => {
  const corpus = readCorpus(path.join(code, 'csharp'))
  const edges = linkSources(corpus.sources, settings)
  const score = scoreCorpus(corpus.expectations, edges, uncertainBelow)
  const isOurs = (one: string): boolean => one.startsWith('Dock/')
  expect(corpus.expectations.filter((one) => isOurs(one.file)).length).toBeGreaterThan(10)
  expect(score.missing.filter(isOurs)).toEqual([])
  expect(score.falseCertain).toEqual([])
  const lifted = edges.filter((one) => one.to.endsWith('#Lifting::LiftAll'))
  expect(lifted.map((one) => [one.from, one.confidence < uncertainBelow])).toEqual([['Dock/Yard.cs#Yard::Run', true]])
})

test('Ruby knows what mappers give, what associations hold, methods named for assignments, and classes opened by a path', ({
  expect,
}) => {
  const corpus = readCorpus(path.join(code, 'ruby'))
  const score = scoreCorpus(corpus.expectations, linkSources(corpus.sources, settings), uncertainBelow)
  const isOurs = (one: string): boolean => /^(app|spec)\//.test(one)
  expect(corpus.expectations.filter((one) => isOurs(one.file)).length).toBeGreaterThan(10)
  expect(score.missing.filter(isOurs)).toEqual([])
  expect(score.falseCertain).toEqual([])
})
