// The stand-in provider as a process of its own: `node test/support/sandbox-provider.ts --port N` prints its address.
// It says back what it is told and is no model; `npm start` offers it where there are no provider credentials.
import { parseArgs } from 'node:util'
import { startFakeBedrock } from './fake-bedrock.ts'

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })
const provider = await startFakeBedrock({ port: Number(values.port), authentication: 'unchecked' })
process.stdout.write(`${provider.url}\n`)
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void provider.close().then(() => process.exit(0))
  })
}
