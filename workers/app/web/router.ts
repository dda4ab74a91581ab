/** The address behind `#` as a signal. */
import { signal } from '@preact/signals'
import { parseRoute, type Route } from './model/hash-route.ts'

export const route = signal<Route>(parseRoute(location.hash))
/** The one-time set-up code lives here and not in the address bar, where history and shoulders would see it. */
export const setupCode = signal<string | undefined>(undefined)

function readAddress(): void {
  const next = parseRoute(location.hash)
  if (next.name === 'setup' && next.code !== undefined) {
    setupCode.value = next.code
    history.replaceState(null, '', '#/setup')
    route.value = { name: 'setup' }
    return
  }
  route.value = next
}

export function goTo(hash: string): void {
  if (location.hash === hash) readAddress()
  else location.hash = hash
}

/** For filters typed letter by letter: one step Back leaves the list, not one letter. */
export function replaceAddress(hash: string): void {
  history.replaceState(null, '', hash)
  readAddress()
}

window.addEventListener('hashchange', readAddress)
readAddress()
