/** The address behind `#` as a signal. */
import { type ReadonlySignal, signal } from '@preact/signals'

export type Address<R> = readonly [
  route: ReadonlySignal<R>,
  /** The route follows at once: the browser tells of a new address only later, and what runs until then must not see the old one. */
  goTo: (hash: string) => void,
  /** For what is typed letter by letter or turned on a dial: one step Back leaves the view, not one letter. */
  replaceAddress: (hash: string) => void,
  /** Follows the address bar; nothing happens while it says what was read before. */
  readAddress: () => void,
  /** Shows what the address bar says by now, as no other place than before. */
  showAddress: () => void,
]

/** `entered` is told of each new place, before its route is shown. */
export function createAddress<R>(parse: (hash: string) => R, entered?: (next: R, before: R) => void): Address<R> {
  let lastRead = location.hash
  const route = signal<R>(parse(lastRead))

  function show(next = parse(location.hash)): void {
    lastRead = location.hash
    route.value = next
  }
  function read(): void {
    if (location.hash === lastRead) return
    const next = parse(location.hash)
    entered?.(next, route.peek())
    show(next)
  }
  function goTo(hash: string): void {
    location.hash = hash
    read()
  }
  function replaceAddress(hash: string): void {
    // A link was followed meanwhile, of which the browser tells only later: the view that was filtered is left.
    if (location.hash !== lastRead) read()
    else {
      history.replaceState(history.state, '', hash)
      show()
    }
  }
  return [route, goTo, replaceAddress, read, () => show()]
}
