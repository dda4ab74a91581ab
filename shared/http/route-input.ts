/**
 * Reads what a route takes, part by part and in one order: path, query, body. Which bounds hold and how a refusal reads
 * is each family's own; the first part that is refused ends it.
 */
import type { z } from 'zod'
import { failWith, type Result, succeed } from '../kernel/result.ts'
import { type BodyBounds, type BodyFailure, readStrictJson } from './strict-json-body.ts'

/** What a declaration says about the input of its route. */
export interface InputDeclaration {
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
}

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined

/** Input of one route as its schemas put it out. */
export interface RouteInput<R extends InputDeclaration> {
  readonly params: Parsed<R['params']>
  readonly query: Parsed<R['query']>
  readonly body: Parsed<R['body']>
}

export type InputPart = keyof InputDeclaration

/** `broken_off`: the connection ended within the body. */
export type UnreadBody = BodyFailure | 'broken_off'

export interface InputRules<R extends InputDeclaration, F> {
  /** What the body must be; undefined where nobody looks at it. */
  readonly bodySchema: (route: R) => z.ZodType | undefined
  readonly bodyBounds: (route: R) => BodyBounds
  /** Whether nothing at all stands for an empty object. */
  readonly mayOmitBody: (route: R) => boolean
  readonly emptyQueryValue: 'absent' | 'kept'
  readonly refuseValue: (part: InputPart, value: unknown, error: z.ZodError, route: R) => F
  readonly refuseRepeated: (parameter: string) => F
  readonly refuseBody: (reason: UnreadBody, route: R) => F
  /** Reads the body, where the host has something shorter than a stream. */
  readonly readJson?: (request: Request, bounds: BodyBounds) => Promise<Result<unknown, BodyFailure>>
  /** Judges the type of a body that is JSON. */
  readonly refuseType?: (request: Request) => F | undefined
}

/** Answers at once where no body has to be waited for: a promise costs a short answer as much as the rest of it. */
export function readRouteInput<R extends InputDeclaration, F>(
  rules: InputRules<R, F>,
  route: R,
  request: Request,
  rawParams: Readonly<Record<string, string>>,
): Result<RouteInput<R>, F> | Promise<Result<RouteInput<R>, F>> {
  const params = parse(rules, route, 'params', route.params, rawParams)
  if (!params.ok) return params
  const query = route.query === undefined ? succeed(undefined) : readQuery(rules, route, route.query, request.url)
  if (!query.ok) return query
  const withBody = (body: unknown) =>
    succeed({ params: params.value, query: query.value, body } as unknown as RouteInput<R>)
  const schema = rules.bodySchema(route)
  if (schema === undefined) return withBody(undefined)
  return readBody(rules, route, schema, request).then((body) => (body.ok ? withBody(body.value) : body))
}

async function readBody<R extends InputDeclaration, F>(
  rules: InputRules<R, F>,
  route: R,
  schema: z.ZodType,
  request: Request,
): Promise<Result<unknown, F>> {
  // Only a connection that breaks can throw here: nobody reads the answer, and nothing is wrong with the server.
  const bounds = rules.bodyBounds(route)
  const reading = rules.readJson?.(request, bounds) ?? readStrictJson(request.body, bounds)
  const read = await reading.catch(() => failWith('broken_off' as const))
  if (!read.ok) {
    if (read.failure === 'empty' && rules.mayOmitBody(route)) return parse(rules, route, 'body', schema, {})
    return failWith(rules.refuseBody(read.failure, route))
  }
  const refused = rules.refuseType?.(request)
  return refused === undefined ? parse(rules, route, 'body', schema, read.value) : failWith(refused)
}

/** A parameter given twice is ambiguous and refused; one that is not known is ignored. */
function readQuery<R extends InputDeclaration, F>(
  rules: InputRules<R, F>,
  route: R,
  schema: z.ZodObject,
  url: string,
): Result<unknown, F> {
  const [address = ''] = url.split('#', 1)
  const start = address.indexOf('?')
  if (start < 0) return parse(rules, route, 'query', schema, {})
  const search = new URLSearchParams(address.slice(start + 1))
  const query: Record<string, string> = {}
  for (const name of Object.keys(schema.shape)) {
    const values = search.getAll(name)
    if (values.length > 1) return failWith(rules.refuseRepeated(name))
    const [value] = values
    if (value !== undefined && (value !== '' || rules.emptyQueryValue === 'kept')) query[name] = value
  }
  return parse(rules, route, 'query', schema, query)
}

function parse<R extends InputDeclaration, F>(
  rules: InputRules<R, F>,
  route: R,
  part: InputPart,
  schema: z.ZodType | undefined,
  value: unknown,
): Result<unknown, F> {
  if (schema === undefined) return succeed(undefined)
  const outcome = schema.safeParse(value)
  return outcome.success ? succeed(outcome.data) : failWith(rules.refuseValue(part, value, outcome.error, route))
}
