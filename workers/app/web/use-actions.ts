import { type Actions as ActionsOf, actionsOf } from '#shared/pages/use-actions.ts'
import type { ApiFailure } from './api/call.ts'

export type Actions<T = unknown> = ActionsOf<ApiFailure, T>
export const useActions = actionsOf<ApiFailure>()
