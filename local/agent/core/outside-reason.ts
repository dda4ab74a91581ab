/** Why a command would run outside of the sandbox: the words beside the kinds. */
import type { OutsideKind, SandboxLackKind } from './vocabulary.ts'

/** What a machine lacks for a sandbox; the detail is what it says about itself. */
const lacks = {
  no_system: (system: string) => ({
    reason: `there is none for ${system}`,
    remedy: 'run the server in Linux or macOS',
  }),
  no_seatbelt: () => ({ reason: 'this system has no sandbox-exec', remedy: 'run the server in Linux' }),
  no_bubblewrap: () => ({
    reason: 'bubblewrap is not installed',
    remedy: 'apt-get install --no-install-recommends bubblewrap',
  }),
  does_not_start: (said: string) => ({
    reason: `bubblewrap ${said}`,
    remedy: 'allow unprivileged user namespaces on this machine, or in its container',
  }),
  does_not_hold: (said: string) => ({ reason: said, remedy: 'report this with the version of your system' }),
} satisfies Record<SandboxLackKind, (detail: string) => { readonly reason: string; readonly remedy: string }>

export interface SandboxLack {
  readonly kind: 'none'
  readonly lack: SandboxLackKind
  readonly detail: string
  readonly reason: string
  readonly remedy: string
}

export function sandboxLack(lack: SandboxLackKind, detail = ''): SandboxLack {
  return { kind: 'none', lack, detail, ...lacks[lack](detail) }
}

export interface OutsideReason {
  readonly kind: OutsideKind
  readonly detail: string
  /** In English: what clients show that have no words of their own for the kind. */
  readonly words: string
}

const words = {
  asked: 'the model asks for it',
  turned_off: 'no sandbox: the configuration turns it off',
  too_large: 'no sandbox for this project: it is too large to be watched',
} satisfies Partial<Record<OutsideKind, string>>

export function outsideReason(kind: keyof typeof words): OutsideReason {
  return { kind, detail: '', words: words[kind] }
}

export function outsideForLack({ lack, detail, reason, remedy }: SandboxLack): OutsideReason {
  return { kind: lack, detail, words: `no sandbox here: ${reason} (${remedy})` }
}
