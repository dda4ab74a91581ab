/** The console's endpoints for torrents that move from one downloader to another. */
import * as z from '#shared/schema/deferred.ts'
import { transferStates } from '../core/transfers/transfer.ts'
import { savePathBytesMax, transferTargetsMax } from '../limits.ts'
import { wholeNumber } from './paging.ts'
import { withReason } from './reason.ts'
import { declareRoute, emptyBody, type RouteDeclaration } from './route.ts'

/** Without the slash at its end. */
const folder = z
  .string()
  .trim()
  .refine((path) => new TextEncoder().encode(path).length <= savePathBytesMax)
  .transform((path) => path.replace(/\/+$/, ''))

const transferBody = z.strictObject({
  from: z.int().min(1),
  to: z.int().min(1),
  task_ids: z
    .array(z.string().regex(/^[0-9a-f]{40}$/))
    .min(1)
    .max(transferTargetsMax),
  /** The same folder as each of the two calls it; left out where both call it the same. */
  folder: z.strictObject({ from: folder.pipe(z.string().min(1)), to: folder.pipe(z.string().min(1)) }).optional(),
})
export type TransferBody = z.input<typeof transferBody>

const wireTransfer = z.object({
  id: z.int(),
  /** Empty once it is gone. */
  from: z.string(),
  to: z.string(),
  info_hash: z.string(),
  title: z.string(),
  size: z.int(),
  state: z.enum(transferStates),
  /** Somebody stopped it, and it is about to end. */
  stopping: z.boolean(),
  created_at: z.int(),
  since: z.int(),
  error: z.string().optional(),
  ...withReason,
})
export type WireTransfer = z.infer<typeof wireTransfer>

/** Those under way first, then the newest. */
export const listTransfers = declareRoute('session', 'get', '/transfers', {
  operationId: 'listTransfers',
  summary: '在下载器之间转移的种子',
  answers: { 200: z.object({ items: z.array(wireTransfer) }) },
})

/**
 * Files stay where they are: the other downloader gets the torrent paused and checks it; only when all of it is there it
 * takes over, and this one forgets it.
 */
export const beginTransfers = declareRoute('session', 'post', '/transfers', {
  operationId: 'beginTransfers',
  summary: '把种子转移到另一个下载器，数据留在原处',
  body: transferBody,
  answers: { 200: z.object({ begun: z.int() }) },
  failures: ['upstream'],
})

export const stopTransfer = declareRoute('session', 'post', '/transfers/{id}/stop', {
  operationId: 'stopTransfer',
  summary: '停止转移，种子留在原处',
  params: z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) }),
  body: emptyBody,
  answers: { 200: z.object({ ok: z.literal(true) }) },
})

export const consoleTransferDeclarations: readonly RouteDeclaration[] = [listTransfers, beginTransfers, stopTransfer]
