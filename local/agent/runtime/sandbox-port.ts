import type { SandboxLack } from '../core/outside-reason.ts'
import type { Sandbox } from '../core/sandbox-start.ts'

/** Which sandbox is at work on this machine. */
export type SandboxStatus = Sandbox | SandboxLack

/** A way to some hosts. */
export interface HostProxy {
  /** Absolute path of the socket on which it answers. */
  readonly socketPath: string
  close(): Promise<void>
}

export type OpenHostProxy = (hosts: readonly string[]) => Promise<HostProxy>
