import { actionsOf } from '#shared/pages/use-actions.ts'
import type { ApiFailure } from './client.ts'

export const useActions = actionsOf<ApiFailure>()
