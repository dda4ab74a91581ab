import { failWith, succeed } from '#shared/kernel/result.ts'
import {
  addPasskey,
  beginPasskey,
  beginPasskeySignIn,
  listPasskeys,
  removePasskey,
  renamePasskey,
  signInByPasskey,
  type WirePasskey,
} from '../../contract/console-passkeys.ts'
import { failure } from '../../core/failure.ts'
import { passkeyPlace } from '../../core/passkey-place.ts'
import { passkeysMax } from '../../limits.ts'
import type { Passkey } from '../../ports/account.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { createBrowserMarks } from '../browser-marks.ts'
import { removeNamed } from '../remove-named.ts'

const refusals = {
  no_host: failure('invalid_argument', { kind: 'account.passkey_needs_name' }),
  too_many: failure('invalid_argument', { kind: 'too_many', what: 'passkey', limit: passkeysMax }),
  refused: failure('forbidden', { kind: 'account.passkey_refused' }),
  not_found: failure('not_found', { kind: 'none', what: 'passkey' }),
} as const

export function consolePasskeyRoutes(deps: Pick<AppDeps, 'basedAt' | 'knownBrowsers' | 'passkeys'>): BoundRoute[] {
  const browsers = createBrowserMarks(deps)

  return [
    bind(listPasskeys, async () => succeed({ body: { items: (await deps.passkeys.list()).map(toWirePasskey) } })),
    bind(beginPasskey, async ({ origin }) => {
      const place = passkeyPlace(origin)
      if (place === undefined) return failWith(refusals.no_host)
      const begun = await deps.passkeys.begin(place)
      return begun.ok ? succeed({ body: begun.value }) : failWith(refusals[begun.failure])
    }),
    bind(addPasskey, async ({ body, origin }) => {
      const place = passkeyPlace(origin)
      if (place === undefined) return failWith(refusals.no_host)
      const added = await deps.passkeys.add(place, body.name, body.credential)
      return added.ok ? succeed({ body: toWirePasskey(added.value) }) : failWith(refusals[added.failure])
    }),
    bind(renamePasskey, async ({ params, body }) => {
      const renamed = await deps.passkeys.rename(params.id, body.name)
      return renamed === undefined ? failWith(refusals.not_found) : succeed({ body: toWirePasskey(renamed) })
    }),
    bind(removePasskey, ({ params }) => removeNamed(deps.passkeys, params.id, refusals.not_found)),
    bind(beginPasskeySignIn, async ({ origin }) => {
      const place = passkeyPlace(origin)
      const begun = place === undefined ? undefined : await deps.passkeys.beginSignIn(place)
      return begun?.ok === true ? succeed({ body: begun.value }) : failWith(refusals.refused)
    }),
    bind(signInByPasskey, async (visitor) => {
      const { body, origin } = visitor
      const place = passkeyPlace(origin)
      const signedIn = place === undefined ? undefined : await deps.passkeys.signIn(place, body.credential)
      if (signedIn?.ok !== true) return failWith(refusals.refused)
      return succeed({ body: { ok: true as const }, cookies: await browsers.signedIn(signedIn.value.cookie, visitor) })
    }),
  ]
}

function toWirePasskey(passkey: Passkey): WirePasskey {
  return {
    id: passkey.id,
    name: passkey.name,
    host: passkey.host,
    synced: passkey.isSynced,
    created_at: passkey.createdAtUnix,
    ...(passkey.lastUsedAtUnix === undefined ? {} : { last_used_at: passkey.lastUsedAtUnix }),
  }
}
