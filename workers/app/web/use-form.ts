/** Forms of the console: what the server says of a field stands below it, and what is not stored is asked for. */
import { type Form as FormOf, formsOf, type Trial as TrialOf } from '#shared/pages/use-form.ts'
import type { ApiFailure } from './api/call.ts'
import { reasonSentence } from './locales/words.ts'
import { refusedField } from './model/reasons.ts'
import { guardAddress } from './router.ts'

export type Form<V extends object> = FormOf<V, ApiFailure>
export type Trial<R> = TrialOf<R, ApiFailure>

export const { useForm, useTrial } = formsOf<ApiFailure>({
  guard: guardAddress,
  wrongIn: ({ reason }, field) =>
    reason !== undefined && refusedField(reason) === field ? reasonSentence(reason) : undefined,
})
