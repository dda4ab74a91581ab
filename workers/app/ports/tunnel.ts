import type { Result } from '#shared/kernel/result.ts'
import type { TooManyAttempts } from './account.ts'

/** `refused` says nothing of why: it is the same for whatever is wrong with a message. */
export type TunnelRefusal = 'refused' | 'unavailable' | TooManyAttempts

/** The way of paired devices to the interface. `from` is the caller's address, by which messages are counted. */
export interface Tunnel {
  /** Tells somebody with the code the key that a device has to know before it shows its own. */
  introduce(message: Uint8Array, from: string): Promise<Result<Uint8Array, TunnelRefusal>>
  pair(message: Uint8Array, from: string): Promise<Result<Uint8Array, TunnelRefusal>>
  shakeHands(message: Uint8Array, from: string): Promise<Result<Uint8Array, TunnelRefusal>>
  /** A sealed request to its sealed answer. */
  carry(envelope: Uint8Array): Promise<Result<Uint8Array, TunnelRefusal>>
  /** Ends the sessions of a device. */
  close(deviceId: string): Promise<void>
}
