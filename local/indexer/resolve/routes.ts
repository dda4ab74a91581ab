/** Routes become symbols of their file, once it is known which frameworks the project really uses. */
import type { Symbol as CodeSymbol, FileFacts, Reference, RouteFact } from '../core/facts.ts'
import type { PackageFact } from './script-modules.ts'

export function withRoutes(facts: FileFacts, packages: readonly PackageFact[]): FileFacts {
  const routes = facts.routes.filter((one) => one.framework !== 'next' || usesNext(facts.path, packages))
  if (routes.length === 0) return facts
  const symbols: CodeSymbol[] = [...facts.symbols]
  const references: Reference[] = [...facts.references]
  for (const route of routes) {
    const from = symbols.length
    symbols.push(routeSymbol(facts.path, route))
    if (route.handler !== null) {
      references.push({
        from,
        kind: 'references',
        value: route.handler,
        name: route.url,
        line: route.line,
        col: route.col,
      })
    }
  }
  return { ...facts, symbols, references }
}

export function frameworksOf(files: readonly FileFacts[], packages: readonly PackageFact[]): string[] {
  const found = new Set<string>()
  for (const file of files) {
    for (const route of file.routes)
      if (route.framework !== 'next' || usesNext(file.path, packages)) found.add(route.framework)
  }
  return [...found].sort()
}

function routeSymbol(path: string, route: RouteFact): CodeSymbol {
  return {
    kind: 'route',
    name: route.method === null ? route.url : `${route.method} ${route.url}`,
    qualifiedName: `${path}::${route.method ?? ''}:${route.url}`,
    parent: 0,
    line: route.line,
    col: route.col,
    endLine: route.line,
    endCol: route.col,
  }
}

function usesNext(path: string, packages: readonly PackageFact[]): boolean {
  return packages.some(
    (one) => (one.folder === '' || path.startsWith(`${one.folder}/`)) && one.dependencies.includes('next'),
  )
}
