import { createHmac } from 'node:crypto'

/** No secret: it only has to tell what the stand-in said from what somebody made up or changed. */
const key = 'reasoning of the stand-in'

/** The signature under which a model's reasoning may come back. It holds for that model and these words alone. */
export function reasoningSignature(foundationId: string, text: string): string {
  return createHmac('sha256', key).update(`${foundationId}\n${text}`).digest('base64')
}
