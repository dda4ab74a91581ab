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
export const [route, goTo, replaceAddress] = address
const [, , , readAddress] = address

window.addEventListener('hashchange', readAddress)
