/**
 * The way in for agents of others (Model Context Protocol over HTTP): the assistant's tools in the name of a token. The
 * protocol itself is its own library's; here stand who may, what there is, and that what changes something is written
 * down before it is done.
 */
import type { inputRequired, Server } from '@modelcontextprotocol/server'
import { Hono } from 'hono'
import { bearerToken } from '#shared/http/bearer-token.ts'
import { actionInChinese } from '../core/assistant/action-chinese.ts'
import { actionInEnglish } from '../core/assistant/action-english.ts'
import { aboutProposed } from '../core/audit-about.ts'
import { failure } from '../core/failure.ts'
import { mayUse, type Principal } from '../core/principal.ts'
import { prefersEnglish, type Say, sayFor } from '../core/reason/say.ts'
import { mcpPath } from '../core/vocabulary.ts'
import { auditAboutBounds, bodyBytesMax } from '../limits.ts'
import type { AssistantTools, JudgedCall, ToolOutcome } from '../ports/assistant.ts'
import type { AppDeps } from '../ports.ts'
import { writtenDown } from '../services/written-down.ts'
import { answerTo, canAsk } from './agent-questions.ts'
import { unauthorized } from './authenticate.ts'
import { type Framed, frameAnswers } from './frame-answers.ts'
import { renderFailure } from './render-failure.ts'

type McpDeps = Pick<AppDeps, 'audit' | 'clock' | 'credentials' | 'identifiers' | 'logger' | 'secrets' | 'version'>

interface Asking {
  readonly caller: Principal
  readonly say: Say
  readonly isEnglish: boolean
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
    const { createMcpHandler, Server: ProtocolServer, inputRequired } = await library()
    const asking = {
      caller,
      say,
      isEnglish: prefersEnglish(headers.get('accept-language')),
      requestId: c.get('requestId'),
    }
    const handler = createMcpHandler(() => serverFor(ProtocolServer, inputRequired, deps, tools, asking), {
      // No list of tools changes while it is open.
      maxSubscriptions: 0,
      maxRequestBodySize: bodyBytesMax,
      onerror: (cause) => deps.logger.info('mcp_refused', { request_id: c.get('requestId'), message: cause.message }),
    })
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

function serverFor(
  ProtocolServer: typeof Server,
  build: typeof inputRequired,
  deps: McpDeps,
  tools: AssistantTools,
  asking: Asking,
): Server {
  const { caller, say, requestId } = asking
  const server = new ProtocolServer({ name: 'wharf', version: deps.version }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({
    tools: tools.list(caller).map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: { type: 'object' as const, ...parameters },
      annotations: { readOnlyHint: !tools.changes(name), openWorldHint: false },
    })),
  }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const call = { name: params.name, arguments: params.arguments ?? {} }
    if (!tools.changes(call.name)) return resultOf(await tools.run(caller, call, requestId, say))
    const judged = await tools.judge(caller, call, [])
    if (judged.kind === 'confirm' && canAsk(context)) {
      const asked = (asking.isEnglish ? actionInEnglish : actionInChinese)(judged.proposed)
      const answer = await answerTo(deps, context, caller, call.name, judged, asked, build)
      if (answer === 'no') return resultOf({ text: asking.isEnglish ? disagreed.en : disagreed.zh, isError: true })
      if (answer === 'no_master_key') return resultOf({ text: say({ kind: 'account.no_master_key' }), isError: true })
      if (answer !== 'yes') return answer
    }
    return resultOf(await written(deps, tools, asking, call, judged))
  })
  return server
}

const disagreed = {
  zh: '使用者没有同意，什么都没有做。',
  en: 'The person who was asked did not agree, and nothing was done.',
}

function resultOf({ text, isError }: ToolOutcome) {
  return { content: [{ type: 'text' as const, text }], isError }
}

/** As with every other act of a token: without the first record nothing happens. */
async function written(
  deps: McpDeps,
  tools: AssistantTools,
  { caller, say, requestId }: Asking,
  call: Parameters<AssistantTools['run']>[1],
  judged: JudgedCall,
): Promise<ToolOutcome> {
  const command = `POST ${mcpPath} ${call.name}`
  const about = judged.kind === 'confirm' ? aboutProposed(judged.proposed, auditAboutBounds) : undefined
  const done = await writtenDown(
    deps,
    { channel: caller.kind, user: caller.id, command, requestId },
    () => tools.run(caller, call, requestId, say),
    ({ isError }) => ({ result: isError ? 'error' : 'ok', status: 200, about }),
  )
  return done.ok ? done.value : { text: say(done.failure), isError: true }
}
