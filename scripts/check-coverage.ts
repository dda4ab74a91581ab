/** docs/spec-coverage.md must name every requirement once, and only tests that exist; one of each is among those of `npm test`. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type TestTitles, testTitlesOf } from './test-titles.ts'

/** The ids of the requirement lists. They are never renumbered; a list that grows raises its last number here. */
const lastNumberByPrefix: Readonly<Record<string, number>> = { APP: 572, AGT: 204, VWR: 182, GWY: 261 }
const idDigits = 3
const namedTest = /^(test\/\S+\.test\.ts) › (.+)$/

export interface Coverage {
  readonly rows: number
  readonly proved: number
  readonly problems: readonly string[]
}

/** Titles of files are read once for each map that is given. */
export function readCoverage(
  markdown: string,
  root: string,
  titlesByFile: Map<string, TestTitles> = new Map(),
): Coverage {
  const problems: string[] = []
  const missing = new Set(allIds())
  const found = new Set<string>()
  let proved = 0
  for (const [index, line] of markdown.split('\n').entries()) {
    if (!line.startsWith('|') || /^\|( id |-)/.test(line)) continue
    const cells = cellsOf(line)
    const [id = '', matter = '', proof = ''] = cells
    const where = `line ${index + 1} (${id})`
    if (cells.length !== 3) problems.push(`${where}: a row has three cells`)
    if (found.has(id)) problems.push(`${where}: the id stands here a second time`)
    else if (!missing.delete(id)) problems.push(`${where}: no such id`)
    found.add(id)
    if (cells.length !== 3) continue
    if (matter === '') problems.push(`${where}: the matter is empty`)
    let hasTest = false
    let hasQuick = false
    for (const part of proof.split('<br>').map((text) => text.trim())) {
      const fault = part.startsWith('test/') ? testFault(part) : sentenceFault(part)
      if (fault !== undefined) problems.push(`${where}: ${fault}`)
      else if (part.startsWith('test/')) {
        hasTest = true
        if (isQuick(part)) hasQuick = true
      }
    }
    if (hasTest) proved += 1
    if (hasTest && !hasQuick) problems.push(`${where}: npm test leaves all its proofs to npm run test:all`)
  }
  for (const id of missing) problems.push(`${id}: the row is missing`)
  return { rows: found.size, proved, problems }

  function isQuick(part: string): boolean {
    const [, file = '', name = ''] = namedTest.exec(part) ?? []
    return titlesByFile.get(file)?.hasQuick(name) ?? false
  }

  function testFault(part: string): string | undefined {
    const [, file, name] = namedTest.exec(part) ?? []
    if (file === undefined || name === undefined) return `not "test/….test.ts › name": ${part}`
    let titles = titlesByFile.get(file)
    if (titles === undefined) {
      if (!existsSync(path.join(root, file))) return `no such file: ${file}`
      titles = testTitlesOf(root, file)
      titlesByFile.set(file, titles)
    }
    return titles.has(name) ? undefined : `${file} holds no test "${name}"`
  }
}

function sentenceFault(part: string): string | undefined {
  if (part === '') return 'the proof is empty'
  if (!/^\p{Lu}.*\s.*\.$/u.test(part)) return `neither a test nor a sentence: ${part}`
  return undefined
}

function allIds(): string[] {
  return Object.entries(lastNumberByPrefix).flatMap(([prefix, last]) =>
    Array.from({ length: last }, (_, index) => `${prefix}-${String(index + 1).padStart(idDigits, '0')}`),
  )
}

/** A pipe inside a cell is written `\|`. */
function cellsOf(line: string): string[] {
  return line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
}

if (import.meta.main) {
  const root = path.dirname(import.meta.dirname)
  const { rows, proved, problems } = readCoverage(readFileSync(path.join(root, 'docs/spec-coverage.md'), 'utf8'), root)
  for (const problem of problems) process.stderr.write(`docs/spec-coverage.md, ${problem}\n`)
  process.stdout.write(`${rows} requirements, ${proved} proved by tests, ${rows - proved} with a reason why not\n`)
  process.exit(problems.length === 0 ? 0 : 1)
}
