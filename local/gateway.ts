// The gateway alone, on Node: `npm run gateway -- --port 8080 --host 127.0.0.1`.
import { parseArgs } from 'node:util'
import { startNodeGateway } from './gateway/node-server.ts'

const { values } = parseArgs({ options: { port: { type: 'string' }, host: { type: 'string' } } })
const port = Number(values.port ?? process.env['PORT'] ?? 8080)

if (!Number.isInteger(port) || port < 0 || port > 65_535) refuse('--port must be a whole number up to 65535')
const started = await startNodeGateway({
  environment: process.env,
  port,
  hostname: values.host ?? process.env['BIND_ADDR'] ?? '0.0.0.0',
  log: (line) => process.stdout.write(`${line}\n`),
})
if (started.ok) {
  process.stderr.write(`model gateway on ${started.value.url}\n`)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      void started.value.stop().then(() => process.exit(0))
    })
  }
} else refuse(started.failure)

function refuse(line: string): never {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}
