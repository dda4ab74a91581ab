/** The edge says who is calling; on one's own machine every caller is this machine. */
export function callerAddress(headers: Headers): string {
  return headers.get('cf-connecting-ip') ?? 'local'
}
