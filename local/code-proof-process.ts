/**
 * A check by the compiler as a process: what it takes of memory and time is bounded here, beside the thread that does it, and it
 * ends when who started it does.
 */
import os from 'node:os'
import { type ProofReply, type ProofTask, watchProof } from './indexer/prove/watch-proof.ts'

/** Whoever types on this machine goes first. */
os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)

const tell = (reply: ProofReply): void => void process.send?.(reply)

process.once('message', (task: ProofTask) => {
  watchProof(task, tell).then(
    (outcome) => process.send?.({ kind: 'ended', outcome } satisfies ProofReply, () => process.exit()),
    (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      process.send?.({ kind: 'ended', outcome: { kind: 'failed', reason } } satisfies ProofReply, () => process.exit())
    },
  )
})
// Nobody is left to ask for it, and the thread may be at one question for long: what it kept is whole at any moment.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
