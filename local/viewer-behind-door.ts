/** The code viewer as a process of its own behind the door that holds its port: `viewer-behind-door.ts SOCKET PORT`. */
import { indexPlace } from './indexer/store/index-folder.ts'
import { sayPortFault } from './listen/loopback-port.ts'
import { startViewer } from './viewer/serve-viewer.ts'

const [socketPath = '', port = ''] = process.argv.slice(2)
const started = await startViewer({
  place: indexPlace(process.cwd(), process.env['VIEWER_DIR']),
  port: Number(port),
  socketPath,
  isReadOnly: false,
  isWatchWanted: true,
  report: (message) => process.stderr.write(`${message}\n`),
})
if (!started.ok) {
  process.stderr.write(`${sayPortFault(started.failure)}\n`)
  process.exit(1)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void started.value.close().then(() => process.exit(0)))
}
process.stdout.write('viewer listening\n')
