/**
 * The way in for agents of others (Model Context Protocol over HTTP): the assistant's tools in the name of a token. The
 * protocol itself is its own library's; here stand who may, what there is, and that what changes something is written
 * down before it is done.
 */
import type { Server } from '@modelcontextprotocol/server'
import { Hono } from 'hono'
import { bearerToken } from '#shared/http/bearer-token.ts'
import { aboutProposed } from '../core/audit-about.ts'
import { failure } from '../core/failure.ts'
import { mayUse, type Principal } from '../core/principal.ts'
import { type Say, sayFor } from '../core/reason/say.ts'
import { mcpPath } from '../core/vocabulary.ts'
import { auditAboutBounds, bodyBytesMax } from '../limits.ts'
import type { AssistantTools, ToolOutcome } from '../ports/assistant.ts'
import type { AppDeps } from '../ports.ts'
import { writtenDown } from '../services/written-down.ts'
import { unauthorized } from './authenticate.ts'
import { type Framed, frameAnswers } from './frame-answers.ts'
import { renderFailure } from './render-failure.ts'

type McpDeps = Pick<AppDeps, 'audit' | 'clock' | 'credentials' | 'identifiers' | 'logger' | 'version'>

interface Asking {
  readonly caller: Principal
  readonly say: Say
  readonly requestId: string
}

export function serveMcp(deps: McpDeps, tools: AssistantTools): Hono<Framed> {
  const app = new Hono<Framed>()
  frameAnswers(app, deps)

  app.post(mcpPath, async (c) => {
    const { headers } = c.req.raw
    const say = sayFor(headers)
    const token = bearerToken(headers.get('authorization') ?? undefined)
    const known = token === undefined ? undefined : await deps.credentials.byToken(token)
    if (known === undefined) return renderFailure(unauthorized, say, { 'www-authenticate': 'Bearer' })
    const caller = known.principal
    if (!mayUse(caller, 'app:read'))
      return renderFailure(
        failure('forbidden', { kind: 'account.no_permission', holder: 'token', scope: 'app:read' }),
        say,
      )
    const { createMcpHandler, Server: ProtocolServer } = await library()
    const handler = createMcpHandler(
      () => serverFor(ProtocolServer, deps, tools, { caller, say, requestId: c.get('requestId') }),
      {
        // No list of tools changes while it is open.
        maxSubscriptions: 0,
        maxRequestBodySize: bodyBytesMax,
        onerror: (cause) => deps.logger.info('mcp_refused', { request_id: c.get('requestId'), message: cause.message }),
      },
    )
    return handler.fetch(c.req.raw)
  })
  app.all(mcpPath, (c) =>
    renderFailure(failure('method_not_allowed', { kind: 'method', allowed: ['POST'] }), sayFor(c.req.raw.headers), {
      allow: 'POST',
    }),
  )
  return app
}

/** Most services never see such an agent, and their start is not to wait for what reads it. */
const library = () => import('@modelcontextprotocol/server')

function serverFor(ProtocolServer: typeof Server, deps: McpDeps, tools: AssistantTools, asking: Asking): Server {
  const { caller, requestId, say } = asking
  const server = new ProtocolServer({ name: 'wharf', version: deps.version }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({
    tools: tools.list(caller).map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: { type: 'object' as const, ...parameters },
      annotations: { readOnlyHint: !tools.changes(name), openWorldHint: false },
    })),
  }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const call = { name: params.name, arguments: params.arguments ?? {} }
    const { text, isError } = tools.changes(call.name)
      ? await written(deps, tools, asking, call)
      : await tools.run(caller, call, requestId, say)
    return { content: [{ type: 'text' as const, text }], isError }
  })
  return server
}

/** As with every other act of a token: without the first record nothing happens. */
async function written(
  deps: McpDeps,
  tools: AssistantTools,
  { caller, say, requestId }: Asking,
  call: Parameters<AssistantTools['run']>[1],
): Promise<ToolOutcome> {
  const command = `POST ${mcpPath} ${call.name}`
  const judged = await tools.judge(caller, call, [])
  const about = judged.kind === 'confirm' ? aboutProposed(judged.proposed, auditAboutBounds) : undefined
  const done = await writtenDown(
    deps,
    { channel: caller.kind, user: caller.id, command, requestId },
    () => tools.run(caller, call, requestId, say),
    ({ isError }) => ({ result: isError ? 'error' : 'ok', status: 200, about }),
  )
  return done.ok ? done.value : { text: say(done.failure), isError: true }
}
