/** Whether a browser may be sent to an address that a server names: a page, over a connection that nobody else reads. */
export function openablePageOf(text: string): URL | undefined {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return undefined
  const isOpenable = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
  return isOpenable ? url : undefined
}

export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
