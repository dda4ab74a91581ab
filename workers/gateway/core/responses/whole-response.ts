import type { JsonRecord } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { Failure } from '../failure.ts'
import type { AnswerBlock, ConverseAnswer, ConverseEvent } from '../wire/converse-answer.ts'
import type { ReasoningBlock } from '../wire/converse-request.ts'
import { ResponseEventWriter, type ResponseWriterParts } from './response-events.ts'

/** A whole answer goes the way of a streamed one, so that both give a client the same object. */
export function wholeResponse(answer: ConverseAnswer, parts: ResponseWriterParts): Result<JsonRecord, Failure> {
  const writer = new ResponseEventWriter(parts)
  const events = [
    ...answer.blocks.flatMap(eventsOf),
    { kind: 'stop', stopReason: answer.stopReason } as const,
    { kind: 'metadata', usage: answer.usage } as const,
  ]
  for (const event of events) {
    writer.accept(event)
    const failed = writer.revealedFailure()
    if (failed !== undefined) return failWith(failed)
  }
  writer.end()
  return succeed(writer.finished())
}

function eventsOf(answered: AnswerBlock, block: number): readonly ConverseEvent[] {
  const stop = { kind: 'blockStop', block } as const
  switch (answered.kind) {
    case 'text':
      return [{ kind: 'text', block, text: answered.text }, stop]
    case 'toolUse':
      return [
        { kind: 'toolStart', block, id: answered.id, name: answered.name },
        { kind: 'toolInput', block, json: JSON.stringify(answered.input) },
        stop,
      ]
    case 'reasoning':
      return [...reasoningEvents(answered.block, block), stop]
  }
}

function reasoningEvents({ reasoningContent }: ReasoningBlock, block: number): readonly ConverseEvent[] {
  if ('redactedContent' in reasoningContent) {
    return [{ kind: 'reasoningRedacted', block, data: reasoningContent.redactedContent }]
  }
  const { text, signature } = reasoningContent.reasoningText
  const signed = signature === undefined ? [] : [{ kind: 'reasoningSignature', block, signature } as const]
  return [{ kind: 'reasoningText', block, text }, ...signed]
}
