import { recordOf, textOf } from '../kernel/json-record.ts'
import { type ListedPage, limitOf, readListedPage } from './listed-model.ts'

export function messagesListingPath(after: string | undefined): string {
  return `/models?limit=1000${after === undefined ? '' : `&after_id=${encodeURIComponent(after)}`}`
}

function secondsOf(moment: string | undefined): number | undefined {
  const ms = Date.parse(moment ?? '')
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1_000)
}

export function readMessagesListing(body: unknown): ListedPage | undefined {
  return readListedPage(
    body,
    'data',
    (entry) => {
      const id = textOf(entry['id'])
      // A retired model is listed, and answers nothing.
      if (id === undefined || entry['lifecycle'] === 'retired') return undefined
      const abilities = recordOf(entry['capabilities'])
      const has = (name: string) => recordOf(abilities?.[name])?.['supported'] === true
      return {
        id,
        name: textOf(entry['display_name']),
        createdUnix: secondsOf(textOf(entry['created_at'])),
        contextTokens: limitOf(entry['max_input_tokens']),
        outputTokensMax: limitOf(entry['max_tokens']),
        takes:
          abilities === undefined
            ? []
            : ['text', ...(has('image_input') ? ['image'] : []), ...(has('pdf_input') ? ['pdf'] : [])],
      }
    },
    (page) => (page['has_more'] === true ? textOf(page['last_id']) : undefined),
  )
}
