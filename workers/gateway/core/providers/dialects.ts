import { chatDialect } from './chat/chat-dialect.ts'
import { geminiDialect } from './gemini/gemini-dialect.ts'
import { messagesDialect } from './messages/messages-dialect.ts'
import type { DialectName, ProviderDialect } from './provider-dialect.ts'

export const dialects: Readonly<Record<DialectName, ProviderDialect>> = {
  chat: chatDialect,
  messages: messagesDialect,
  gemini: geminiDialect,
}
