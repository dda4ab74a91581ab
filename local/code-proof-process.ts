/**
 * A check by the compiler as a process: what it takes of memory and time is bounded here, beside the thread that does it, and it
 * ends when who started it does.
 */
import os from 'node:os'
import { type ProofReply, type ProofTask, watchProof } from './indexer/prove/watch-proof.ts'

/** Whoever types on this machine goes first, and so does every other program. */
os.setPriority(os.constants.priority.PRIORITY_LOW)

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
process.on('disconnect', () => process.exit())
