/** The origin under which browsers have the console open: what their pages send along and what passkeys are bound to. */
export function publicOrigin(request: Request, publicOrigins: readonly string[]): string {
  const told = request.headers.get('origin')
  return told !== null && publicOrigins.includes(told) ? told : new URL(request.url).origin
}
