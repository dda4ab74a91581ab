import { counted, grouped } from '../numbers.ts'

export const routes = {
  title: 'Routes',
  about: 'Each address of the program and the symbol that answers it.',
  shown: (shown: number, total: number) =>
    shown === total
      ? counted(total, 'route', 'routes')
      : `${grouped(shown)} of ${counted(total, 'route', 'routes')} shown`,
  leftOut: (left: number) =>
    `${counted(left, 'route is', 'routes are')} not shown: over the limit, answered by tests or generated code, or by nothing the index knows.`,
  top: (routes: number, file: string) => `${counted(routes, 'route is', 'routes are')} answered in ${file}.`,
  address: 'Address',
  handler: 'Answered by',
  declared: 'Declared in',
  anyMethod: 'any',
  handed: 'Handed to code by frameworks',
  handedShown: (shown: number, total: number) =>
    shown === total ? counted(total, 'URL', 'URLs') : `${grouped(shown)} of ${counted(total, 'URL', 'URLs')} shown`,
  ofFramework: (name: string, handlers: number) => `${name} ${grouped(handlers)}`,
  unknownHandler: 'not known',
  unnamed: 'a function without a name',
  inside: 'a function in it',
  guessed: 'possible',
  end: 'prefix not known',
  endAbout: 'Its router is handed on, and where it is put is not written in the code.',
  filter: 'Filter by address or symbol',
  filterNone: (text: string) => `No route has “${text}” in its address or symbol.`,
  clear: 'Clear the filter',
  noneTitle: 'There is no map of routes',
  noneBody: (routes: number) =>
    `${routes === 0 ? 'No route was found' : `Only ${counted(routes, 'route was', 'routes were')} found`}; a map needs three with a known handler. Recognised are React Router, Next.js pages, Vue Router and NestJS controllers. No other framework that is known hands a URL to this code.`,
  noneAction: 'Entry points',
}
