/** Rules of pseudo-terminals. */

export interface TerminalSize {
  readonly rows: number
  readonly cols: number
}

export const defaultTerminalSize: TerminalSize = { rows: 24, cols: 80 }

/** What runs when nothing is named: the owner's shell, as a login shell, so that it reads the owner's start files. */
export function defaultShell(environment: Readonly<Record<string, string>>): {
  readonly command: string
  readonly args: readonly string[]
} {
  const named = environment['SHELL'] ?? ''
  return { command: named.startsWith('/') ? named : '/bin/sh', args: ['-l'] }
}

/** A program that a signal ended has the code that shells give it. */
export function exitCodeOf(exit: { readonly exitCode: number; readonly signal?: number | undefined }): number {
  return exit.signal === undefined || exit.signal === 0 ? exit.exitCode : 128 + exit.signal
}

/**
 * A control frame: a byte of nothing, which no text begins with, and JSON. What follows it begins at this position of
 * the terminal's output; a reader that fell behind is told how many bytes it missed.
 */
export function controlFrame(cursor: number, dropped?: number): Uint8Array {
  const told = JSON.stringify(dropped === undefined ? { cursor } : { cursor, dropped })
  return new TextEncoder().encode(`\0${told}`)
}
