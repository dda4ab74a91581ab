import { describe, test } from 'vitest'
import { parseRoute } from '../../../../local/viewer/web/model/address.ts'
import {
  formatTrail,
  parseTrail,
  type Step,
  stepFrom,
  stepsMax,
  symbolHref,
  trailTo,
} from '../../../../local/viewer/web/model/reading-trail.ts'

const way: readonly Step[] = [
  { id: 'function:a', dir: 'start' },
  { id: 'route:x.ts:1:GET:/a,b', dir: 'down' },
  { id: 'method:c', dir: 'up' },
]

describe('the way of a reader', () => {
  test('is read as it was written, whatever an id holds', ({ expect }) => {
    expect(parseTrail(formatTrail(way))).toEqual(way)
    expect(formatTrail(way)).toBe('sfunction%3Aa,droute%3Ax.ts%3A1%3AGET%3A%2Fa%2Cb,umethod%3Ac')
  })

  test.for([
    ['nothing', null, []],
    ['an empty text', '', []],
    ['an unknown letter', 'xfunction%3Aa', []],
    ['a step without an id', 's,dfunction%3Ab', ['function:b']],
    ['a broken escape', 's%E0%A4%A,da', ['a']],
  ] as const)('%s is no way, or what is left of one', ([, text, ids], { expect }) => {
    const steps = parseTrail(text)
    expect(steps.map((step) => step.id)).toEqual(ids)
    expect(steps.at(0)?.dir ?? 'start').toBe('start')
  })

  test('grows by one step, and what lay behind is dropped as in a history', ({ expect }) => {
    expect(stepFrom(way, 'method:c', { id: 'd', dir: 'down' }).map((step) => step.id)).toEqual([
      'function:a',
      'route:x.ts:1:GET:/a,b',
      'method:c',
      'd',
    ])
    expect(stepFrom(way, 'function:a', { id: 'd', dir: 'up' })).toEqual([
      { id: 'function:a', dir: 'start' },
      { id: 'd', dir: 'up' },
    ])
  })

  test('begins anew with a symbol that is not on it', ({ expect }) => {
    expect(trailTo(way, 'elsewhere')).toEqual([{ id: 'elsewhere', dir: 'start' }])
    expect(stepFrom(way, 'method:c', { id: 'd', dir: 'start' })).toEqual([{ id: 'd', dir: 'start' }])
  })

  test('keeps at most as many steps as the server takes, and loses its beginning', ({ expect }) => {
    const full = Array.from({ length: stepsMax }, (_, at): Step => ({ id: `n${at}`, dir: at === 0 ? 'start' : 'down' }))
    const next = stepFrom(full, `n${stepsMax - 1}`, { id: 'next', dir: 'down' })
    expect(next).toHaveLength(stepsMax)
    expect(next.at(0)).toEqual({ id: 'n1', dir: 'start' })
    expect(next.at(-1)?.id).toBe('next')
    expect(parseTrail(formatTrail([...full, { id: 'over', dir: 'down' }]))).toHaveLength(stepsMax)
  })

  test('stands in the address of a symbol once it has two steps', ({ expect }) => {
    expect(symbolHref(way.slice(0, 1), 'function:a')).toBe('#/s/function%3Aa')
    const route = parseRoute(symbolHref(way, 'method:c', 7))
    expect(route.detail).toBe('method:c')
    expect(parseTrail(route.query.get('trail'))).toEqual(way)
    expect(route.query.get('line')).toBe('7')
  })
})
