import {
  embeddingAnswer,
  foundationModels,
  type Listings,
  listingAnswer,
  messageAnswer,
  textSteps,
  unknownOperation,
} from '../../local/gateway/sandbox/provider-shapes.ts'
import { type Answer, type ProviderCall, serveProvider } from '../../local/gateway/sandbox/provider-wire.ts'

/** The provider of the tests: on the sandbox's wire, but every answer can be scripted and every call is kept. */
export interface FakeBedrock {
  readonly url: string
  readonly calls: ProviderCall[]
  /** Calls of one operation, in order. */
  callsOf(operation: string): readonly ProviderCall[]
  /** The next answers, in order; after them the stand-in answers by itself. */
  next(...answers: readonly Answer[]): void
  models: Listings['models']
  profiles: Listings['profiles']
  /** Answers the listings with this instead. */
  listing: Answer | undefined
  /** Streams and calls not yet finished. */
  openCalls(): number
  close(): Promise<void>
}

export const fakeAccess = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
export const fakeBearer = 'bedrock-api-key-for-tests'

export function profile(id: string, foundationId: string, more: object = {}): object {
  return {
    inferenceProfileName: id,
    inferenceProfileId: id,
    inferenceProfileArn: `arn:aws:bedrock:us-west-2:123456789012:inference-profile/${id}`,
    models: [{ modelArn: `arn:aws:bedrock:us-west-2::foundation-model/${foundationId}` }],
    status: 'ACTIVE',
    type: 'SYSTEM_DEFINED',
    ...more,
  }
}

const someProfiles = [
  profile('us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic.claude-sonnet-4-5-20250929-v1:0'),
  profile('app-one', 'anthropic.claude-sonnet-4-5-20250929-v1:0', {
    type: 'APPLICATION',
    inferenceProfileArn: 'arn:aws:bedrock:us-west-2:123456789012:application-inference-profile/abc123',
  }),
]

export interface FakeBedrockOptions {
  readonly port?: number
  readonly authentication?: 'signature' | 'bearer'
}

export async function startFakeBedrock(options: FakeBedrockOptions = {}): Promise<FakeBedrock> {
  const queue: Answer[] = []
  const server = await serveProvider({
    port: options.port ?? 0,
    accepts: options.authentication === 'bearer' ? { bearer: fakeBearer } : fakeAccess,
    answer(call) {
      fake.calls.push(call)
      if (call.target.startsWith('/model/')) return queue.shift() ?? ownAnswer(call)
      return fake.listing ?? listingAnswer(call.target, fake) ?? unknownOperation
    },
  })
  const fake: FakeBedrock = {
    ...server,
    calls: [],
    callsOf: (operation) => fake.calls.filter((call) => call.operation === operation),
    next: (...answers) => {
      queue.push(...answers)
    },
    models: foundationModels,
    profiles: someProfiles,
    listing: undefined,
  }
  return fake
}

/** Without a script the stand-in says back what it was told. */
function ownAnswer(call: ProviderCall): Answer {
  if (call.operation === 'converse') return messageAnswer([{ text: echoOf(call) }])
  if (call.operation === 'converse-stream') return { steps: textSteps(echoOf(call).match(/\S+\s*/g) ?? ['']) }
  if (call.operation === 'invoke') return embeddingAnswer(call.modelId, call.body, someVector)
  return unknownOperation
}

function echoOf(call: ProviderCall): string {
  const turns = Array.isArray(call.body['messages']) ? call.body['messages'] : []
  const content: unknown[] = turns.at(-1)?.content ?? []
  const texts = content.flatMap((block) =>
    typeof block === 'object' && block !== null && 'text' in block ? [String(block.text)] : [],
  )
  return `You said: ${texts.join(' ')}`
}

const someVector = (_: string, size: number) => Array.from({ length: size }, (_, index) => (index % 8) / 8)
