/** Several processes on one port: each serves connections, and one that serves none has keys and answers. */
import cluster, { type Worker } from 'node:cluster'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type EnvironmentText, readSettings } from '../../workers/gateway/settings.ts'
import { drainMs, workerStartsMax, workerStartsWindowMs } from './limits.ts'
import { type NodeGateway, startNodeGateway } from './node-server.ts'
import type { NodeStartFault } from './node-start-fault.ts'
import { type ProcessCalls, processCalls } from './process-calls.ts'
import { ownerOfStorage, storageOfOwner } from './shared-storage.ts'
import { type OpenStorage, openStorage } from './storage.ts'

interface Listening {
  readonly port: number
  readonly hostname: string
}

interface WorkersOptions extends Listening {
  readonly environment: EnvironmentText
  readonly count: number
  readonly log: (line: string) => void
  /** Processes ended too often to be started again. */
  readonly onGivenUp: () => void
}

/** By it a process knows that it is one of several, and where it listens. */
const listeningVariable = 'WHARF_GATEWAY_LISTENING'

export function isWorkerProcess(): boolean {
  return cluster.isWorker && process.env[listeningVariable] !== undefined
}

/** Starts the processes and answers for what they have in common. */
export async function startWorkerProcesses(
  options: WorkersOptions,
): Promise<Result<Omit<NodeGateway, 'metrics'>, NodeStartFault>> {
  const settings = readSettings(options.environment)
  if (!settings.ok) return failWith({ kind: 'gateway', fault: { kind: 'settings', faults: settings.failure } })
  const storage = openStorage(settings.value.dataFolder)
  if (!storage.ok) return storage
  const owner = new WorkersOwner(storage.value, options)
  const urls = await Promise.all(Array.from({ length: options.count }, () => owner.start()))
  const refused = urls.find((one) => !one.ok)
  const [first] = urls
  if (refused !== undefined || first === undefined) {
    await owner.stop()
    return refused ?? failWith({ kind: 'process_ended' })
  }
  return first.ok ? succeed({ url: first.value, stop: () => owner.stop() }) : first
}

class WorkersOwner {
  readonly #storage: OpenStorage
  readonly #options: WorkersOptions
  readonly #calls = new Map<Worker, ProcessCalls>()
  #port: number
  #startedMs: readonly number[] = []
  #isStopping = false

  constructor(storage: OpenStorage, options: WorkersOptions) {
    this.#storage = storage
    this.#options = options
    this.#port = options.port
    // Values without a text of their own, undefined among them, stay what they are.
    cluster.setupPrimary({ serialization: 'advanced' })
  }

  /** The address that one more process serves, or why it does not. */
  start(): Promise<Result<string, NodeStartFault>> {
    const { hostname } = this.#options
    const listening: Listening = { port: this.#port, hostname }
    const worker = cluster.fork({ [listeningVariable]: JSON.stringify(listening) })
    const owned = ownerOfStorage(this.#storage)
    const started = Promise.withResolvers<Result<string, NodeStartFault>>()
    let isServing = false
    const calls = processCalls(
      {
        send: (message) => void (worker.isConnected() && worker.send(message as object)),
        onMessage: (take) => void worker.on('message', take),
      },
      async (name, args) => {
        if (name === 'metrics') return this.#metricsBut(worker)
        if (name === 'isDurable') return this.#storage.keyStore.isDurable
        if (name === 'refused') return started.resolve(failWith(args[0] as NodeStartFault))
        if (name === 'serves') {
          isServing = true
          // Whoever comes later serves where clients are already.
          this.#port = Number(new URL(String(args[0])).port)
          return started.resolve(succeed(String(args[0])))
        }
        return owned.answer(name, args)
      },
    )
    this.#calls.set(worker, calls)
    worker.once('exit', () => {
      this.#calls.delete(worker)
      calls.end()
      owned.release()
      started.resolve(failWith({ kind: 'process_ended' }))
      if (isServing && !this.#isStopping) this.#startAgain()
    })
    return started.promise
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all(
      [...this.#calls.keys()].map(
        (worker) =>
          new Promise<void>((resolve) => {
            const giveUp = setTimeout(() => worker.process.kill('SIGKILL'), drainMs * 2)
            worker.once('exit', () => {
              clearTimeout(giveUp)
              resolve()
            })
            worker.process.kill('SIGTERM')
          }),
      ),
    )
    this.#storage.close()
  }

  #startAgain(): void {
    const nowMs = Date.now()
    this.#startedMs = [...this.#startedMs.filter((ms) => nowMs - ms < workerStartsWindowMs), nowMs]
    this.#options.log(JSON.stringify({ time: new Date(nowMs).toISOString(), level: 'error', event: 'process-ended' }))
    if (this.#startedMs.length > workerStartsMax) {
      this.#options.onGivenUp()
      return
    }
    void this.start().then((started) => {
      if (!started.ok && !this.#isStopping) this.#options.onGivenUp()
    })
  }

  async #metricsBut(asking: Worker): Promise<readonly string[]> {
    const others = [...this.#calls].filter(([worker]) => worker !== asking)
    const texts = await Promise.allSettled(others.map(([, calls]) => calls.call('metrics')))
    return texts.flatMap((text) => (text.status === 'fulfilled' ? [String(text.value)] : []))
  }
}

/** What one of the processes does. It ends with the one that has the storage. */
export async function serveAsWorker(environment: EnvironmentText, log: (line: string) => void): Promise<void> {
  const { port, hostname } = JSON.parse(environment[listeningVariable] ?? '{}') as Listening
  let gateway: NodeGateway | undefined
  const calls = processCalls(
    {
      send: (message) => void (process.connected && process.send?.(message)),
      onMessage: (take) => void process.on('message', take),
    },
    async () => gateway?.metrics() ?? '',
  )
  const shared = storageOfOwner(calls, (await calls.call('isDurable')) === true)
  const started = await startNodeGateway({ environment, port, hostname, log, shared })
  if (!started.ok) {
    await calls.call('refused', started.failure)
    process.exit(1)
  }
  gateway = started.value
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void started.value.stop().then(() => process.exit(0)))
  }
  await calls.call('serves', started.value.url)
}
