/** URL routes of four frameworks, and of no other: React Router, Next.js pages, Vue Router, NestJS controllers. */
import type { RouteFact, Value } from '../../core/facts.ts'
import type { FactBuilder } from '../fact-builder.ts'
import type { ScriptFile } from './file.ts'
import type { Scope } from './scope.ts'
import { childOf, childrenOf, type SyntaxNode, textOf } from './syntax-tree.ts'
import type { ScriptTypes } from './types.ts'
import type { ScriptValues } from './values.ts'

/** What routes are read from. */
export class RouteSource {
  readonly facts: FactBuilder
  readonly routePrefixes = new Map<SyntaxNode, string>()
  readonly #file: ScriptFile
  readonly #types: ScriptTypes
  readonly #values: ScriptValues

  constructor(file: ScriptFile, types: ScriptTypes, values: ScriptValues) {
    this.facts = file.facts
    this.#file = file
    this.#types = types
    this.#values = values
  }

  line(offset: number): number {
    return this.#file.line(offset)
  }

  column(offset: number): number {
    return this.#file.column(offset)
  }

  valueAt(node: SyntaxNode | undefined, scope: Scope): Value {
    return this.#values.value(node, scope)
  }

  elementValue(name: SyntaxNode, scope: Scope): Value {
    return this.#types.entityName(name, scope, true)
  }

  arrayNamed(name: string): SyntaxNode | undefined {
    return this.#file.arrays.get(name)
  }
}

const reactRouterCalls = new Set(['createBrowserRouter', 'createHashRouter', 'createMemoryRouter', 'useRoutes'])
const vueRouterCalls = new Set(['createRouter', 'VueRouter', 'Router'])
const nestMethods: Readonly<Record<string, string>> = {
  Get: 'GET',
  Post: 'POST',
  Put: 'PUT',
  Patch: 'PATCH',
  Delete: 'DELETE',
  Head: 'HEAD',
  Options: 'OPTIONS',
  All: 'ALL',
}

function importsFrom(source: RouteSource, package_: RegExp): boolean {
  return source.facts.imports.some((one) => package_.test(one.specifier))
}

function joinUrl(prefix: string, path: string): string {
  if (path.startsWith('/') && prefix === '') return path
  const joined = `${prefix}/${path}`.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
  return joined.startsWith('/') ? joined : `/${joined}`
}

/** `<Route path="…" element={<Page/>}>`, nested ones under their parent's path. */
export function routesOfElement(source: RouteSource, node: SyntaxNode, scope: Scope): RouteFact[] {
  const opening = childOf(node, 'openingElement')
  const name = opening === undefined ? undefined : childOf(opening, 'name')
  if (opening === undefined || textOf(name, 'name') !== 'Route' || !importsFrom(source, /^react-router/)) return []
  const attributes = new Map(
    childrenOf(opening, 'attributes').map((one) => [textOf(childOf(one, 'name'), 'name'), childOf(one, 'value')]),
  )
  const prefix = source.routePrefixes.get(node) ?? ''
  const path = textOf(attributes.get('path'), 'value')
  const url = path.startsWith('/') ? path : joinUrl(prefix, path)
  for (const child of childrenOf(node, 'children')) source.routePrefixes.set(child, url)
  const isIndex = attributes.has('index')
  if (path === '' && !isIndex) return []
  const given = attributes.get('element') ?? attributes.get('component') ?? attributes.get('Component')
  const expression = given?.type === 'JSXExpressionContainer' ? childOf(given, 'expression') : given
  return [{ ...routeAt(source, node, null, url, handlerOf(source, expression, scope)), framework: 'react-router' }]
}

function routeAt(
  source: RouteSource,
  node: SyntaxNode,
  method: string | null,
  url: string,
  handler: Value | null,
): Omit<RouteFact, 'framework'> {
  return { method, url, line: source.line(node.start), col: source.column(node.start), handler }
}

function handlerOf(source: RouteSource, node: SyntaxNode | undefined, scope: Scope): Value | null {
  if (node === undefined) return null
  if (node.type === 'JSXElement') {
    const name = childOf(childOf(node, 'openingElement') ?? node, 'name')
    return name === undefined ? null : source.elementValue(name, scope)
  }
  if (node.type === 'ArrowFunctionExpression') {
    const body = childOf(node, 'body')
    const imported = body?.type === 'ImportExpression' ? textOf(childOf(body, 'source'), 'value') : ''
    return imported === '' ? null : { k: 'imp', m: imported, n: 'default' }
  }
  return source.valueAt(node, scope)
}

/** By the name of what is called: most calls declare nothing, and all are asked. */
export function mayDeclareRoutes(call: SyntaxNode): boolean {
  const callee = textOf(childOf(call, 'callee'), 'name')
  return reactRouterCalls.has(callee) || vueRouterCalls.has(callee)
}

/** Route tables handed to a router: `createBrowserRouter([…])`, `createRouter({routes: […]})`, `new VueRouter(…)`. */
export function routesOfCall(source: RouteSource, node: SyntaxNode, scope: Scope): RouteFact[] {
  const callee = textOf(childOf(node, 'callee'), 'name')
  const [first] = childrenOf(node, 'arguments')
  if (first === undefined) return []
  if (reactRouterCalls.has(callee) && importsFrom(source, /^react-router/)) {
    return tableRoutes(source, first, '', scope, 'react-router', ['element', 'Component', 'lazy'])
  }
  const isVue = vueRouterCalls.has(callee) && importsFrom(source, /^vue-router$/)
  if (!isVue) return []
  const routes = propertyOf(first, 'routes')
  return routes === undefined ? [] : tableRoutes(source, routes, '', scope, 'vue-router', ['component'])
}

function propertyOf(object: SyntaxNode, name: string): SyntaxNode | undefined {
  for (const property of childrenOf(object, 'properties')) {
    const key = childOf(property, 'key')
    if (textOf(key, 'name') === name || key?.['value'] === name) return childOf(property, 'value')
  }
  return undefined
}

function tableRoutes(
  source: RouteSource,
  input: SyntaxNode,
  prefix: string,
  scope: Scope,
  framework: string,
  handlerKeys: readonly string[],
): RouteFact[] {
  const table = input.type === 'Identifier' ? source.arrayNamed(textOf(input, 'name')) : input
  if (table?.type !== 'ArrayExpression') return []
  const found: RouteFact[] = []
  for (const item of childrenOf(table, 'elements')) {
    if (item.type !== 'ObjectExpression') continue
    const path = textOf(propertyOf(item, 'path'), 'value')
    const url = path.startsWith('/') ? path : joinUrl(prefix, path)
    const handler = handlerKeys.map((key) => propertyOf(item, key)).find((one) => one !== undefined)
    if (handler !== undefined)
      found.push({ ...routeAt(source, item, null, url, handlerOf(source, handler, scope)), framework })
    const children = propertyOf(item, 'children')
    if (children !== undefined) found.push(...tableRoutes(source, children, url, scope, framework, handlerKeys))
  }
  return found
}

/** `@Controller('users') class { @Get(':id') find() {} }`. */
export function routesOfController(
  source: RouteSource,
  node: SyntaxNode,
  symbolOf: (member: SyntaxNode) => number | undefined,
): RouteFact[] {
  if (!importsFrom(source, /^@nestjs\/common$/)) return []
  const controller = decoratorNamed(node, 'Controller')
  if (controller === undefined) return []
  const prefix = pathsOf(controller)[0] ?? ''
  const found: RouteFact[] = []
  for (const member of childrenOf(childOf(node, 'body') ?? node, 'body')) {
    const index = symbolOf(member)
    for (const [name, method] of Object.entries(nestMethods)) {
      const decorator = decoratorNamed(member, name)
      if (decorator === undefined || index === undefined) continue
      for (const path of pathsOf(decorator)) {
        found.push({
          ...routeAt(source, decorator, method, joinUrl(prefix, path), { k: 'sym', s: index }),
          framework: 'nestjs',
        })
      }
    }
  }
  return found
}

function decoratorNamed(node: SyntaxNode, name: string): SyntaxNode | undefined {
  return childrenOf(node, 'decorators')
    .map((one) => childOf(one, 'expression'))
    .find(
      (one) =>
        one !== undefined && textOf(one.type === 'CallExpression' ? childOf(one, 'callee') : one, 'name') === name,
    )
}

function pathsOf(decorator: SyntaxNode): string[] {
  const [first] = childrenOf(decorator, 'arguments')
  if (first === undefined) return ['']
  if (typeof first['value'] === 'string') return [first['value']]
  if (first.type === 'ArrayExpression') return childrenOf(first, 'elements').map((one) => textOf(one, 'value'))
  const path = propertyOf(first, 'path')
  return [textOf(path, 'value')]
}

const notPages = /(^|\/)(_app|_document|_error|middleware)\.[a-z]+$/

/** The URL of a Next.js page file. Whether the project uses Next.js at all is judged where its packages are known. */
export function nextPageRoute(path: string, facts: FactBuilder): RouteFact | undefined {
  if (notPages.test(path) || !/\.(tsx|jsx|ts|js)$/.test(path)) return undefined
  if (!facts.exports.some((one) => one.name === 'default')) return undefined
  const pages = /^(?:.*\/)?pages\/(.+)\.(?:tsx|jsx|ts|js)$/.exec(path)
  const app = /^(?:.*\/)?app\/(?:(.+)\/)?page\.(?:tsx|jsx|ts|js)$/.exec(path)
  const inner = pages?.[1] ?? (app === null ? undefined : (app[1] ?? ''))
  if (inner === undefined) return undefined
  const segments = inner.split('/').filter((one) => !/^\(.*\)$/.test(one) && one !== 'index' && one !== '')
  return {
    method: null,
    url: `/${segments.map((one) => one.replace(/^\[\[?\.\.\.(.+?)\]?\]$/, ':$1*').replace(/^\[(.+)\]$/, ':$1')).join('/')}`,
    line: 1,
    col: 0,
    handler: { k: 'imp', m: `./${path.slice(path.lastIndexOf('/') + 1)}`, n: 'default' },
    framework: 'next',
  }
}
