/**
 * Ends a run whose tests are over. The runner waits without a bound for all that its own process still holds, so one
 * connection that nobody closes would keep a run for as long as whoever started it has patience.
 */
import net from 'node:net'

const graceMs = 60_000

export function setup(): () => void {
  return () => {
    const end = setTimeout(() => {
      console.error(`The tests are over, and ${graceMs / 1000} s later this is still open:\n${openNow().join('\n')}`)
      process.exit()
    }, graceMs)
    end.unref()
  }
}

/** Kinds of what keeps this process, and where its connections lead. */
function openNow(): string[] {
  const handles = (process as { _getActiveHandles?: () => unknown[] })._getActiveHandles?.() ?? []
  const sockets = handles.filter((one): one is net.Socket => one instanceof net.Socket && one.remotePort !== undefined)
  return [
    `  ${process.getActiveResourcesInfo().sort().join(', ')}`,
    ...sockets.map((one) => `  ${one.localAddress}:${one.localPort} - ${one.remoteAddress}:${one.remotePort}`),
  ]
}
