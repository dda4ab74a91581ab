import type { Result } from '#shared/kernel/result.ts'
import type {
  AssertedPasskey,
  AttestedPasskey,
  WirePasskeyCreation,
  WirePasskeyRequest,
} from '../contract/console-passkeys.ts'
import type { PasskeyPlace } from '../core/passkey-place.ts'
import type { Principal } from '../core/principal.ts'
import type { DevicePermission, Entrance, Scope, SignedInKind } from '../core/vocabulary.ts'

/** A caller that a credential stands for, and until when. */
export interface KnownPrincipal {
  readonly principal: Principal
  readonly expiresAtUnix?: number
}

/** Resolves a credential. Undefined for an unknown, wrong, expired or revoked one; rejects when the store fails. */
export interface CredentialReader {
  byToken(token: string): Promise<KnownPrincipal | undefined>
  bySession(cookie: string): Promise<KnownPrincipal | undefined>
  /** What was paired under this id. That the device itself is calling is known by then. */
  byDevice(id: string): Promise<KnownPrincipal | undefined>
}

export interface ApiToken {
  readonly id: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly createdAtUnix: number
  readonly expiresAtUnix?: number
  readonly lastUsedAtUnix?: number
}

export interface ApiTokens {
  /** Newest first; revoked ones are gone. */
  list(): Promise<ApiToken[]>
  /** The text of the token is in this answer and nowhere else. */
  create(wanted: {
    readonly name: string
    readonly scopes: readonly Scope[]
    readonly expiresAtUnix?: number
  }): Promise<Result<{ readonly token: ApiToken; readonly text: string }, 'too_many'>>
  /** False when there is no such token. */
  revoke(id: string): Promise<boolean>
}

/** A device paired through remote access. */
export interface Device {
  readonly id: string
  readonly name: string
  readonly permission: DevicePermission
  readonly pairedAtUnix: number
  readonly lastUsedAtUnix?: number
}

export interface Devices {
  /** Newest first. */
  list(): Promise<Device[]>
  /** In place of the one before. Its text is in this answer and nowhere else. */
  makeCode(
    permission: DevicePermission,
  ): Promise<Result<{ readonly code: string; readonly expiresAtUnix: number }, 'too_many' | 'secrets'>>
  rename(id: string, name: string): Promise<Device | undefined>
  /** False when there is no such device. */
  revoke(id: string): Promise<boolean>
}

/** The caller tried too often. */
export interface TooManyAttempts {
  /** After which another attempt may be made. */
  readonly retryAfterSeconds: number
}

/** What ended at once, by id where somebody has to tidy up behind it. */
export interface EndedAccess {
  readonly tokens: readonly string[]
  readonly devices: readonly string[]
  readonly passkeys: number
  readonly sessions: number
}

/** Browsers that have signed in before. The mark of one lets nobody in; its attempts are counted by themselves. */
export interface KnownBrowsers {
  /** Of a browser that has just signed in; undefined without the master key. */
  mark(): Promise<string | undefined>
  /** Undefined for whatever is no mark of ours, or an old one. */
  nameOf(mark: string): Promise<string | undefined>
}

/**
 * The owner's password and browser sessions. `from` is the caller's address or the name of a known browser, by which
 * attempts are counted.
 */
export interface OwnerAccount {
  /** True while a password has to be set: never set, or a fresh set-up code exists to replace a lost one. */
  setUp(): Promise<{ readonly done: boolean; readonly codeWaits: boolean }>
  /** Consumes the set-up code and sets the password. Every session ends, and what is not kept; so below. */
  setPassword(
    code: string,
    next: NewPassword,
    from: string,
  ): Promise<Result<{ readonly cookie: string; readonly ended: EndedAccess }, 'wrong' | 'no_code' | TooManyAttempts>>
  changePassword(
    current: string,
    next: NewPassword,
    from: string,
  ): Promise<Result<{ readonly cookie: string; readonly ended: EndedAccess }, 'wrong' | TooManyAttempts>>
  signIn(
    password: string,
    from: string,
  ): Promise<Result<{ readonly cookie: string }, 'wrong' | 'not_set_up' | TooManyAttempts>>
  signOut(cookie: string): Promise<void>
  /** All in one step, or nothing. */
  signOutEverywhere(ends: readonly SignedInKind[]): Promise<EndedAccess>
}

export interface NewPassword {
  readonly password: string
  readonly keep: readonly Entrance[]
}

/** An authenticator's key that signs the owner in at one host. */
export interface Passkey {
  readonly id: string
  readonly name: string
  readonly host: string
  readonly isSynced: boolean
  readonly createdAtUnix: number
  readonly lastUsedAtUnix?: number
}

/** `refused` says nothing of why: it is the same for whatever is wrong with an answer. */
export interface Passkeys {
  /** Newest first. */
  list(): Promise<Passkey[]>
  worksAt(host: string): Promise<boolean>
  begin(place: PasskeyPlace): Promise<Result<WirePasskeyCreation, 'too_many'>>
  add(place: PasskeyPlace, name: string, answer: AttestedPasskey): Promise<Result<Passkey, 'refused' | 'too_many'>>
  rename(id: string, name: string): Promise<Passkey | undefined>
  /** False when there is no such passkey. */
  remove(id: string): Promise<boolean>
  beginSignIn(place: PasskeyPlace): Promise<Result<WirePasskeyRequest, 'refused'>>
  /** Each challenge is answered once, and none that is older than the one answered last. */
  signIn(place: PasskeyPlace, answer: AssertedPasskey): Promise<Result<{ readonly cookie: string }, 'refused'>>
}
