/** The browser's side of passkeys. Fetched when one is added or used, and never before. */
import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { failWith, type Result } from '#shared/kernel/result.ts'
import { type ApiFailure, addPasskey, beginPasskey, beginPasskeySignIn, signInByPasskey } from './api-client.ts'

/** `declined`: nobody touched the key, or the browser would not ask. `known`: this authenticator has one already. */
export type PasskeyFailure =
  | { readonly kind: 'declined' | 'known' }
  | { readonly kind: 'failed'; readonly failure: ApiFailure }

export async function makePasskey(name: string): Promise<Result<unknown, PasskeyFailure>> {
  const begun = await beginPasskey()
  if (!begun.ok) return failWith({ kind: 'failed', failure: begun.failure })
  let made: RegistrationResponseJSON
  try {
    made = await startRegistration({
      optionsJSON: { ...begun.value, excludeCredentials: [...begun.value.excludeCredentials] },
    })
  } catch (cause) {
    return failWith({ kind: cause instanceof Error && cause.name === 'InvalidStateError' ? 'known' : 'declined' })
  }
  const { clientDataJSON, attestationObject } = made.response
  return ended(await addPasskey(name, { id: made.id, response: { clientDataJSON, attestationObject } }))
}

export async function usePasskey(): Promise<Result<unknown, PasskeyFailure>> {
  const begun = await beginPasskeySignIn()
  if (!begun.ok) return failWith({ kind: 'failed', failure: begun.failure })
  let used: AuthenticationResponseJSON
  try {
    used = await startAuthentication({ optionsJSON: begun.value })
  } catch {
    return failWith({ kind: 'declined' })
  }
  const { clientDataJSON, authenticatorData, signature, userHandle } = used.response
  const owner = userHandle === undefined ? {} : { userHandle }
  return ended(
    await signInByPasskey({ id: used.id, response: { clientDataJSON, authenticatorData, signature, ...owner } }),
  )
}

function ended(answer: Result<unknown, ApiFailure>): Result<unknown, PasskeyFailure> {
  return answer.ok ? answer : failWith({ kind: 'failed', failure: answer.failure })
}
