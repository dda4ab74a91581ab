import { grouped } from '../numbers.ts'

export const entries = {
  title: 'Entry points',
  about: 'Places from which the code can be read: what answers a route, what runs by itself, what most depends on.',
  frameworks: (names: string) => `Recognised: ${names}`,
  routes: 'Routes',
  allRoutes: 'All routes',
  noRoutes:
    'No routes of a known framework. React Router, Next.js pages, Vue Router and NestJS controllers are recognised.',
  runs: 'Files that run something when loaded',
  runsAbout: 'most calls at top level first, at most two of a folder',
  calls: 'Calls at top level',
  reaches: 'Files reached',
  dependents: 'Dependents',
  tests: 'Tests that reach far',
  testsAbout: 'most other files reached first',
  references: 'Links to them',
  hubs: 'Most depended on',
  hubsAbout: 'by distinct symbols that depend on it; tests and guesses left out',
  guessed: 'Guessed',
  guessedNote: 'Guessed dependents, confidence below 0.6, counted apart',
  file: 'File',
  symbol: 'Symbol',
  shown: (shown: number, total: number) =>
    shown === total ? grouped(total) : `${grouped(shown)} of ${grouped(total)}`,
  more: 'Show more',
  fewer: 'Show fewer',
  emptyTitle: 'Nothing to begin with',
  emptyBody:
    'The index has no route, no file that runs something at top level, no far-reaching test and no symbol that others depend on.',
  emptyAction: 'See the map',
}
