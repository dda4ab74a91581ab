/** WCAG contrast of every pair the visual language promises, computed from the tokens and the colours of code, in both themes. */
import { readFileSync } from 'node:fs'
import { describe, test } from 'vitest'

type Colours = Readonly<Record<string, string>>

/** Light, dark by system, dark by choice. */
function blocksOf(file: string): readonly Colours[] {
  const css = readFileSync(new URL(`../../../shared/pages/${file}`, import.meta.url), 'utf8')
  return [...css.matchAll(/:root[^{]*\{([^}]*)\}/g)]
    .map(([, body]) =>
      Object.fromEntries(
        [...(body ?? '').matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, name, hex]) => [name ?? '', hex ?? '']),
      ),
    )
    .filter((colours) => Object.keys(colours).length > 0)
}

const files = [blocksOf('tokens.css'), blocksOf('code.css')]
const [light, darkBySystem, darkByChoice] = [0, 1, 2].map((at) =>
  Object.assign({}, ...files.map((one) => one[at])),
) as [Colours, Colours, Colours]

function luminance(hex: string): number {
  const weights = [0.2126, 0.7152, 0.0722]
  return weights.reduce((sum, weight, at) => {
    const value = Number.parseInt(hex.slice(1 + at * 2, 3 + at * 2), 16) / 255
    return sum + weight * (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
  }, 0)
}

function contrast(front: string, back: string): number {
  const [high = 0, low = 0] = [luminance(front), luminance(back)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

const grounds = ['sunken', 'ground', 'surface', 'raised', 'hover', 'selected']
const inks = ['ink', 'ink-2', 'ink-3', 'accent']
const code = ['c-comment', 'c-string', 'c-keyword', 'c-number', 'c-type', 'c-def']

const promises: readonly (readonly [
  what: string,
  fronts: readonly string[],
  backs: readonly string[],
  least: number,
])[] = [
  ['text on every ground', [...inks, 'good', 'warn', 'bad'], grounds, 4.5],
  ['words of a primary button', ['on-accent'], ['accent', 'accent-2'], 4.5],
  ['text on the soft accent', inks, ['accent-soft'], 4.5],
  ['good on its soft ground', ['good'], ['good-soft'], 4.5],
  ['text in a warning', ['warn', 'ink', 'ink-2', 'accent'], ['warn-soft'], 4.5],
  ['text in a failure', ['bad', 'ink', 'ink-2', 'accent'], ['bad-soft'], 4.5],
  ['code', code, ['surface', 'ground', 'sunken', 'hover', 'code-line', 'add', 'del'], 4.5],
  ['line numbers of a change', ['ink-2', 'ink-3'], ['add', 'del'], 4.5],
  ['edges of controls', ['edge'], grounds.filter((ground) => ground !== 'raised'), 3],
  ['plots', ['plot-1', 'plot-2'], ['surface', 'ground'], 3],
  ['a plot on its track', ['plot-1'], ['plot-track'], 3],
]

describe.for([
  ['light', light],
  ['dark', darkByChoice],
] as const)('contrast in the %s theme', ([, colours]) => {
  test.for(promises)('%s', ([, fronts, backs, least], { expect }) => {
    const tooLow = fronts.flatMap((front) =>
      backs
        .map((back) => ({ pair: `${front} on ${back}`, ratio: contrast(colours[front] ?? '', colours[back] ?? '') }))
        .filter(({ ratio }) => !(ratio >= least)),
    )
    expect(tooLow).toEqual([])
  })
})

test('the dark theme by system and the dark theme by choice are the same', ({ expect }) => {
  expect(files.map((blocks) => blocks.length)).toEqual([3, 3])
  expect(darkBySystem).toEqual(darkByChoice)
})

test('black on white has the contrast the standard says', ({ expect }) => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})
