/** Signing in, and what may come in: passkeys, tokens, devices; and the log of what was done. */
import type {
  CreateTokenBody,
  signOutEverywhere,
  WireAuditEntry,
  WireConsoleState,
  WireEndedEntrances,
  WireToken,
} from '../../contract/console.ts'
import type { DeviceBody, PairingCodeBody, WireDevice, WirePairingCode } from '../../contract/console-devices.ts'
import type {
  AssertedPasskey,
  AttestedPasskey,
  WirePasskey,
  WirePasskeyCreation,
  WirePasskeyRequest,
} from '../../contract/console-passkeys.ts'
import { type Answer, call, type Done, type Items, own } from './call.ts'

export function fetchState(): Promise<Answer<WireConsoleState>> {
  return call({ method: 'GET', path: `${own}/state` })
}

/** What cannot be opened with the master key at hand is entered again after it. */
export function adoptMasterKey(): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/master-key`, body: {} })
}

export interface PasswordSet extends Done {
  readonly ended: WireEndedEntrances
}

export function setUp(code: string, password: string, keep: readonly Entrance[]): Promise<Answer<PasswordSet>> {
  return call({ method: 'POST', path: `${own}/setup`, body: { code, password, keep } })
}

export function signIn(password: string): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/sign-in`, body: { password } })
}

export function signOut(): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/sign-out`, body: {} })
}

export function changePassword(current: string, next: string, keep: readonly Entrance[]): Promise<Answer<PasswordSet>> {
  return call({ method: 'POST', path: `${own}/password`, body: { current, next, keep } })
}

export type Entrance = keyof WireEndedEntrances
type Ended = (typeof signOutEverywhere)['answers'][200]['_output']
export type SignedInKind = keyof Ended['ended']
export function endSignIns(ends: readonly SignedInKind[]): Promise<Answer<Ended>> {
  return call({ method: 'POST', path: `${own}/sign-out-everywhere`, body: { ends } })
}

export function fetchPasskeys(signal?: AbortSignal): Items<WirePasskey> {
  return call({ method: 'GET', path: `${own}/passkeys`, signal })
}

export function beginPasskey(): Promise<Answer<WirePasskeyCreation>> {
  return call({ method: 'POST', path: `${own}/passkeys/options`, body: {} })
}

export function addPasskey(name: string, credential: AttestedPasskey): Promise<Answer<WirePasskey>> {
  return call({ method: 'POST', path: `${own}/passkeys`, body: { name, credential } })
}

export function renamePasskey(id: string, name: string): Promise<Answer<WirePasskey>> {
  return call({ method: 'PUT', path: `${own}/passkeys/${id}`, body: { name } })
}

export function removePasskey(id: string): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/passkeys/${id}` })
}

export function beginPasskeySignIn(): Promise<Answer<WirePasskeyRequest>> {
  return call({ method: 'POST', path: `${own}/sign-in/passkey/options`, body: {} })
}

export function signInByPasskey(credential: AssertedPasskey): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/sign-in/passkey`, body: { credential } })
}

export function fetchTokens(signal?: AbortSignal): Promise<Answer<{ items: WireToken[] }>> {
  return call({ method: 'GET', path: `${own}/tokens`, signal })
}

export function createToken(body: CreateTokenBody): Promise<Answer<{ token: WireToken; text: string }>> {
  return call({ method: 'POST', path: `${own}/tokens`, body })
}

export function revokeToken(id: string): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/tokens/${encodeURIComponent(id)}` })
}

export function fetchDevices(signal?: AbortSignal): Promise<Answer<{ items: WireDevice[] }>> {
  return call({ method: 'GET', path: `${own}/devices`, signal })
}

export function makePairingCode(body: PairingCodeBody): Promise<Answer<WirePairingCode>> {
  return call({ method: 'POST', path: `${own}/devices/code`, body })
}

export function renameDevice(id: string, body: DeviceBody): Promise<Answer<WireDevice>> {
  return call({ method: 'PUT', path: `${own}/devices/${encodeURIComponent(id)}`, body })
}

export function revokeDevice(id: string): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/devices/${encodeURIComponent(id)}` })
}

export interface AuditPage {
  readonly items: WireAuditEntry[]
  readonly total: number
  readonly page: number
  readonly page_size: number
}

export function fetchAudit(page: number, pageSize: number, signal?: AbortSignal): Promise<Answer<AuditPage>> {
  return call({ method: 'GET', path: `${own}/audit?page=${page}&page_size=${pageSize}`, signal })
}
