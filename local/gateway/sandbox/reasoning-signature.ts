import { createHmac } from 'node:crypto'

// The real service signs with a key of its own, and nothing of how it does is published. What follows from the one source
// there is, `ReasoningTextBlock` of the service model `bedrock-runtime` (API 2023-09-30), is that the signature has to come
// back unchanged. This one is the stand-in's invention, as strict: it holds for these words of this model and no others.

/** No secret: it only has to tell what the stand-in said from what somebody made up or changed. */
const key = 'reasoning of the stand-in'

/** The signature under which a model's reasoning may come back. It holds for that model and these words alone. */
export function reasoningSignature(foundationId: string, text: string): string {
  return createHmac('sha256', key).update(`${foundationId}\n${text}`).digest('base64')
}
