import { createOpenAI } from '@ai-sdk/openai'
import { OpenAIEmbeddings } from '@langchain/openai'
import { embedMany } from 'ai'
import { baseURL, clientKey } from './client.ts'
import { openaiOver } from './openai-clients.ts'

/** How each library embeds texts, all at once. */
type Embed = (model: string, texts: string[], fetch: typeof globalThis.fetch) => Promise<readonly (readonly number[])[]>

export const embeddingClients: Readonly<Record<string, Embed>> = {
  async openai(model, input, fetch) {
    const { data } = await openaiOver(fetch).embeddings.create({ model, input })
    return data.map(({ embedding }) => embedding)
  },
  async ai(model, values, fetch) {
    const client = createOpenAI({ apiKey: clientKey, baseURL, fetch })
    return (await embedMany({ model: client.embeddingModel(model), values, maxRetries: 0 })).embeddings
  },
  '@langchain/openai': (model, texts, fetch) =>
    new OpenAIEmbeddings({ model, apiKey: clientKey, maxRetries: 0, configuration: { baseURL, fetch } }).embedDocuments(
      texts,
    ),
}
