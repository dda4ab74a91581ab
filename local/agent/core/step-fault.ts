/** Why a step of a model failed: words for a person, without a key or an address. */
import { type FaultOf, type Sentences, sayBy } from '#shared/kernel/fault-words.ts'
import type { StepFaultKind } from './vocabulary.ts'

/** What the provider said of it, made harmless. */
interface Said {
  readonly said?: string | undefined
}
interface Status extends Said {
  readonly status: number
}

const withWords = (sentence: string, said: string | undefined) =>
  said === undefined ? sentence : `${sentence}: ${said}`

const sentences = {
  no_model: 'No model is configured for this session',
  no_variant: ({ model, variant, known }: { model: string; variant: string; known: readonly string[] }) =>
    `The model ${model} has no variant ${JSON.stringify(variant)}; it has: ${known.join(', ') || 'none'}`,
  /** `said`: the file, the line and what is wrong there. */
  configuration: ({ said }: { readonly said: string }) => said,
  unreachable: 'The provider cannot be reached',
  credentials: ({ status, said }: Status) => withWords(`The provider refused the credentials (${status})`, said),
  unknown_model: ({ said }: Said) => withWords('The provider does not know this model or address (404)', said),
  slow_down: ({ said }: Said) => withWords('The provider asks to slow down (429)', said),
  status: ({ status, said }: Status) => withWords(`The provider answered with status ${status}`, said),
  cut: 'The connection to the provider was cut in the middle of its answer',
  broke_off: ({ said }: { readonly said: string }) => `The provider broke off its answer: ${said}`,
  quiet: 'The provider sent nothing for too long',
  no_answer: 'The provider ended without an answer',
  answer_too_long: ({ bytes }: { readonly bytes: number }) =>
    `The answer was longer than ${bytes} bytes and was cut there`,
} satisfies Sentences & Readonly<Record<StepFaultKind, unknown>>

export type StepFault = FaultOf<typeof sentences>
export const sayStepFault = sayBy(sentences)
