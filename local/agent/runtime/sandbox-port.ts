import type { Sandbox } from '../core/sandbox-start.ts'

/** Which sandbox is at work on this machine. */
export type SandboxStatus =
  | Sandbox
  | {
      readonly kind: 'none'
      /** Goes on after "no sandbox here: ". */
      readonly reason: string
      readonly remedy: string
    }

/** A way to some hosts. */
export interface HostProxy {
  /** Absolute path of the socket on which it answers. */
  readonly socketPath: string
  close(): Promise<void>
}

export type OpenHostProxy = (hosts: readonly string[]) => Promise<HostProxy>
