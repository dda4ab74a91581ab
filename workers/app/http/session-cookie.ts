import { sessionSeconds } from '../limits.ts'
import { sessionCookieName } from './authenticate.ts'

/** Signs the browser in. */
export function sessionHeaders(cookie: string, isHttps: boolean): Record<string, string> {
  return { 'set-cookie': setCookie(cookie, sessionSeconds, isHttps) }
}

/** Has the browser forget its session. */
export function noSessionHeaders(isHttps: boolean): Record<string, string> {
  return { 'set-cookie': setCookie('', 0, isHttps) }
}

function setCookie(value: string, maxAgeSeconds: number, isHttps: boolean): string {
  const name = isHttps ? sessionCookieName.secure : sessionCookieName.plain
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${isHttps ? '; Secure' : ''}`
}
