import { succeed } from '#shared/kernel/result.ts'
import { listBrushTasks, type WireBrushFigures, type WireBrushTask } from '../../contract/brush.ts'
import type { BrushFigures, BrushTask } from '../../ports/brush.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

export function brushRoutes({ brush }: Pick<AppDeps, 'brush'>): BoundRoute[] {
  return [bind(listBrushTasks, async () => succeed({ body: (await brush.list()).map(toWireBrushTask) }))]
}

export function toWireBrushTask(task: BrushTask): WireBrushTask {
  return {
    id: task.id,
    name: task.name,
    enabled: task.enabled,
    site: task.site,
    site_enabled: task.siteEnabled,
    downloader: task.downloader,
    active: task.active,
    downloading: task.downloading,
    active_size: task.activeBytes,
    today: toWireFigures(task.today),
    total: toWireFigures(task.total),
  }
}

function toWireFigures({ uploadedBytes, downloadedBytes, added, removed }: BrushFigures): WireBrushFigures {
  return { uploaded: uploadedBytes, downloaded: downloadedBytes, added, removed }
}
