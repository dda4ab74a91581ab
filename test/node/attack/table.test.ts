import { describe, it } from 'vitest'
import { attackTable, holesOf } from '../../attack/table.ts'

const results = [
  {
    name: 'doors',
    outcomes: [
      { attack: 'a foreign page', fate: 'stopped' },
      { attack: 'a forged header', fate: 'hole', detail: '200' },
    ],
  },
  { name: 'files', outcomes: [{ attack: 'a deep file', fate: 'bounded' }] },
] as const

describe('the table of an attack run', () => {
  it('counts what became of each attack, by group and in all', ({ expect }) => {
    const rows = attackTable(results)
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
    expect(rows).toEqual([
      ['group', 'attacks', 'stopped', 'asked', 'contained', 'bounded', 'hole', 'skipped'],
      ['doors', '2', '1', '0', '0', '0', '1', '0'],
      ['files', '1', '0', '0', '0', '1', '0', '0'],
      ['all', '3', '1', '0', '0', '1', '1', '0'],
    ])
  })

  it('names every hole with its group', ({ expect }) => {
    expect(holesOf(results)).toEqual(['doors: a forged header (200)'])
  })
})
