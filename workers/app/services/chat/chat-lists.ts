/** Answers that are lists: rows with a number each, and a button for what may be done with a row. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { WireDownloader } from '../../contract/downloaders.ts'
import type { WireSearchItem } from '../../contract/search.ts'
import type { WireSite } from '../../contract/sites.ts'
import type { WireTorrentPage } from '../../contract/torrents.ts'
import type { ChatAction } from '../../core/chat/chat-update.ts'
import type { chatWords } from '../../core/chat/words.ts'
import { type EventFacts, readableBytes } from '../../core/event-values.ts'
import type { Principal } from '../../core/principal.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { OwnerLanguage, TemplateType } from '../../core/vocabulary.ts'
import { chatRowsMax } from '../../limits.ts'
import type { BrushTasks } from '../../ports/brush.ts'
import type { ChatApp } from '../../ports/chats.ts'

/** What a template says of it, and the buttons below. */
export interface Listed {
  readonly type: Extract<TemplateType, `reply.${string}`>
  readonly facts: EventFacts
  readonly buttons?: readonly { readonly label: string; readonly action: ChatAction }[]
}

type Words = (typeof chatWords)[OwnerLanguage]

export interface ListDeps {
  readonly app: ChatApp
  readonly caller: Principal
  readonly words: Words
}

export async function statusReply({ app, caller }: ListDeps, version: string): Promise<Result<Listed, Reason>> {
  const sites = await app.ask<{ items: readonly WireSite[] }>(caller, 'GET', '/sites')
  if (!sites.ok) return sites
  const downloaders = await app.ask<{ items: readonly WireDownloader[] }>(caller, 'GET', '/downloaders')
  if (!downloaders.ok) return downloaders
  const { items } = downloaders.value
  const speed = (key: 'upload_speed' | 'download_speed') =>
    `${readableBytes(items.reduce((sum, one) => sum + one[key], 0))}/s`
  return succeed({
    type: 'reply.status',
    facts: {
      version,
      sites: sites.value.items.filter(({ enabled }) => enabled).length,
      downloaders: items.length,
      upload_text: speed('upload_speed'),
      download_text: speed('download_speed'),
    },
  })
}

export async function sitesReply({ app, caller }: ListDeps): Promise<Result<Listed, Reason>> {
  const sites = await app.ask<{ items: readonly WireSite[] }>(caller, 'GET', '/sites')
  if (!sites.ok) return sites
  const items = sites.value.items.flatMap(({ enabled, display_name: site, user }) =>
    enabled && user !== undefined
      ? [{ site, ratio: Math.round(user.ratio * 100) / 100, uploaded_text: readableBytes(user.uploaded) }]
      : [],
  )
  return succeed({ type: 'reply.sites', facts: { items } })
}

const still = new Set(['paused', 'stopped'])

/** `wanted`: those alone that can be paused, or resumed. Without `mayChange` there are no buttons. */
export async function torrentsReply(
  { app, caller, words }: ListDeps,
  q: string,
  wanted: 'all' | 'pause' | 'resume',
  mayChange: boolean,
): Promise<Result<Listed, Reason>> {
  const query = new URLSearchParams({ page_size: '100', sort: 'added_at', order: 'desc', ...(q === '' ? {} : { q }) })
  const page = await app.ask<WireTorrentPage>(caller, 'GET', `/torrents?${query}`)
  if (!page.ok) return page
  const actionOf = (state: string) => (still.has(state) ? 'resume' : 'pause')
  const fitting = page.value.items.filter(({ state }) => wanted === 'all' || actionOf(state) === wanted)
  const shown = fitting.slice(0, chatRowsMax)
  return succeed({
    type: 'reply.torrents',
    facts: {
      total: wanted === 'all' ? page.value.total : fitting.length,
      items: shown.map(({ title, progress, downloader }, at) => ({
        number: at + 1,
        title,
        progress: Math.round(progress * 10) / 10,
        downloader,
      })),
    },
    ...(mayChange
      ? {
          buttons: shown.map(({ state, downloader_id: downloaderId, task_id: taskId, title }, at) => {
            const action = actionOf(state)
            return { label: words[action](at + 1), action: { kind: 'torrent', action, downloaderId, taskId, title } }
          }),
        }
      : {}),
  })
}

interface SearchAnswer {
  readonly items: readonly WireSearchItem[]
  readonly total: number
  readonly errors: readonly unknown[]
}

export async function searchReply(
  { app, caller, words }: ListDeps,
  keyword: string,
  mayPush: boolean,
): Promise<Result<Listed, Reason>> {
  if (keyword === '') return failWith({ kind: 'chat.no_words' })
  const found = await app.ask<SearchAnswer>(caller, 'POST', '/search', { keyword })
  if (!found.ok) return found
  const { items, total, errors } = found.value
  const shown = items.slice(0, chatRowsMax)
  return succeed({
    type: 'reply.search',
    facts: {
      words: keyword,
      total,
      failed: errors.length,
      items: shown.map(({ site, title, size, seeders, free, has_hr }, at) => ({
        number: at + 1,
        site,
        title,
        size_text: readableBytes(size),
        seeders,
        free,
        has_hr,
      })),
    },
    ...(mayPush
      ? {
          buttons: shown.map(({ site, torrent_id: torrentId, title }, at) => ({
            label: words.push(at + 1),
            action: { kind: 'push', site, torrentId, title },
          })),
        }
      : {}),
  })
}

export async function brushReply(
  { words }: ListDeps,
  brush: Pick<BrushTasks, 'list'>,
  maySwitch: boolean,
): Promise<Result<Listed, Reason>> {
  const shown = (await brush.list()).slice(0, chatRowsMax)
  return succeed({
    type: 'reply.brush',
    facts: {
      items: shown.map(({ name: task, site, enabled, active }, at) => ({
        number: at + 1,
        task,
        site,
        enabled,
        active,
      })),
    },
    ...(maySwitch
      ? {
          buttons: shown.map(({ id: taskId, name: title, enabled }, at) => ({
            label: enabled ? words.switchOff(at + 1) : words.switchOn(at + 1),
            action: { kind: 'brush', taskId, on: !enabled, title },
          })),
        }
      : {}),
  })
}
