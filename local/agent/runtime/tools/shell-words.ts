/** The shells that stand before a command, so that nothing it starts outlives it. */

/**
 * The fourth descriptor is a pipe that only the server holds open. When the server dies, however it dies, the guard
 * reads its end and kills the group, so that no command outlives the turn that knows of it.
 */
const guarded = '(read -r _ <&3; kill -KILL 0) >/dev/null 2>&1 & exec 3<&-; exec bash -c "$1"'

/** The way to the hosts that were granted, where there are any. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own.
const relayFirst = 'if [ $# -gt 1 ]; then read -r _ < <(exec "${@:2}" 2>/dev/null); fi; exec bash -c "$1"'

/**
 * In a sandbox that no signal enters a line on the pipe asks the command to end. Whatever happens to the server, what it
 * started dies with it.
 */
const deaf = '(trap "" TERM; read -r _ <&3 && kill -TERM 0) >/dev/null 2>&1 & exec 3<&- 4<&-;'
const hearing = '(read -r _ <&3; kill -KILL 0) >/dev/null 2>&1 & exec 3<&- 4<&-;'

/** Reads one command from standard input, up to the byte that no command has. */
const readFirst = 'IFS= read -r -d "" line || exit; exec bash -c "$line" </dev/null'

export const guardedShellWords = (command: string) => ['bash', '-c', guarded, 'bash', command]

/** `relay`: what it starts first, and waits for a line of. */
export const enclosedShellWords = (hearsSignals: boolean, command: string, relay: readonly string[]) => [
  ...['bash', '-c', `${hearsSignals ? hearing : deaf} ${relayFirst}`],
  ...['bash', command, ...relay],
]

/** Of a shell that is given its command later. */
export const waitingShellWords = ['bash', '-c', `${deaf} ${readFirst}`]
