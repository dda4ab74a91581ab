import { knownBrowser } from '../core/doors.ts'
import { knownBrowserSeconds, sessionSeconds } from '../limits.ts'
import type { AppDeps } from '../ports.ts'
import { readCookie, writeCookie } from './authenticate.ts'
import { callerAddress } from './caller-address.ts'

export type Visitor = Pick<Request, 'headers' | 'url'>

export interface BrowserMarks {
  /** By what the visitor's attempts are counted. */
  nameFor(visitor: Visitor): Promise<string>
  /** The cookies of a browser that has just signed in. One that is known keeps its mark, and what was counted under it. */
  signedIn(session: string, visitor: Visitor): Promise<string[]>
}

export function createBrowserMarks(deps: Pick<AppDeps, 'basedAt' | 'knownBrowsers'>): BrowserMarks {
  async function knownName(visitor: Visitor): Promise<string | undefined> {
    const mark = readCookie('browser', visitor, deps)
    return mark === undefined ? undefined : deps.knownBrowsers.nameOf(mark)
  }

  return {
    async nameFor(visitor) {
      const name = await knownName(visitor)
      return name === undefined ? callerAddress(visitor.headers) : knownBrowser(name)
    },
    async signedIn(session, visitor) {
      const mark = (await knownName(visitor)) === undefined ? await deps.knownBrowsers.mark() : undefined
      const cookies = [writeCookie('session', session, sessionSeconds, visitor.url, deps)]
      if (mark !== undefined) cookies.push(writeCookie('browser', mark, knownBrowserSeconds, visitor.url, deps))
      return cookies
    },
  }
}
