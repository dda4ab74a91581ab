/** Whether someone is signed in, as the server last said. */
import { signal } from '@preact/signals'
import type { WireConsoleState } from '../contract/console.ts'
import { signInHash } from './model/hash-route.ts'
import { goTo, releaseAddress } from './router.ts'

/** Undefined until the server was asked for the first time. */
export const consoleState = signal<WireConsoleState | undefined>(undefined)

/** Any 401 ends here: the session is gone, and signing in leads back to the place it was lost at. */
export function sessionEnded(): void {
  const known = consoleState.value
  if (known?.signed_in !== true) return
  const { secrets: _, lost: __, ...rest } = known
  consoleState.value = { ...rest, signed_in: false }
  releaseAddress()
  goTo(signInHash(location.hash))
}
