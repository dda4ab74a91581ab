import { numberOf, recordOf, textOf } from '../../json-record.ts'
import { type ListedPage, limitOf, modalitiesOf, readListedPage } from '../listed-model.ts'

/** The reference tells names only; servers of open models and routers tell limits, each in words of its own. */
export function readChatListing(body: unknown): ListedPage | undefined {
  return readListedPage(
    body,
    'data',
    (entry) => {
      const id = textOf(entry['id'])
      if (id === undefined) return undefined
      return {
        id,
        createdUnix: numberOf(entry['created']),
        contextTokens: limitOf(entry['context_length']) ?? limitOf(entry['max_model_len']),
        outputTokensMax: limitOf(recordOf(entry['top_provider'])?.['max_completion_tokens']),
        takes: modalitiesOf(recordOf(entry['architecture'])?.['input_modalities']),
      }
    },
    () => undefined,
  )
}
