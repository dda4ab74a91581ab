/** The origin under which browsers have the console open: what their pages send along and what passkeys are bound to. */
export function publicOrigin(request: Request): string {
  return new URL(request.url).origin
}
