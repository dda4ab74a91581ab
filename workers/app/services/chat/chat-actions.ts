/** What a button does once it is pressed. Each is begun once: who calls this has written down that it began. */
import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { auditAbout } from '../../core/audit-about.ts'
import type { ChatAction } from '../../core/chat/chat-update.ts'
import { mayUse } from '../../core/principal.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { auditAboutBounds } from '../../limits.ts'
import type { AuditLog } from '../../ports/audit-log.ts'
import type { BrushTasks } from '../../ports/brush.ts'
import type { Identifiers, Logger } from '../../ports/runtime.ts'
import type { SiteStore } from '../../ports/sites.ts'
import { writtenDown } from '../written-down.ts'
import type { ListDeps, Listed } from './chat-lists.ts'

export interface ActDeps extends ListDeps {
  readonly brush: Pick<BrushTasks, 'list' | 'update'>
  readonly sites: Pick<SiteStore, 'find'>
  readonly audit: AuditLog
  readonly identifiers: Identifiers
  readonly clock: Clock
  readonly logger: Logger
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
  const { caller } = deps
  const command = `brush ${taskId} ${on ? 'on' : 'off'}`
  const switched = await writtenDown(
    deps,
    { channel: caller.kind, user: caller.id, command, requestId: deps.identifiers.next() },
    () =>
      mayUse(caller, 'app:write')
        ? update(deps, taskId, on)
        : Promise.resolve(failWith<Reason>({ kind: 'chat.not_allowed' })),
    (outcome) =>
      outcome.ok
        ? { result: 'ok', status: 200, about: auditAbout({ names: [outcome.value] }, auditAboutBounds) }
        : { result: 'error', status: 409, reason: outcome.failure },
  )
  return switched.ok ? switched.value : switched
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
