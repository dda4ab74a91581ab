import * as z from '#shared/schema/deferred.ts'
import { declareRoute } from './route.ts'

const wireBrushFigures = z
  .object({ uploaded: z.int(), downloaded: z.int(), added: z.int(), removed: z.int() })
  .meta({ id: 'BrushFigures' })
export type WireBrushFigures = z.infer<typeof wireBrushFigures>

/** What the interface and the console both show of a task. */
export const brushTaskFields = {
  id: z.int(),
  name: z.string(),
  enabled: z.boolean(),
  site: z.string(),
  site_enabled: z.boolean(),
  /** Empty while there is none. */
  downloader: z.string(),
  active: z.int(),
  downloading: z.int(),
  active_size: z.int(),
  today: wireBrushFigures,
  total: wireBrushFigures,
}

const wireBrushTask = z.object(brushTaskFields).meta({ id: 'BrushTask' })
export type WireBrushTask = z.infer<typeof wireBrushTask>

export const listBrushTasks = declareRoute('read', 'get', '/brush/tasks', {
  operationId: 'listBrushTasks',
  feature: 'brush',
  summary: 'Brush tasks and their figures',
  description:
    'Tasks that take fresh torrents for upload, with what each has in its care and what it has given today and altogether.',
  answers: { 200: z.array(wireBrushTask) },
})
