/** What a button does once it is pressed. Each is begun once: who calls this has written down that it began. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ChatAction } from '../../core/chat/chat-update.ts'
import { mayUse } from '../../core/principal.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { AuditLog } from '../../ports/audit-log.ts'
import type { BrushTasks } from '../../ports/brush.ts'
import type { Identifiers } from '../../ports/runtime.ts'
import type { SiteStore } from '../../ports/sites.ts'
import type { ListDeps, Listed } from './chat-lists.ts'

export interface ActDeps extends ListDeps {
  readonly brush: Pick<BrushTasks, 'list' | 'update'>
  readonly sites: Pick<SiteStore, 'find'>
  readonly audit: AuditLog
  readonly identifiers: Identifiers
}

interface PushAnswer {
  readonly success: boolean
  readonly skipped: boolean
  readonly downloader: string
  readonly reason?: Reason
}

interface ActionAnswer {
  readonly results: readonly { readonly success: boolean; readonly reason?: Reason }[]
}

/** What is said of it. */
export async function act(
  deps: ActDeps,
  action: Exclude<ChatAction, { kind: 'decide' }>,
): Promise<Result<Listed, Reason>> {
  const { app, caller, words } = deps
  switch (action.kind) {
    case 'push': {
      const { site, torrentId, title } = action
      const pushed = await app.ask<PushAnswer>(caller, 'POST', '/push', { site, torrent_id: torrentId, title })
      if (!pushed.ok) return pushed
      const { success, skipped, downloader, reason } = pushed.value
      if (!success && !skipped) return failWith(reason ?? { kind: 'internal' })
      return succeed({ type: 'reply.pushed', facts: { title, downloader, present: skipped } })
    }
    case 'torrent': {
      const { action: done, downloaderId, taskId, title } = action
      const changed = await app.ask<ActionAnswer>(caller, 'POST', '/torrents/actions', {
        action: done,
        targets: [{ downloader_id: downloaderId, task_id: taskId }],
      })
      if (!changed.ok) return changed
      const [result] = changed.value.results
      if (result?.success !== true) return failWith(result?.reason ?? { kind: 'internal' })
      return succeed({ type: 'reply.changed', facts: { done: words.done[done], title } })
    }
    case 'brush': {
      const switched = await switchBrush(deps, action.taskId, action.on)
      if (!switched.ok) return switched
      return succeed({
        type: 'reply.changed',
        facts: { done: words.done[action.on ? 'on' : 'off'], title: switched.value },
      })
    }
  }
}

/** No endpoint of the interface does it, so that it is judged and written down here. Gives back the task's name. */
async function switchBrush(deps: ActDeps, taskId: number, on: boolean): Promise<Result<string, Reason>> {
  const { audit, caller } = deps
  let entry: number
  try {
    entry = await audit.begin({
      channel: caller.kind,
      user: caller.id,
      command: `brush ${taskId} ${on ? 'on' : 'off'}`,
      requestId: deps.identifiers.next(),
    })
  } catch {
    return failWith({ kind: 'audit_unavailable' })
  }
  const switched = await (mayUse(caller, 'app:write')
    ? update(deps, taskId, on)
    : failWith({ kind: 'chat.not_allowed' } as const))
  await audit.finish(
    entry,
    switched.ok
      ? { result: 'ok', status: 200, latencyMs: 0 }
      : { result: 'error', status: 409, latencyMs: 0, reason: switched.failure },
  )
  return switched
}

async function update({ brush, sites }: ActDeps, taskId: number, on: boolean): Promise<Result<string, Reason>> {
  const task = (await brush.list()).find(({ id }) => id === taskId)
  if (task === undefined) return failWith({ kind: 'none', what: 'brush_task' })
  const site = await sites.find(task.site)
  if (site === undefined) return failWith({ kind: 'none', what: 'site' })
  const { name, downloaderId, everyMinutes, rules } = task
  const changed = await brush.update(taskId, {
    name,
    enabled: on,
    siteId: site.record.id,
    downloaderId,
    everyMinutes,
    rules,
  })
  return changed.ok ? succeed(name) : failWith({ kind: 'none', what: 'brush_task' })
}
