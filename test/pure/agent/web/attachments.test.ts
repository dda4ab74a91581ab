/** What goes with a prompt of the page beside its text. */
import { describe, test } from 'vitest'
import { imageBytesMax as imageBytesOfServer, promptFilesMax } from '../../../../local/agent/limits.ts'
import {
  imageBytesMax,
  imageProblem,
  imagesMax,
  imagesOf,
  nameBeingTyped,
  partsOf,
  pathsOf,
  withName,
} from '../../../../local/agent/web/model/attachments.ts'

test.for([
  ['look at @src/a', 'src/a'],
  ['@', ''],
  ['mail someone@example', undefined],
  ['@done and more', undefined],
  ['', undefined],
] as const)('in %o the name %o is being typed', ([before, name], { expect }) => {
  expect(nameBeingTyped(before)).toBe(name)
})

test.for([
  ['see @no', ' please', 'notes.txt', 'see @notes.txt please', 15],
  ['@sr', '', 'src/', '@src/', 5],
  ['@a', '', 'with a blank.txt', '@"with a blank.txt" ', 20],
] as const)('%o before %o becomes whole with %o', ([before, after, path, text, at], { expect }) => {
  expect(withName(before, after, path)).toEqual({ text, at })
})

describe('parts of a prompt', () => {
  const image = { name: 'a.png', uri: 'data:image/png;base64,AA==' }
  const files = (text: string, ...chosen: string[]) => partsOf(text, '/srv/it', new Set(chosen), [])

  test('are the files that were chosen and are still named, as addresses', ({ expect }) => {
    expect(files('see @a.txt', 'a.txt', 'b.txt')).toEqual([{ uri: 'file:///srv/it/a.txt' }])
    expect(files('see @a.txt.old', 'a.txt')).toEqual([])
    expect(files('see @"ü #?.txt"', 'ü #?.txt')).toEqual([{ uri: 'file:///srv/it/%C3%BC%20%23%3F.txt' }])
  })

  test('and the images', ({ expect }) => {
    expect(partsOf('', '/work', new Set(), [image])).toEqual([image])
  })

  test('and are found again in what was sent', ({ expect }) => {
    const names = ['ü #?.txt', 'src/a.ts']
    const sent = partsOf(names.map((name) => `@"${name}"`).join(' '), '/srv/it', new Set(names), [image])
    const files = sent.map((part) => ({ name: '', ...part, mime: part === image ? 'image/png' : 'text/plain' }))
    expect(pathsOf({ text: '', files }, '/srv/it')).toEqual(names)
    expect(pathsOf({ text: '', files }, '/srv/other')).toEqual([])
    expect(imagesOf({ text: '', files }).map(({ uri, name }) => ({ uri, name }))).toEqual([image])
    expect(imagesOf({ text: '' })).toEqual([])
  })

  test('an image at the bound is taken, and one past it, of another kind or too many are not', ({ expect }) => {
    expect(imageBytesMax).toBe(imageBytesOfServer)
    expect(imagesMax).toBeLessThanOrEqual(promptFilesMax)
    const png = (size: number) => ({ type: 'image/png', size })
    expect(imageProblem(png(imageBytesMax), imagesMax - 1)).toBeUndefined()
    expect(imageProblem(png(imageBytesMax + 1), 0)).toBe('size')
    expect(imageProblem(png(1), imagesMax)).toBe('count')
    expect(imageProblem({ type: 'image/svg+xml', size: 1 }, 0)).toBe('type')
  })
})
