/**
 * The first script every request meets: judges `Host`, then hands the request over untouched. It runs inside the
 * runtime, because reading requests in Node as well would cost half of the requests per second.
 */
import { type HostRule, isAllowedHost } from './host-filter.ts'

interface Service {
  fetch(request: Request): Promise<Response>
}

interface GateBindings {
  /** The script behind its static assets, as the edge has it. */
  readonly MAIN: Service
  /** The script itself: three hops less for the paths that it answers before any asset is looked for. */
  readonly SCRIPT: Service
  readonly SCRIPT_FIRST: readonly string[]
  readonly HOST_RULE: HostRule
}

async function passThrough(request: Request, env: GateBindings): Promise<Response> {
  // The request line may carry an authority of its own, and that one is what the script would see.
  const isAllowed =
    isAllowedHost(request.headers.get('host'), env.HOST_RULE) && isAllowedHost(authorityOf(request.url), env.HOST_RULE)
  if (!isAllowed) return refusal()
  const { pathname } = new URL(request.url)
  const isForScript = env.SCRIPT_FIRST.some((prefix) => pathname.startsWith(prefix))
  return (isForScript ? env.SCRIPT : env.MAIN).fetch(request)
}

function authorityOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null
}

function refusal(): Response {
  return Response.json(
    { error: 'forbidden', message: 'This Host is not served here; start with --allow-host NAME to add one' },
    { status: 403, headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } },
  )
}

// biome-ignore lint/style/noDefaultExport: the runtime takes a script's handlers from its default export
export default { fetch: passThrough }
