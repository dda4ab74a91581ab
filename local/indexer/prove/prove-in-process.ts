/** Starts a check by the compiler in a process of its own. */
import { fork } from 'node:child_process'
import { programFile } from '../../../bin/installation.mjs'
import type { IndexPlace } from '../store/index-folder.ts'
import { type ProofBounds, type ProofOutcome, type ProofReply, type ProofTask, proofBounds } from './watch-proof.ts'

export interface RunningProof {
  readonly ended: Promise<ProofOutcome>
  /** Of the process, for who looks at what it takes. */
  readonly pid: number | undefined
  stop(): void
}

export function startProof(
  place: IndexPlace,
  onProgress: (done: number, total: number) => void = () => {},
  bounds: Partial<ProofBounds> = {},
): RunningProof {
  const task: ProofTask = { place, bounds: { ...proofBounds, ...bounds } }
  const child = fork(programFile('code-proof-process'), {
    // One core is for everybody else.
    execArgv: [`--max-old-space-size=${task.bounds.heapMbMax}`, '--single-threaded-gc'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    // What dies says so in its own words, which nobody asked for.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const { promise, resolve } = Promise.withResolvers<ProofOutcome>()
  child.on('message', (reply: ProofReply) => {
    if (reply.kind === 'ended') resolve(reply.outcome)
    else onProgress(reply.done, reply.total)
  })
  child.on('error', (error) => resolve({ kind: 'failed', reason: error.message }))
  child.on('exit', () => resolve({ kind: 'failed', reason: 'its process was ended' }))
  child.send(task, (error) => {
    if (error !== null) resolve({ kind: 'failed', reason: error.message })
  })
  return { ended: promise, pid: child.pid, stop: () => void child.kill('SIGKILL') }
}
