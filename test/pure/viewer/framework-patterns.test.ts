/** Files of strangers that repeat how a pattern begins: what is looked for in them costs time as their length does. */
import { describe, test } from 'vitest'
import type { Framework } from '../../../local/viewer/core/frameworks/framework.ts'
import { frameworksOf } from '../../../local/viewer/core/frameworks/tables.ts'

const characters = 60_000
/** Of the processor's time. What grows with the square of the length takes several times as much for these. */
const searchMsMax = 1500

const patternsOf = ({ urls = [], mounts = [], part, whole, prefix }: Framework): RegExp[] =>
  [
    ...urls.flatMap(({ pattern, each }) => [pattern, each]),
    ...mounts.map(({ pattern }) => pattern),
    part,
    whole,
    prefix,
  ]
    .filter((one) => one !== undefined)
    .map((one) => new RegExp(one.source, one.flags.includes('g') ? one.flags : `${one.flags}g`))

const frameworks = new Map(
  Object.values(frameworksOf)
    .flat()
    .map((one) => [one.name, one]),
)
const searched = [...frameworks.values()].flatMap((one) =>
  patternsOf(one).map((pattern, index) => [`${one.name}, ${index + 1}`, pattern] as const),
)

/** What a pattern may begin with: its own words as code has them. */
function beginnings(pattern: RegExp): string[] {
  const source = pattern.source.replace(/\(\?<\w+>/g, '(').replace(/\\[a-zA-Z]/g, ' ')
  const words = [...new Set(source.match(/[A-Za-z_]{3,}/g) ?? [])].slice(0, 14)
  return words.flatMap((word) => [
    `${word}(`,
    `.${word}(`,
    `->${word}('a')`,
    `@${word}(`,
    `@${word}\n`,
    `#[${word}(`,
    `${word}("a", `,
    `\n${word} :a `,
    `${word}(path='`,
  ])
}

function costMs(pattern: RegExp, text: string): number {
  const before = process.cpuUsage()
  for (const _ of text.matchAll(pattern));
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

describe('a file that says the same over and over', () => {
  test.each(searched)('is looked through at once: %s', (_name, pattern) => {
    for (const one of ['a.b', '(', '[', ' ', '\n ', "'", '"', '::', ...beginnings(pattern)]) {
      const ms = costMs(pattern, one.repeat(characters / one.length))
      if (ms > searchMsMax) throw new Error(`${JSON.stringify(one)} costs ${Math.round(ms)} ms: ${pattern.source}`)
    }
  })
})
