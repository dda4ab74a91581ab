/** One event of a server-sent stream. The data must not hold line breaks, which JSON never does. */
export function eventFrame(event: string, data: string, id?: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`
}

/** An event without a name. */
export function dataFrame(data: string): string {
  return `data: ${data}\n\n`
}

/** Clients skip comments; they keep silent streams open. */
export function commentFrame(text: string): string {
  return `: ${text}\n\n`
}
