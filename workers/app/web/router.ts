/** The address behind `#` as a signal. */
import { signal } from '@preact/signals'
import { createAddress } from '#shared/pages/address.ts'
import { basePath } from './home.ts'
import { parseRoute, type Route } from './model/hash-route.ts'

/** The one-time set-up code lives here and not in the address bar, where history and shoulders would see it. */
export const setupCode = signal<string | undefined>(undefined)

// What this page is opened with as the handler of magnet links, or as what a text is shared with.
const brought = new URLSearchParams(location.search).getAll('add')
if (brought.length > 0)
  history.replaceState(null, '', `${basePath}/#/torrents?add=${encodeURIComponent(brought.join('\n'))}`)

function readRoute(hash: string): Route {
  const next = parseRoute(hash)
  if (next.name !== 'setup' || next.code === undefined) return next
  setupCode.value = next.code
  history.replaceState(null, '', '#/setup')
  return { name: 'setup' }
}

const address = createAddress<Route>(readRoute)
export const [route, , replaceAddress] = address
const [, follow, , readAddress] = address

/** Who is asked before the place is left, and which place that is; the last of them where there are several. */
const guards = new Set<{ readonly hash: string; readonly ask: (wanted: string) => void }>()

/** From now on, until it is released, whoever wants to leave this place is told of to `ask` and stays. */
export function guardAddress(ask: (wanted: string) => void): () => void {
  const mine = { hash: location.hash, ask }
  guards.add(mine)
  return () => {
    guards.delete(mine)
  }
}

/** Nobody is asked any more. */
export function releaseAddress(): void {
  guards.clear()
}

export function goTo(hash: string): void {
  const guard = [...guards].at(-1)
  if (guard === undefined || hash === guard.hash) follow(hash)
  else guard.ask(hash)
}

window.addEventListener('hashchange', () => {
  const wanted = location.hash
  const guard = [...guards].at(-1)
  if (guard === undefined || wanted === guard.hash) return readAddress()
  // The browser has gone there already; the screen has not.
  history.pushState(null, '', guard.hash)
  guard.ask(wanted)
})
