import { test } from 'vitest'
import type { TextAnswer } from '../../../../local/viewer/contract/wire.ts'
import { countFound } from '../../../../local/viewer/web/model/found-lines.ts'

const answer = (files: Readonly<Record<string, number>>, isFileCut = false): TextAnswer =>
  ({
    query: { text: 'door' },
    files: Object.entries(files).map(([file, lines]) => ({
      file,
      truncated: isFileCut,
      lines: Array.from({ length: lines }),
    })),
    shown: { lines: Object.values(files).reduce((sum, one) => sum + one, 0), files: Object.keys(files).length },
    truncated: false,
  }) as unknown as TextAnswer

test('lines are counted at each file, and at each folder above it', ({ expect }) => {
  const found = countFound(answer({ 'src/in/a.ts': 2, 'src/b.ts': 1, 'srcs/c.ts': 4, 'd.ts': 8 }), '#/text?q=door')

  expect(found).toMatchObject({ text: 'door', address: '#/text?q=door', lines: 15, isCut: false })
  expect(Object.fromEntries(found?.at ?? [])).toEqual({
    ...{ src: 3, 'src/in': 2, 'src/in/a.ts': 2, 'src/b.ts': 1 },
    ...{ srcs: 4, 'srcs/c.ts': 4, 'd.ts': 8 },
  })
})

test('what found nothing leaves nothing to show, and what was cut short says so', ({ expect }) => {
  expect(countFound(answer({}), '')).toBeUndefined()
  expect(countFound(answer({ 'a.ts': 1 }, true), '')).toMatchObject({ isCut: true })
})
