/** What an action of the assistant touches, with what its conversation already read of it. The sentence above it names them anew. */
import type { WireConfirmation, WireMessage } from '../../contract/assistant.ts'

export interface TouchedTorrent {
  readonly taskId: string
  readonly title: string | undefined
  readonly size: number | undefined
  readonly ratio: number | undefined
}

interface Target {
  readonly downloader_id: number
  readonly task_id: string
}

function isTarget(value: unknown): value is Target {
  if (typeof value !== 'object' || value === null) return false
  const { downloader_id, task_id } = value as Partial<Record<keyof Target, unknown>>
  return typeof downloader_id === 'number' && typeof task_id === 'string'
}

function itemsOf(content: string): readonly unknown[] {
  try {
    const { items } = JSON.parse(content) ?? {}
    return Array.isArray(items) ? items : []
  } catch {
    return []
  }
}

function keyOf({ downloader_id, task_id }: Target): string {
  return `${downloader_id} ${task_id}`
}

/** Empty where the action is none on torrents of a downloader. */
export function touchedTorrents(
  given: WireConfirmation['arguments'],
  messages: readonly WireMessage[],
): TouchedTorrent[] {
  const targets = Array.isArray(given['targets']) ? given['targets'].filter(isTarget) : []
  if (targets.length === 0) return []
  const known = new Map<string, Readonly<Record<string, unknown>>>()
  for (const { tool_name, content } of messages)
    if (tool_name === 'list_downloader_torrents')
      for (const item of itemsOf(content)) if (isTarget(item)) known.set(keyOf(item), { ...item })
  return targets.map((target) => {
    const { title, size, ratio } = known.get(keyOf(target)) ?? {}
    return {
      taskId: target.task_id,
      title: typeof title === 'string' ? title : undefined,
      size: typeof size === 'number' ? size : undefined,
      ratio: typeof ratio === 'number' ? ratio : undefined,
    }
  })
}

/** The rest of what an action was given. */
export function withoutTargets(given: WireConfirmation['arguments']): WireConfirmation['arguments'] {
  const { targets: _, ...rest } = given
  return rest
}
