/** One server-sent event as text. `data` is JSON, so it holds no line break of its own. */
export function sseFrame(frame: { readonly event?: string; readonly id?: string; readonly data: string }): string {
  const event = frame.event === undefined ? '' : `event: ${frame.event}\n`
  const id = frame.id === undefined ? '' : `id: ${frame.id}\n`
  return `${event}${id}data: ${frame.data}\n\n`
}

export function eventFrame(event: string, data: string): string {
  return sseFrame({ event, data })
}

/** An event without a name. */
export function dataFrame(data: string): string {
  return sseFrame({ data })
}

/** Clients skip comments; they keep proxies and readers from taking a quiet stream for a dead one. */
export function commentFrame(text: string): string {
  return `: ${text}\n\n`
}
