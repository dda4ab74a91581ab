import { test } from 'vitest'
import { type Ask, AsksMeanwhile } from '../../../../local/agent/web/model/asks.ts'

const asked = (id: string) => ({ kind: 'question', request: { id } }) as unknown as Ask
const idsOf = (asks: readonly Ask[]) => asks.map(({ request }) => request.id)

test('what is asked while the open requests are read stays, and what is answered meanwhile goes', ({ expect }) => {
  const meanwhile = new AsksMeanwhile()
  meanwhile.add(asked('new'))
  meanwhile.add(asked('read as well'))
  meanwhile.add(asked('answered at once'))
  meanwhile.drop('answered at once')
  meanwhile.drop('answered')

  expect(idsOf(meanwhile.settle([asked('old'), asked('answered'), asked('read as well')]))).toEqual([
    'old',
    'read as well',
    'new',
  ])
})
