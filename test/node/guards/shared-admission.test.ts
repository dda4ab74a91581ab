import path from 'node:path'
import { test } from 'vitest'
import { readAdmission } from '../../../scripts/check-shared.ts'
import { plantTree } from '../../support/planted-tree.ts'

const twoFamilies = {
  'workers/app/app.ts': "import '#shared/idea/both.ts'",
  'local/agent/app.ts': "import type { Both } from '../../shared/idea/both.ts'",
  'shared/idea/both.ts': "import './below.ts'\nexport type Both = 1",
  'shared/idea/below.ts': 'export const below = 1',
  'shared/README.md': '# shared\n',
}

test('the tree as it is keeps the admission rule', ({ expect }) => {
  expect(readAdmission(path.resolve(import.meta.dirname, '../../..')).problems).toEqual([])
})

test('a file that two families import is admitted, with what it imports itself', ({ expect }) => {
  expect(readAdmission(plantTree(twoFamilies))).toEqual({ families: ['app', 'agent'], problems: [] })
})

test.for<[string, Record<string, string>, string]>([
  [
    'a file of one family',
    { 'shared/idea/one.ts': '', 'workers/app/one.ts': "import '#shared/idea/one.ts'" },
    'shared/idea/one.ts: only one family imports it; move it there',
  ],
  [
    'a file that only hosts and tests import',
    { 'shared/idea/host.ts': '', 'local/workerd/host.ts': "import '#shared/idea/host.ts'" },
    'shared/idea/host.ts: no family imports it',
  ],
  [
    'a file that two rooms of one family import',
    {
      'shared/idea/room.ts': '',
      'local/viewer/room.ts': "import '#shared/idea/room.ts'",
      'local/indexer/room.ts': "import '#shared/idea/room.ts'",
    },
    'shared/idea/room.ts: only one family imports it; move it there',
  ],
  [
    'a file at the top level',
    { 'shared/loose.ts': '', 'shared/idea/below.ts': "import '../loose.ts'" },
    'shared/loose.ts: a file lies in a folder named for its idea, not at the top',
  ],
  [
    'a drawer',
    { 'shared/helpers/text.ts': '', 'shared/idea/below.ts': "import '../helpers/text.ts'" },
    'shared/helpers/text.ts: the name says where it lies, not what it is',
  ],
  [
    'a waiting file whose second family came',
    { 'shared/README.md': '## Waiting for a second family\n\n- `idea/both.ts`: agent\n' },
    'shared/README.md: idea/both.ts has its second family; take it off the waiting list',
  ],
  [
    'a waiting file that is gone',
    { 'shared/README.md': '## Waiting for a second family\n\n- `idea/gone.ts`: agent\n' },
    'shared/README.md: idea/gone.ts waits but does not exist',
  ],
])('%s is refused', ([, files, problem], { expect }) => {
  expect(readAdmission(plantTree({ ...twoFamilies, ...files })).problems).toEqual([problem])
})

test('a file on the waiting list may have one family', ({ expect }) => {
  const tree = plantTree({
    ...twoFamilies,
    'shared/idea/early.ts': '',
    'workers/app/early.ts': "import '#shared/idea/early.ts'",
    'shared/README.md': '# shared\n\n## Waiting for a second family\n\n- `idea/early.ts`: the agent\n\n## Else\n',
  })

  expect(readAdmission(tree).problems).toEqual([])
})

test('with one family there is nothing to compare', ({ expect }) => {
  const tree = plantTree({ 'workers/app/app.ts': '', 'shared/idea/early.ts': '' })

  expect(readAdmission(tree)).toEqual({ families: ['app'], problems: [] })
})

test('the pages of the visual language are admitted as a whole', ({ expect }) => {
  const tree = plantTree({ ...twoFamilies, 'shared/pages/button.tsx': '' })

  expect(readAdmission(tree).problems).toEqual([])
})
