import { describe, test } from 'vitest'
import { checkOutcome, mappedFolder } from '../../../workers/app/core/transfers/transfer.ts'

describe('a folder', () => {
  test.for([
    ['/downloads/tv', { from: '', to: '' }, '/downloads/tv'],
    ['/downloads', { from: '/downloads', to: '/data' }, '/data'],
    ['/downloads/', { from: '/downloads', to: '/data' }, '/data'],
    ['/downloads/tv/a', { from: '/downloads', to: '/mnt/data' }, '/mnt/data/tv/a'],
    ['/downloads2/tv', { from: '/downloads', to: '/data' }, undefined],
    ['/other', { from: '/downloads', to: '/data' }, undefined],
  ] as const)('%s by %o is %s', ([folder, mapping, mapped], { expect }) => {
    expect(mappedFolder(folder, mapping)).toBe(mapped)
  })
})

describe('a check', () => {
  test.for([
    ['checking', 40, 5, 'wait'],
    ['checking', 100, 5, 'wait'],
    ['checking', 40, 100, 'too_slow'],
    ['paused', 100, 5, 'whole'],
    ['stopped', 100, 200, 'whole'],
    ['paused', 0, 9, 'wait'],
    ['paused', 0, 10, { percent: 0 }],
    ['error', 61.5, 10, { percent: 61.5 }],
  ] as const)('that says %s and %d %% after %d s is %o', ([state, progressPercent, waited, outcome], { expect }) => {
    expect(checkOutcome({ state, progressPercent }, { waited, startMax: 10, endMax: 100 })).toEqual(outcome)
  })
})
