import { type JsonRecord, numberOf, recordOf } from '#shared/kernel/json-record.ts'
import { messagesListingPath, readMessagesListing } from '#shared/models/messages-listing.ts'
import type { ProviderDialect } from '../provider-dialect.ts'
import { countBody, messagesBody } from './messages-body.ts'
import { MessageEventReader, readMessage } from './messages-reading.ts'
import { messagesRefusal } from './messages-refusal.ts'

/** The version of the interface that this translation follows. */
const interfaceVersion = '2023-06-01'

/** The messages dialect: Anthropic, and servers that follow it. */
export const messagesDialect: ProviderDialect = {
  headers: (key) => ({ 'anthropic-version': interfaceVersion, ...(key === undefined ? {} : { 'x-api-key': key }) }),
  asked: messagesBody,
  readAnswer: (body: unknown) => readMessage(body),
  reading: (provider) => new MessageEventReader(provider),
  refusal: messagesRefusal,
  paths: { messages: '/messages', count_tokens: '/messages/count_tokens' },
  listing: { path: messagesListingPath, read: readMessagesListing },
  counting: {
    asked: countBody,
    read: (body: unknown) => numberOf((recordOf(body) ?? ({} as JsonRecord))['input_tokens']),
  },
}
