/** What a path of the interface answers to, whatever the method of a request to it. */
export interface ServedPath<R> {
  /** As the router wants it, its prefix included. */
  readonly pattern: string
  /** As `Allow` lists them. */
  readonly methods: readonly string[]
  readonly routes: readonly R[]
}

/** Each path once, a written-out one before one with a parameter that would match it too. */
export function servedPaths<R extends { readonly method: string; readonly path: string }>(
  routes: readonly R[],
  prefix = '',
): ServedPath<R>[] {
  return [...Map.groupBy(routes, (route) => route.path)]
    .sort(([left], [right]) => Number(left.includes('{')) - Number(right.includes('{')))
    .map(([path, own]) => ({
      pattern: routerPattern(path, prefix),
      methods: own.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])),
      routes: own,
    }))
}

/**
 * The router's pattern of a declared path, `{name}` being a parameter of one segment and `{*name}` one of the rest. That
 * takes every character, line ends too: names of files have them.
 */
export function routerPattern(path: string, prefix = ''): string {
  return `${prefix}${path.replace(/\{(\*[A-Za-z_]+)\}/g, ':$1{[\\s\\S]+}').replace(/\{([A-Za-z_]+)\}/g, ':$1')}`
}
