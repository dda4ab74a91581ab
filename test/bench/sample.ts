/**
 * Calls drawn at random from the text of a repository, and what the index says of each: `npm run bench -- sample FOLDER LANGUAGE
 * NUMBER SEED`, for the languages that no compiler here judges. Somebody who read the sources writes down what each means, a
 * line a call, in `test/bench/samples/LANGUAGE-FOLDER.tsv`: path, line, column, name and meaning, which is `PATH:LINE` of a
 * declaration (several set apart by `|`), `outside` where the repository has it not, or `no call`. What is judged there is counted;
 * what is not is printed with what the index says. `SAMPLE_ALL=1` prints all.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { constructorNames } from '../../local/indexer/core/constructor-names.ts'
import type { GraphReader } from '../../local/indexer/core/graph-reader.ts'
import type { EdgeRow, FileRow, NodeRow } from '../../local/indexer/core/rows.ts'
import { uncertainBelow } from '../../local/indexer/core/vocabulary.ts'
import { indexPlaceIn } from '../../local/indexer/store/index-folder.ts'
import { openIndex } from '../../local/indexer/store/open-index.ts'
import { syncIndex } from '../../local/indexer/sync.ts'
import { type CallSite, callSites, type SampledLanguage } from '../support/call-sites.ts'
import { unwrap } from '../support/unwrap.ts'

interface Site extends CallSite {
  readonly file: FileRow
  readonly text: string
}

type Verdict = 'right' | 'wrong' | 'one of several' | 'missed' | 'outside' | 'no call' | 'not judged'

const makers = new Set(constructorNames({ name: 'constructor' }))

const [folder = '', language = '', count = '200', seed = '1'] = process.argv.slice(2)
if (!/^(rust|php|csharp|ruby)$/.test(language)) {
  process.stderr.write('Usage: npm run bench -- sample FOLDER rust|php|csharp|ruby NUMBER SEED\n')
  process.exit(2)
}
const sampled = language as SampledLanguage
const root = path.resolve(folder)
const judged = readJudged(path.join(import.meta.dirname, 'samples', `${language}-${path.basename(root)}.tsv`))
const work = mkdtempSync(path.join(os.tmpdir(), 'wharf-sample-'))
try {
  const place = indexPlaceIn(path.join(work, 'index'), root)
  const built = await syncIndex({ place, isFull: true, nowMs: Date.now(), version: 'sample' })
  if (built.kind !== 'done') throw new Error(built.kind)
  const open = unwrap(openIndex(place))
  try {
    report(open.reader, draw(sitesOf(open.reader), Number(count), Number(seed)))
  } finally {
    open.close()
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}

function readJudged(file: string): ReadonlyMap<string, string> {
  const rows = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  return new Map(
    rows
      .filter((row) => row !== '' && !row.startsWith('#'))
      .map((row): [string, string] => {
        const [file = '', line = '', col = '', , meaning = ''] = row.split('\t')
        return [`${file}:${line}:${col}`, meaning]
      }),
  )
}

function sitesOf(reader: GraphReader): Site[] {
  const files = reader.files().filter((one) => one.language === sampled)
  return files
    .toSorted((left, right) => (left.path < right.path ? -1 : 1))
    .flatMap((file) => {
      const text = readFileSync(path.join(root, file.path), 'utf8')
      const lines = text.split('\n')
      return callSites(text, sampled).map((one) => ({ ...one, file, text: lines[one.line - 1] ?? '' }))
    })
}

/** The same for the same seed, whatever the index says. */
function draw(sites: Site[], wanted: number, seed: number): Site[] {
  let state = seed >>> 0
  const random = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const left = [...sites]
  const drawn: Site[] = []
  while (drawn.length < wanted && left.length > 0) {
    const at = Math.floor(random() * left.length)
    drawn.push(...left.splice(at, 1))
  }
  return drawn
}

/** Edges of the place: those of the name, or of the path that ends in it. */
function saidOf(reader: GraphReader, { file, line, col, name, text }: Site): EdgeRow[] {
  const own = reader
    .nodesOf(file)
    .flatMap(({ n }) => reader.outgoing(n))
    .filter((edge) => edge.line === line && edge.kind !== 'imports')
  const path_ = /[\w:.\\$>-]*(?:\bnew\s+[\w.\\]*)?$/.exec(text.slice(0, col))?.[0].length ?? 0
  const isOf = (edge: EdgeRow): boolean => {
    const called = reader.node(edge.target)
    return called.name === name || isMaker(called) || edge.kind === 'instantiates'
  }
  const exact = own.filter((edge) => edge.col === col)
  if (exact.some((edge) => edge.kind === 'calls')) return exact
  return own.filter((edge) => edge.col <= col && edge.col >= col - path_ && isOf(edge))
}

function isMaker(node: NodeRow): boolean {
  return makers.has(node.name)
}

function typeOr(reader: GraphReader, n: number): number {
  const { graph } = reader
  const [name, around] = [graph.nameOf(n), graph.parentOf(n)]
  return makers.has(name) || name === graph.nameOf(around) ? around : n
}

/** What is declared on the line: that of the name, or the innermost. */
function declaredAt(reader: GraphReader, place: string, name: string): number | undefined {
  const [, file = '', line = ''] = /^(.*):(\d+)$/.exec(place) ?? []
  const row = reader.fileByPath(file)
  const at = Number(line)
  const around = (row === undefined ? [] : reader.nodesOf(row))
    .filter((one) => one.kind !== 'file' && one.kind !== 'import' && one.line <= at && at <= one.endLine)
    .toSorted((left, right) => left.endLine - left.line - (right.endLine - right.line) || right.n - left.n)
  return (around.find((one) => one.name === name) ?? around[0])?.n
}

function verdictOf(reader: GraphReader, site: Site, said: readonly EdgeRow[], meaning: string | undefined): Verdict {
  if (meaning === undefined || meaning === '') return 'not judged'
  if (meaning === 'no call') return 'no call'
  const certain = said.filter((edge) => edge.confidence >= uncertainBelow)
  if (meaning === 'outside')
    return certain.some((edge) => reader.graph.nameOf(edge.target) === site.name) ? 'wrong' : 'outside'
  const meant = new Set(
    meaning.split('|').flatMap((place) => {
      const n = declaredAt(reader, place, site.name)
      return n === undefined ? [] : [typeOr(reader, n)]
    }),
  )
  const isMeant = (edge: EdgeRow): boolean => meant.has(typeOr(reader, edge.target))
  if (certain.some(isMeant)) return 'right'
  if (said.some(isMeant)) return 'one of several'
  return certain.length > 0 ? 'wrong' : 'missed'
}

function report(reader: GraphReader, sites: readonly Site[]): void {
  const counts = new Map<Verdict, number>()
  const of = (verdict: Verdict): number => counts.get(verdict) ?? 0
  for (const site of sites) {
    const said = saidOf(reader, site)
    const verdict = verdictOf(reader, site, said, judged.get(`${site.file.path}:${site.line}:${site.col}`))
    counts.set(verdict, of(verdict) + 1)
    if (process.env['SAMPLE_ALL'] === undefined && !/^(not judged|missed|wrong)$/.test(verdict)) continue
    const shown = said.map((edge) => {
      const target = reader.node(edge.target)
      return `${edge.confidence >= uncertainBelow ? '' : '?'}${reader.file(target.file).path}:${target.line} ${target.qualifiedName}`
    })
    console.log(
      [verdict, site.file.path, site.line, site.col, site.name, shown.join(', ') || 'nothing', site.text.trim()].join(
        '\t',
      ),
    )
  }
  const inside = of('right') + of('wrong') + of('one of several') + of('missed')
  const certain = of('right') + of('wrong')
  const share = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`)
  console.log(
    `${sampled} ${path.basename(root)}, seed ${seed}: ${sites.length} drawn, ${of('not judged')} not judged, ${of('no call')} no call, ${of('outside')} outside; ` +
      `${certain} certain, ${of('wrong')} wrong, ${share(of('right'), certain)} right; ${inside} inside, ${of('one of several')} one of several, ${of('missed')} missed, ` +
      `${share(of('right') + of('one of several'), inside)} found`,
  )
}
