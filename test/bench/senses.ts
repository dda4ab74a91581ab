/**
 * How much of what relies on a function is shown before it is edited, and in a review afterwards: `npm run bench -- senses [seed]`.
 * Sixty functions, of sources that the installed packages carry and of this project, each edited and put back; judged
 * by TypeScript's language service.
 */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { judgeSenses, type Told } from '../support/senses-oracle.ts'

const root = path.join(import.meta.dirname, '../..')
const seed = Number(process.argv[2] ?? 20_261_126)

/** The index takes what lies in `build` for what tools produce. */
const isOurs = (file: string): boolean => !/(^|\/)(web|build)$/.test(file)
const isSource = (file: string): boolean => !/(^|[/.])(tests?|__\w+__)([/.]|$)/.test(file)
type Part = readonly [from: string, isWanted: (file: string) => boolean]
const projects: Readonly<Record<string, readonly Part[]>> = {
  zod: [
    ['node_modules/zod/src/v4/core', isSource],
    ['node_modules/zod/src/v4/classic', isSource],
    ['node_modules/zod/src/v4/mini', isSource],
  ],
  ai: [['node_modules/ai/src', isSource]],
  'this project': [
    ['local/indexer', isOurs],
    ['local/viewer', isOurs],
    ['local/git', isOurs],
    ['local/ripgrep', isOurs],
    ['local/pages', isOurs],
    ['shared', isOurs],
    ['package.json', () => true],
  ],
}

const share = ({ missed, callers }: Told): string =>
  `${(100 - (missed.length / callers) * 100).toFixed(1)} % of ${callers}`
const told: Told[] = []
for (const [name, parts] of Object.entries(projects)) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'wharf-senses-'))
  try {
    for (const [from, isWanted] of parts)
      cpSync(path.join(root, from), path.join(folder, from.replace(/^node_modules\//, '')), {
        recursive: true,
        filter: (file) => isWanted(path.relative(root, file).replace(/^node_modules\//, '')),
      })
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
    const { changes, before, possible, review } = await judgeSenses(folder, 20, seed)
    told.push(before, review)
    console.log(
      `${name}, ${changes} changes: ${share(before)} callers shown as certain before the edit, ${before.wrong.length} of ${before.shown} shown are none; ${share(review)} functions that call shown as certain in the review, ${review.wrong.length} of ${review.shown} shown do not; ${possible.shown} of ${possible.callers} calls by way of what is overridden shown as possible`,
    )
    for (const one of [...before.missed, ...review.missed]) console.log(`  missed ${one}`)
    for (const one of [...before.wrong, ...review.wrong]) console.log(`  wrong ${one}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
const sum = (of: (one: Told) => number): number => told.reduce((all, one) => all + of(one), 0)
const callers = sum((one) => one.callers)
const missed = sum((one) => one.missed.length)
const wrong = sum((one) => one.wrong.length)
console.log(`all: ${(100 - (missed / callers) * 100).toFixed(1)} % of ${callers} shown as certain, ${wrong} wrong`)
// What is claimed of it: complete to 98 in a hundred, and never wrong.
process.exitCode = missed / callers > 0.02 || wrong > 0 ? 1 : 0
