/** What the files of a shared process must leave as they found it: a file that does not fails, not the one after it. */
import { afterAll, vi } from 'vitest'

type Surroundings = ReadonlyMap<string, unknown>

/** Of the platform, and tempting to replace. What packages add when they are loaded meets nobody who does not ask for it. */
const platform = ['fetch', 'Headers', 'WebSocket', 'process'] as const

/** Everything of this process that a test can change and the next file would meet, by name. */
export function surroundings(): Surroundings {
  return new Map<string, unknown>([
    ['the folder', process.cwd()],
    ['the mask of new files', process.umask()],
    ['the clock', vi.isFakeTimers()],
    ...Object.entries(process.env).map(([name, value]) => [`$${name}`, value] as const),
    ...platform.map((name) => [name, globalThis[name]] as const),
  ])
}

/** The names of what is not as it was. */
export function changedSince(before: Surroundings): readonly string[] {
  const now = surroundings()
  return [...new Set([...before.keys(), ...now.keys()])].filter((name) => before.get(name) !== now.get(name))
}

/** What the agent's server puts its own in the place of, in the process that it is alone in: taken before the first file. */
const own = { Request, Response }

/** Before each file and not after it: one whose tests are all left out has loaded what they need, and ends without a hook. */
export function putPlatformBack(): void {
  for (const [name, value] of Object.entries(own)) Object.defineProperty(globalThis, name, { value })
}

/** To be called before anything of the file is loaded. */
export function watchSurroundings(): void {
  putPlatformBack()
  const found = surroundings()
  afterAll(() => {
    const changed = changedSince(found)
    if (changed.length > 0) throw new Error(`changed for the files after this one: ${changed.join(', ')}`)
  })
}
