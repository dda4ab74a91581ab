/** The browser's side of passkeys. Fetched when one is added or used, and never before. */
import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { failWith, type Result } from '#shared/kernel/result.ts'
import { addPasskey, beginPasskey, beginPasskeySignIn, signInByPasskey } from './api/account.ts'
import type { Answer, ApiFailure } from './api/call.ts'

/** `declined`: nobody touched the key, or the browser would not ask. `known`: this authenticator has one already. */
function refused(code: 'declined' | 'known'): Result<never, ApiFailure> {
  return failWith({ code, status: 0 })
}

export async function makePasskey(name: string): Promise<Answer<unknown>> {
  const begun = await beginPasskey()
  if (!begun.ok) return begun
  let made: RegistrationResponseJSON
  try {
    made = await startRegistration({
      optionsJSON: { ...begun.value, excludeCredentials: [...begun.value.excludeCredentials] },
    })
  } catch (cause) {
    return refused(cause instanceof Error && cause.name === 'InvalidStateError' ? 'known' : 'declined')
  }
  const { clientDataJSON, attestationObject } = made.response
  return addPasskey(name, { id: made.id, response: { clientDataJSON, attestationObject } })
}

export async function usePasskey(): Promise<Answer<unknown>> {
  const begun = await beginPasskeySignIn()
  if (!begun.ok) return begun
  let used: AuthenticationResponseJSON
  try {
    used = await startAuthentication({ optionsJSON: begun.value })
  } catch {
    return refused('declined')
  }
  const { clientDataJSON, authenticatorData, signature, userHandle } = used.response
  const owner = userHandle === undefined ? {} : { userHandle }
  return signInByPasskey({ id: used.id, response: { clientDataJSON, authenticatorData, signature, ...owner } })
}
