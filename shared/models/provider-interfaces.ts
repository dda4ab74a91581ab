/** What whoever asks a provider of models has to know of its interface: how a key is shown, and where its models are listed. */
import { readChatListing } from './chat-listing.ts'
import { geminiListingPath, readGeminiListing } from './gemini-listing.ts'
import type { ListedPage } from './listed-model.ts'
import { messagesListingPath, readMessagesListing } from './messages-listing.ts'

export interface ProviderInterface {
  /** What every request carries. */
  headers(key: string | undefined): Readonly<Record<string, string>>
  readonly listing: {
    /** Behind the provider's address, of the first page or of one that an earlier page named. */
    path(cursor: string | undefined): string
    /** Undefined: it has not the shape of a list. */
    read(body: unknown): ListedPage | undefined
  }
}

/** The version of the messages interface that is followed. */
const messagesVersion = '2023-06-01'

export const chatInterface: ProviderInterface = {
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  listing: { path: () => '/models', read: readChatListing },
}

export const messagesInterface: ProviderInterface = {
  headers: (key) => ({ 'anthropic-version': messagesVersion, ...(key === undefined ? {} : { 'x-api-key': key }) }),
  listing: { path: messagesListingPath, read: readMessagesListing },
}

export const geminiInterface: ProviderInterface = {
  headers: (key) => (key === undefined ? {} : { 'x-goog-api-key': key }),
  listing: { path: geminiListingPath, read: readGeminiListing },
}
