/** The address behind `#` as a signal. */
import { createAddress } from '#shared/pages/address.ts'
import { parseRoute, type Route } from './model/address.ts'

const [current, goToAddress, replace, readAddress] = createAddress<Route>(parseRoute)
export const route = current
export const goTo = goToAddress
export const replaceAddress = replace

export function followAddress(): void {
  window.addEventListener('popstate', readAddress)
  window.addEventListener('hashchange', readAddress)
}
