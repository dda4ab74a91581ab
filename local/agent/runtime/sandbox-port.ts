/** Which sandbox is at work on this machine. */
export type SandboxStatus =
  | {
      readonly kind: 'bubblewrap'
      /** Absolute path of the program. */
      readonly program: string
      readonly version: string
      readonly hasUserNamespaces: boolean
    }
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
