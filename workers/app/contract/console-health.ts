/** What the console says of the machine that the service runs on. */

import * as z from '#shared/schema/deferred.ts'
import { wireReason } from './reason.ts'
import { declareRoute, type RouteDeclaration } from './route.ts'

const wireHealth = z.object({
  /** False at the edge, where the platform has the machine. */
  own_machine: z.boolean(),
  /** By which others than this machine reach it, the best first. */
  addresses: z.array(z.string()),
  /** What is wrong with it, in Chinese, with the facts beside it. Gone when it is mended. */
  problems: z.array(z.object({ message: z.string(), reason: wireReason })),
})
export type WireHealth = z.infer<typeof wireHealth>

export const getHealth = declareRoute('session', 'get', '/health', {
  operationId: 'getHealth',
  summary: '本机状况',
  answers: { 200: wireHealth },
})

export const consoleHealthDeclarations: readonly RouteDeclaration[] = [getHealth]
