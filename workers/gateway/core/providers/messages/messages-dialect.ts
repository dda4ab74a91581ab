import { type JsonRecord, numberOf, recordOf } from '#shared/kernel/json-record.ts'
import { messagesInterface } from '#shared/models/provider-interfaces.ts'
import type { ProviderDialect } from '../provider-dialect.ts'
import { countBody, messagesBody } from './messages-body.ts'
import { MessageEventReader, readMessage } from './messages-reading.ts'
import { messagesRefusal } from './messages-refusal.ts'

/** The messages dialect: Anthropic, and servers that follow it. */
export const messagesDialect: ProviderDialect = {
  ...messagesInterface,
  asked: messagesBody,
  readAnswer: (body: unknown) => readMessage(body),
  reading: (provider) => new MessageEventReader(provider),
  refusal: messagesRefusal,
  paths: { messages: '/messages', count_tokens: '/messages/count_tokens' },
  counting: {
    asked: countBody,
    read: (body: unknown) => numberOf((recordOf(body) ?? ({} as JsonRecord))['input_tokens']),
  },
}
