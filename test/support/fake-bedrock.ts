// The provider of the tests: the stand-in of the sandbox, whose rules and their sources are in local/gateway/sandbox. What it
// would take can be answered by a script, and every call is kept.
import {
  type Account,
  type ApplicationProfile,
  accountIn,
  profileListing,
} from '../../local/gateway/sandbox/account.ts'
import type { ModelCard } from '../../local/gateway/sandbox/model-cards.ts'
import { type Answer, type ProviderCall, serveProvider } from '../../local/gateway/sandbox/provider-wire.ts'
import { standInAnswer } from '../../local/gateway/sandbox/stand-in.ts'

export interface FakeBedrock {
  readonly url: string
  readonly calls: ProviderCall[]
  /** Calls of one operation, in order. */
  callsOf(operation: string): readonly ProviderCall[]
  /** The next answers to calls that the provider would take, in order; after them the stand-in answers by itself. */
  next(...answers: readonly Answer[]): void
  /** What the account has; may be changed while it runs. */
  account: Account
  /** Answers the listing of profiles from these instead. */
  profiles: readonly object[] | undefined
  /** Answers the listings with this instead. */
  listing: Answer | undefined
  /** Calls of models the account may still make before it is throttled. */
  callsLeft: number
  /** Streams and calls not yet finished. */
  openCalls(): number
  close(): Promise<void>
}

export const fakeAccess = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
export const fakeBearer = 'bedrock-api-key-for-tests'

const someProfile: ApplicationProfile = {
  id: 'abc123',
  name: 'app-one',
  foundationId: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
}

/** A model of the account that no card describes: on demand, text and images in, and no rules of its own. */
export function someCard(id: string, more: Partial<ModelCard> = {}): ModelCard {
  return {
    id,
    inputs: ['TEXT', 'IMAGE'],
    output: 'TEXT',
    isOnDemand: true,
    geographies: [],
    status: 'ACTIVE',
    startOfLife: '2026-01-01T00:00:00Z',
    contextTokens: 200_000,
    outputTokensMax: 64_000,
    abilities: new Set(['tools', 'tool_choice', 'sampling', 'both_samplings', 'prefill', 'words_beside_results']),
    thinking: [],
    ...more,
  }
}

/** A signature that was given out holds everywhere, as it does with the provider. */
const issued = new Map<string, string>()

export interface FakeBedrockOptions {
  readonly port?: number
  readonly authentication?: 'signature' | 'bearer'
  readonly region?: string
}

export async function startFakeBedrock(options: FakeBedrockOptions = {}): Promise<FakeBedrock> {
  const queue: Answer[] = []
  const server = await serveProvider({
    port: options.port ?? 0,
    accepts: options.authentication === 'bearer' ? { bearer: fakeBearer } : fakeAccess,
    answer(call) {
      fake.calls.push(call)
      if (!call.target.startsWith('/model/')) {
        if (fake.listing !== undefined) return fake.listing
        const { pathname, searchParams } = new URL(call.target, 'http://provider')
        if (fake.profiles !== undefined && pathname === '/inference-profiles') {
          return profileListing(fake.profiles, searchParams)
        }
      }
      return standInAnswer(call, {
        account: () => fake.account,
        isIssued: (signature, text) => issued.get(signature) === text,
        admit: () => {
          fake.callsLeft -= 1
          return fake.callsLeft >= 0
        },
        script() {
          const answer = queue.shift()
          if (answer !== undefined) for (const [signature, text] of signaturesIn(answer)) issued.set(signature, text)
          return answer
        },
      })
    },
  })
  const fake: FakeBedrock = {
    ...server,
    calls: [],
    callsOf: (operation) => fake.calls.filter((call) => call.operation === operation),
    next: (...answers) => {
      queue.push(...answers)
    },
    account: accountIn(options.region ?? 'us-west-2', [someProfile]),
    profiles: undefined,
    listing: undefined,
    callsLeft: Number.POSITIVE_INFINITY,
  }
  return fake
}

/** The signatures a scripted answer gives out, each with its words. */
function signaturesIn(answer: Answer): readonly (readonly [string, string])[] {
  if ('json' in answer) {
    const { output } = answer.json as { output?: { message?: { content?: readonly Reasoned[] } } }
    return (output?.message?.content ?? []).flatMap(({ reasoningContent }) => {
      const { text, signature } = reasoningContent?.reasoningText ?? {}
      return signature === undefined ? [] : [[signature, text ?? ''] as const]
    })
  }
  if (!('steps' in answer)) return []
  const texts = new Map<number, string>()
  const signatures = new Map<number, string>()
  for (const step of answer.steps) {
    if (!('event' in step) || step.event !== 'contentBlockDelta') continue
    const { contentBlockIndex, delta } = step.payload as { contentBlockIndex: number; delta: ReasonedDelta }
    const { text, signature } = delta.reasoningContent ?? {}
    if (text !== undefined) texts.set(contentBlockIndex, (texts.get(contentBlockIndex) ?? '') + text)
    if (signature !== undefined) {
      signatures.set(contentBlockIndex, (signatures.get(contentBlockIndex) ?? '') + signature)
    }
  }
  return [...signatures].map(([block, signature]) => [signature, texts.get(block) ?? ''] as const)
}

interface Reasoned {
  readonly reasoningContent?: { readonly reasoningText?: { readonly text: string; readonly signature?: string } }
}

interface ReasonedDelta {
  readonly reasoningContent?: { readonly text?: string; readonly signature?: string }
}
