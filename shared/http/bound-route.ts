/**
 * Joins declarations of routes with what they do, and finds for a request the one that answers it. Who may call, how a
 * refusal reads and what becomes of a result is each family's own.
 */
import { type Context, type Env, Hono } from 'hono'
import type { Result } from '../kernel/result.ts'
import { type InputDeclaration, type InputRules, type RouteInput, readRouteInput } from './route-input.ts'
import { routerPattern, type ServedPath, servedPaths } from './route-paths.ts'

export interface Declaration extends InputDeclaration {
  readonly method: string
  readonly path: string
}

/**
 * What every handler gets: validated input, raw headers, and the signal that fires when the client goes. Most endpoints ask for
 * neither of the last two, and each costs more to make than a short answer; a class, so that a copy lacks them in its type
 * as well.
 */
export type RouteCall<R extends InputDeclaration> = RouteInput<R> & AskedRequest

class AskedRequest {
  readonly #request: Request

  constructor(request: Request) {
    this.#request = request
  }

  get headers(): Headers {
    return this.#request.headers
  }

  get signal(): AbortSignal {
    return this.#request.signal
  }

  /** The same call of another route. */
  withInput<I extends object>(input: I): this & I {
    return Object.assign(new AskedRequest(this.#request), this, input) as this & I
  }
}

type Handled<Answer, F> = Result<Answer, F> | Promise<Result<Answer, F>>

/** A declaration joined with what it does. `More` is what a family hands its handlers beside the call. */
export interface BoundRoute<R extends Declaration, More, Answer, F> {
  readonly route: R
  readonly handle: (call: RouteCall<R> & More) => Handled<Answer, F>
}

interface Routing<E extends Env, B extends { readonly route: Declaration }> {
  readonly prefix?: string
  readonly serve: (bound: B, context: Context<E>) => Response | Promise<Response>
  /** Of a path that is served, asked for with a method that is not. */
  readonly refuseMethod: (path: ServedPath<B['route']>, context: Context<E>) => Response | Promise<Response>
  readonly refusePath: (context: Context<E>) => Response | Promise<Response>
}

export function serveBound<E extends Env, B extends { readonly route: Declaration }>(
  app: Hono<E>,
  routes: readonly B[],
  { prefix = '', serve, refuseMethod, refusePath }: Routing<E, B>,
): void {
  for (const bound of routes) {
    const { method, path } = bound.route
    app.on(method.toUpperCase(), routerPattern(path, prefix), (c) => serve(bound, c as Context<E>))
  }
  // Known paths, whatever the method. Apart from the routes, which are looked up faster where only one of them fits.
  const paths = new Hono<E>()
  const declared = routes.map(({ route }): B['route'] => route)
  for (const path of servedPaths(declared, prefix)) paths.all(path.pattern, (c) => refuseMethod(path, c as Context<E>))
  paths.notFound(refusePath)
  paths.onError((cause) => {
    throw cause
  })
  app.notFound((c) => paths.fetch(c.req.raw, c.env))
}

/** Answers at once where nothing has to be waited for: a promise costs a short answer as much as the rest of it. */
export function callBound<R extends Declaration, More, Answer, F>(
  rules: InputRules<R, F>,
  { route, handle }: BoundRoute<R, More, Answer, F>,
  request: Request,
  rawParams: Readonly<Record<string, string>>,
  more: More,
): Handled<Answer, F> {
  const withInput = (input: Result<RouteInput<R>, F>): Handled<Answer, F> =>
    input.ok ? handle(Object.assign(new AskedRequest(request), more, input.value)) : input
  const input = readRouteInput(rules, route, request, rawParams)
  return input instanceof Promise ? input.then(withInput) : withInput(input)
}
