/** The address behind `#` as a signal, and the place on each page one comes back to. */
import { createAddress } from '#shared/pages/address.ts'
import { parseRoute, type Route } from './model/address.ts'

let entry = 0
let entries = 0
const places = new Map<number, number>()
/** Given up as soon as the reader moves: their hand is right, not our memory. */
let wanted: number | undefined

interface EntryState {
  readonly entry?: number
}

/** Content may still be on its way: tried again each frame until the page is long enough. */
function bringBack(frames: number): void {
  if (wanted === undefined) return
  window.scrollTo(0, wanted)
  if (Math.abs(window.scrollY - wanted) <= 1 || frames === 0) wanted = undefined
  else requestAnimationFrame(() => bringBack(frames - 1))
}

/** An entry without a number is new: another page begins at its top. One with a number is come back to. */
function enter(isOtherPage: boolean): void {
  const state = (history.state ?? {}) as EntryState
  if (state.entry !== undefined) {
    entry = state.entry
    entries = Math.max(entries, entry)
    wanted = places.get(entry)
    if (wanted !== undefined) requestAnimationFrame(() => bringBack(90))
    return
  }
  entries += 1
  entry = entries
  history.replaceState({ entry }, '')
  wanted = undefined
  if (isOtherPage) window.scrollTo(0, 0)
}

function leave(next: Route, { view, detail }: Route): void {
  places.set(entry, window.scrollY)
  enter(next.view !== view || next.detail !== detail)
}

const address = createAddress<Route>(parseRoute, leave)
export const [route, goTo, replaceAddress] = address
const [, , , readAddress, showAddress] = address

/** Whether the place on this page is being brought back, so that nothing else may scroll. */
export function isComingBack(): boolean {
  return wanted !== undefined
}

export function followAddress(): void {
  history.scrollRestoration = 'manual'
  enter(false)
  window.addEventListener('popstate', readAddress)
  window.addEventListener('hashchange', readAddress)
  for (const moved of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
    window.addEventListener(
      moved,
      () => {
        wanted = undefined
      },
      { passive: true },
    )
}

/** A step that Back undoes and that leaves the reader where they are on the page, such as opening a part of a picture. */
export function goInPlace(hash: string): void {
  places.set(entry, window.scrollY)
  entries += 1
  entry = entries
  history.pushState({ entry }, '', hash)
  showAddress()
}
