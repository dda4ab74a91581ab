/** Judges edges by the compiler on a thread of its own: it is at one question for as long as that takes, and can only be ended from outside. */
import { parentPort, workerData } from 'node:worker_threads'
import { type ProofNews, type ProofOrder, proveFiles } from './indexer/prove/prove-files.ts'

const tell = (news: ProofNews): void => parentPort?.postMessage(news)
try {
  proveFiles(workerData as ProofOrder, tell)
} catch (error) {
  tell({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
}
