/** What the box that finds anything offers for what was typed. */
import { test } from 'vitest'
import { type Entry, findEntries } from '../../../../workers/app/web/model/find-anything.ts'

const entry = (group: Entry['group'], label: string, more: Partial<Entry> = {}): Entry => ({
  group,
  label,
  hash: `#/${label}`,
  ...more,
})
const labels = (entries: readonly Entry[], typed: string) => findEntries(entries, typed).map(({ label }) => label)

const entries = [
  entry('sites', 'Saltmarsh'),
  entry('screens', 'Settings'),
  entry('screens', 'Search'),
  entry('actions', 'Search the sites'),
  entry('torrents', 'The.Salt.Road.S02E06'),
  entry('subscriptions', 'Old salt'),
  entry('subscriptions', 'Salt and smoke'),
]

test('without words there are the actions and the screens, and nothing of what is kept', ({ expect }) => {
  expect(labels(entries, '')).toEqual(['Search the sites', 'Settings', 'Search'])
  expect(labels(entries, '  . ')).toEqual(['Search the sites', 'Settings', 'Search'])
})

test('every word has to be there, in any order, and dots are blanks', ({ expect }) => {
  expect(labels(entries, 'road salt')).toEqual(['The.Salt.Road.S02E06'])
  expect(labels(entries, 'salt.road')).toEqual(['The.Salt.Road.S02E06'])
  expect(labels(entries, 'salt pepper')).toEqual([])
})

test('in each group those that begin with the words come first, in the order of the groups', ({ expect }) => {
  expect(labels(entries, 'SALT')).toEqual(['Saltmarsh', 'The.Salt.Road.S02E06', 'Salt and smoke', 'Old salt'])
})

test('what was chosen by who answered stands there whatever its name is', ({ expect }) => {
  expect(labels([entry('torrents', '盐路', { isChosen: true })], 'yanlu')).toEqual(['盐路'])
})

test('a group holds six at most', ({ expect }) => {
  const many = Array.from({ length: 7 }, (_, at) => entry('sites', `Site ${at}`))
  expect(labels(many.slice(0, 6), 'site')).toHaveLength(6)
  expect(labels(many, 'site')).toHaveLength(6)
})
