import { actionsOf } from '#shared/pages/use-actions.ts'
import type { ApiFailure } from '../api/ask.ts'

export const useActions = actionsOf<ApiFailure>()
