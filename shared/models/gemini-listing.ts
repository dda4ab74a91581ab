import { listOf, textOf } from '../kernel/json-record.ts'
import { type ListedPage, limitOf, readListedPage } from './listed-model.ts'

export function geminiListingPath(token: string | undefined): string {
  return `/models?pageSize=1000${token === undefined ? '' : `&pageToken=${encodeURIComponent(token)}`}`
}

const served = ['generateContent', 'embedContent']

export function readGeminiListing(body: unknown): ListedPage | undefined {
  return readListedPage(
    body,
    'models',
    (entry) => {
      const id = textOf(entry['name'])?.replace(/^models\//, '')
      const operations = listOf(entry['supportedGenerationMethods'])
      if (id === undefined || !operations.some((operation) => served.includes(String(operation)))) return undefined
      return {
        id,
        name: textOf(entry['displayName']),
        createdUnix: undefined,
        contextTokens: limitOf(entry['inputTokenLimit']),
        outputTokensMax: operations.includes('generateContent') ? limitOf(entry['outputTokenLimit']) : undefined,
        takes: [],
      }
    },
    (page) => textOf(page['nextPageToken']) || undefined,
  )
}
