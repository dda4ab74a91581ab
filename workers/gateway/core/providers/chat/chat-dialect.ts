import { failWith, succeed } from '#shared/kernel/result.ts'
import { chatInterface } from '#shared/models/provider-interfaces.ts'
import { failure } from '../../failure.ts'
import type { ProviderDialect } from '../provider-dialect.ts'
import { chatBody } from './chat-body.ts'
import { chatEmbeddingTokens } from './chat-embedding.ts'
import { ChatChunkReader, readChatAnswer } from './chat-reading.ts'
import { chatRefusal } from './chat-refusal.ts'

/** The reference's chat dialect: OpenAI, and servers that follow it. */
export const chatDialect: ProviderDialect = {
  ...chatInterface,
  asked({ model, request, isStream, maxTokensName }) {
    const body = chatBody(model, request, maxTokensName)
    if (!body.ok) return body
    const streaming = isStream ? { stream: true, stream_options: { include_usage: true } } : {}
    return succeed({ path: '/chat/completions', body: { ...body.value, ...streaming } })
  },
  readAnswer: readChatAnswer,
  reading(provider) {
    const reader = new ChatChunkReader()
    return {
      read(data) {
        const events = reader.read(data)
        return events === undefined
          ? failWith(failure('upstream_error', `${provider}: an answer that cannot be read`))
          : succeed(events)
      },
      end: () => reader.end(),
      isWhole: () => reader.isWhole(),
    }
  },
  refusal: (provider, status, text, header) => chatRefusal(provider, status, text, header('retry-after')),
  paths: { chat: '/chat/completions' },
  embedding: { family: 'chat', path: () => '/embeddings', tokens: chatEmbeddingTokens },
}
