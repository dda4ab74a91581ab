/** The address behind `#` as a signal. */
import { signal } from '@preact/signals'
import { createAddress } from '#shared/pages/address.ts'
import { parseRoute, type Route } from './model/hash-route.ts'

/** The one-time set-up code lives here and not in the address bar, where history and shoulders would see it. */
export const setupCode = signal<string | undefined>(undefined)

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

/** Who is asked before the place is left, and which place that is. */
let guard: { readonly hash: string; readonly ask: (wanted: string) => void } | undefined

/** From now on whoever wants to leave this place is told of to `ask` and stays; without it nobody is. */
export function guardAddress(ask: ((wanted: string) => void) | undefined): () => void {
  const mine = ask === undefined ? undefined : { hash: location.hash, ask }
  guard = mine
  return () => {
    if (guard === mine) guard = undefined
  }
}

export function goTo(hash: string): void {
  if (guard === undefined || hash === guard.hash) follow(hash)
  else guard.ask(hash)
}

window.addEventListener('hashchange', () => {
  const wanted = location.hash
  if (guard === undefined || wanted === guard.hash) return readAddress()
  // The browser has gone there already; the screen has not.
  history.pushState(null, '', guard.hash)
  guard.ask(wanted)
})
