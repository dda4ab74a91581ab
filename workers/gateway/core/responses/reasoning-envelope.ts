import { listOf, parseJson, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { base64UrlFromBytes, bytesFromBase64Url } from '../base64.ts'
import { type Failure, failure } from '../failure.ts'
import { readReasoningBlock } from '../wire/converse-answer.ts'
import type { ReasoningBlock } from '../wire/converse-request.ts'

const prefix = 'bedrock-reasoning-v1:'
const encoder = new TextEncoder()

/**
 * Reasoning in the form a client sends back next turn. It is not sealed: what matters in it the provider has signed
 * itself, and judges again.
 */
export function envelopeOf(modelId: string, blocks: readonly ReasoningBlock[]): string {
  return prefix + base64UrlFromBytes(encoder.encode(JSON.stringify({ version: 1, model: modelId, blocks })))
}

/** The blocks to put back. Reasoning of another model, or of another maker, is worth nothing here and left out. */
export function openEnvelope(text: string, modelId: string): Result<readonly ReasoningBlock[], Failure> {
  if (!text.startsWith(prefix)) return succeed([])
  const bytes = bytesFromBase64Url(text.slice(prefix.length))
  const envelope = bytes === undefined ? undefined : recordOf(parseJson(new TextDecoder().decode(bytes)))
  if (envelope?.['version'] !== 1 || textOf(envelope['model']) === undefined) return failWith(malformed())
  if (envelope['model'] !== modelId) return succeed([])
  const blocks: ReasoningBlock[] = []
  for (const block of listOf(envelope['blocks'])) {
    const reasoning = recordOf(recordOf(block)?.['reasoningContent'])
    const read = reasoning === undefined ? undefined : readReasoningBlock(reasoning)
    if (read === undefined) return failWith(malformed())
    blocks.push(read)
  }
  return succeed(blocks)
}

function malformed(): Failure {
  return failure('bad_request', 'the encrypted_content of a reasoning item is malformed', { param: 'input' })
}
