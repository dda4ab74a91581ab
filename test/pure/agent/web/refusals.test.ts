/** What the page says of refused requests, beside what the server says: for each kind, and of the same facts. */
import { describe, test } from 'vitest'
import { type Refusal, refusalKinds, sayRefusal } from '../../../../local/agent/core/refusal.ts'
import { refusalInChinese } from '../../../../local/agent/web/locales/chinese-refusals.ts'

/** Of every kind together, by their names. */
const facts = {
  seconds: 7,
  names: 'one and two',
  name: 'one',
  field: 'title',
  said: 'words',
  most: 9,
  told: 'image/png',
  found: 'image/gif',
  count: 2,
  question: 3,
  revision: 4,
  project: '/project',
  taken: '2026-01-01',
  copy: '/copy',
}
const faults: Readonly<Partial<Record<Refusal['kind'], unknown>>> = {
  configuration: { kind: 'unfilled', file: '/svc.json', line: 5, reference: '{env:KEY}' },
  sign_in: { kind: 'unkept', fault: { kind: 'unmade', file: '/key' } },
}

/** What is said of a kind, and which facts that takes. */
function heard(kind: Refusal['kind'], say: (why: Refusal) => string | undefined) {
  const taken = new Set<string>()
  // A bound is a fact of its own, said in place of the words of a value's shape.
  const { most, ...others } = facts
  const given = { ...others, ...(kind === 'value' ? {} : { most }), fault: faults[kind] }
  const why = new Proxy(
    { kind, ...given },
    {
      get(target, name) {
        if (name !== 'kind' && Reflect.get(target, name) !== undefined) taken.add(String(name))
        return Reflect.get(target, name)
      },
    },
  ) as Refusal
  return { said: say(why), facts: [...taken].sort() }
}

describe('a refused request is said in Chinese by its kind', () => {
  test.for(refusalKinds)('%s, of the facts that the English has', (kind, { expect }) => {
    const chinese = heard(kind, refusalInChinese)
    const english = heard(kind, sayRefusal)
    expect(chinese.said).toMatch(/\p{Script=Han}.*。$/su)
    expect(english.said).not.toMatch(/undefined|\p{Script=Han}/u)
    expect(chinese.said).not.toContain('undefined')
    expect(chinese.facts).toEqual(english.facts)
  })

  test('a value by its bound where it has one', ({ expect }) => {
    const value = { kind: 'value', field: 'limit', said: 'Too big: expected number to be <=100' } as const
    expect(refusalInChinese({ ...value, most: 100 })).toBe('limit 超过上限 100。')
    expect(refusalInChinese({ ...value, least: 1 })).toBe('limit 低于下限 1。')
    expect(refusalInChinese(value)).toBe(`limit 的值不可用：“${value.said}”。`)
  })

  test('and one that only a newer server has is not said', ({ expect }) => {
    for (const kind of ['of_tomorrow', 'constructor'])
      expect(refusalInChinese({ kind } as unknown as Refusal)).toBeUndefined()
  })
})
