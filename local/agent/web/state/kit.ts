/** The kit of actions and forms, with how this page's requests fail. Nothing is asked before what was typed is left. */
import { actionsOf } from '#shared/pages/use-actions.ts'
import { formsOf } from '#shared/pages/use-form.ts'
import type { ApiFailure } from '../api/ask.ts'

export const useActions = actionsOf<ApiFailure>()
export const { useForm } = formsOf<ApiFailure>({ wrongIn: () => undefined })
