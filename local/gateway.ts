// The gateway alone, on Node: `npm run gateway -- --port 8080 --host 127.0.0.1`. In a function service it serves
// invocations instead of a port.
import { parseArgs } from 'node:util'
import packageFacts from '../package.json' with { type: 'json' }
import { functionEnvironment, serveInvocations } from './gateway/function-host.ts'
import { workerProcessesMax } from './gateway/limits.ts'
import { startComposed } from './gateway/node-compose.ts'
import { startNodeGateway } from './gateway/node-server.ts'
import { sayNodeStartFault } from './gateway/node-start-fault.ts'
import { isWorkerProcess, serveAsWorker, startWorkerProcesses } from './gateway/worker-processes.ts'

const usage = `Usage: wharf gateway [options], in a checkout npm run gateway -- [options]

The model gateway alone; it is set up by environment variables.

  --port N      port to listen on (default PORT, else 8080); 0 takes any free port
  --host NAME   address to listen on (default BIND_ADDR, else 127.0.0.1)
  --workers N   processes that share the port (default 1)
  --version     which version this is
  --help        this text`

const log = (line: string) => process.stdout.write(`${line}\n`)

async function serveFunction(runtimeApi: string): Promise<void> {
  const composed = await startComposed(functionEnvironment(process.env), log)
  if (!composed.ok) return refuse(sayNodeStartFault(composed.failure))
  const stop = new AbortController()
  process.once('SIGTERM', () => stop.abort())
  await serveInvocations(composed.value, runtimeApi, stop.signal).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error
  })
  await composed.value.close()
}

async function servePort(): Promise<void> {
  const flags = readFlags()
  if (typeof flags === 'string') return refuse(flags)
  if (flags.help === true) {
    log(usage)
    return
  }
  if (flags.version === true) {
    log(packageFacts.version)
    return
  }
  const digits = flags.port ?? process.env['PORT'] ?? '8080'
  const port = Number(digits)
  if (!/^[0-9]{1,5}$/.test(digits) || port > 65_535) refuse('--port must be a whole number up to 65535')
  const count = Number(flags.workers ?? '1')
  if (!/^[0-9]{1,2}$/.test(flags.workers ?? '1') || count < 1 || count > workerProcessesMax) {
    refuse(`--workers must be a whole number from 1 to ${workerProcessesMax}`)
  }
  const hostname = flags.host ?? process.env['BIND_ADDR'] ?? '127.0.0.1'
  const listening = { environment: process.env, port, hostname, log }
  const started =
    count === 1
      ? await startNodeGateway(listening)
      : await startWorkerProcesses({
          ...listening,
          count,
          onGivenUp: () => refuse('its processes end again and again'),
        })
  if (!started.ok) return refuse(sayNodeStartFault(started.failure))
  process.stderr.write(`model gateway on ${started.value.url}\n`)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      void started.value.stop().then(() => process.exit(0))
    })
  }
}

/** The flags, or why they cannot be read. */
function readFlags() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        workers: { type: 'string' },
        help: { type: 'boolean' },
        version: { type: 'boolean' },
      },
    }).values
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}; --help lists the options`
  }
}

function refuse(line: string): never {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

// Without await: the executable's main script is none that could wait at its top.
const runtimeApi = process.env['AWS_LAMBDA_RUNTIME_API']
const serve = isWorkerProcess() ? () => serveAsWorker(process.env, log) : servePort
void (runtimeApi === undefined ? serve() : serveFunction(runtimeApi))
