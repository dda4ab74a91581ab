/** The address behind `#` as a signal. */
import { signal } from '@preact/signals'
import { parseRoute, type Route } from './model/hash-route.ts'

export const route = signal<Route>(parseRoute(location.hash))
/** The one-time set-up code lives here and not in the address bar, where history and shoulders would see it. */
export const setupCode = signal<string | undefined>(undefined)

let lastRead: string | undefined

function readAddress(): void {
  if (location.hash === lastRead) return
  lastRead = location.hash
  const next = parseRoute(location.hash)
  if (next.name === 'setup' && next.code !== undefined) {
    setupCode.value = next.code
    history.replaceState(null, '', '#/setup')
    lastRead = location.hash
    route.value = { name: 'setup' }
    return
  }
  route.value = next
}

/** The route follows at once: the browser tells of a new address only later, and what runs until then must not see the old one. */
export function goTo(hash: string): void {
  location.hash = hash
  readAddress()
}

/** For filters typed letter by letter: one step Back leaves the list, not one letter. */
export function replaceAddress(hash: string): void {
  // A link was followed meanwhile, of which the browser tells only later: the list that was filtered is left.
  if (location.hash === lastRead) history.replaceState(null, '', hash)
  readAddress()
}

window.addEventListener('hashchange', readAddress)
readAddress()
