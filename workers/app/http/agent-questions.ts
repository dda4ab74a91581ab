/**
 * A yes of whoever sits at an agent's program, before a tool changes something (the protocol's elicitation). Nothing is kept
 * between the question and its answer: what was asked, of whom and until when goes along sealed, and comes back with it.
 */
import type {
  ClientCapabilities,
  InputRequiredResult,
  InputRequiredSpec,
  ServerContext,
} from '@modelcontextprotocol/server'
import type { Clock } from '#shared/kernel/clock.ts'
import type { Principal } from '../core/principal.ts'
import { confirmationMs } from '../limits.ts'
import type { JudgedCall } from '../ports/assistant.ts'
import type { SecretBox } from '../ports/secrets.ts'

export interface QuestionDeps {
  readonly secrets: SecretBox
  readonly clock: Clock
}

export type Answered = 'yes' | 'no' | 'no_master_key' | InputRequiredResult

type ConfirmedCall = Extract<JudgedCall, { readonly kind: 'confirm' }>

const questionKey = 'confirm'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

/** Said with every request of the revision without a handshake, which alone can be asked without a session. */
export function canAsk({ mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as { readonly [capabilitiesKey]?: ClientCapabilities } | undefined
  const elicitation = envelope?.[capabilitiesKey]?.elicitation
  // One that names no way of asking has forms.
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

/** `asked` is the question as it stands now: an answer to another one, of another token, or to an old one asks again. */
export async function answerTo(
  { secrets, clock }: QuestionDeps,
  context: ServerContext,
  caller: Principal,
  name: string,
  { arguments: given }: ConfirmedCall,
  asked: string,
  build: (spec: InputRequiredSpec) => InputRequiredResult,
): Promise<Answered> {
  if ((await secrets.state()) !== 'ready') return 'no_master_key'
  const place = `agent question ${caller.kind} ${caller.id}`
  const question = JSON.stringify([name, given, asked])
  const nowMs = clock.nowMs()
  const state = context.mcpReq.requestState<unknown>()
  const opened = typeof state === 'string' ? await secrets.open(state, place) : undefined
  const [until = 0, before] = opened?.ok ? (JSON.parse(opened.value) as [number, string]) : []
  const answer = context.mcpReq.inputResponses?.[questionKey] as { readonly action?: unknown } | undefined
  if (before === question && nowMs < until && answer !== undefined) return answer.action === 'accept' ? 'yes' : 'no'
  return build({
    inputRequests: {
      // Yes or no is all there is to say: the fields of the form are none.
      [questionKey]: {
        method: 'elicitation/create',
        params: { mode: 'form', message: asked, requestedSchema: { type: 'object', properties: {} } },
      },
    },
    requestState: await secrets.seal(JSON.stringify([nowMs + confirmationMs, question]), place),
  })
}
