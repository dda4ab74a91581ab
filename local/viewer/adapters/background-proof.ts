/** Has the compiler judge a published index in the background, once it has been left alone for a while. */
import { startProof } from '../../indexer/prove/prove-in-process.ts'
import type { ProofBounds } from '../../indexer/prove/watch-proof.ts'
import type { IndexPlace } from '../../indexer/store/index-folder.ts'
import { indexStamp } from '../../indexer/store/open-index.ts'
import { proofQuietMs } from '../limits.ts'
import type { BackgroundProof } from '../ports.ts'

export interface BackgroundProofParts {
  readonly place: IndexPlace
  /** A check began or is over. */
  readonly onTurn: () => void
  readonly report: (message: string) => void
  readonly bounds?: Partial<ProofBounds>
  readonly quietMs?: number
  readonly start?: typeof startProof
}

export function createBackgroundProof({
  place,
  onTurn,
  report,
  bounds = {},
  quietMs = proofQuietMs,
  start = startProof,
}: BackgroundProofParts): BackgroundProof {
  let running: ReturnType<typeof startProof> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  /** The index that was judged last. One that could not be is not tried again before it is another one. */
  let judged: string | undefined
  const judge = (): void => {
    judged = indexStamp(place)
    running = start(place, () => undefined, bounds)
    onTurn()
    void running.ended.then((outcome) => {
      running = undefined
      if (isClosed) return
      if (outcome.kind === 'failed') report(`links are not checked by the compiler: ${outcome.reason}`)
      onTurn()
      look()
    })
  }
  const look = (): void => {
    const stamp = indexStamp(place)
    if (isClosed || running !== undefined || stamp === undefined || stamp === judged) return
    clearTimeout(timer)
    timer = setTimeout(judge, quietMs).unref()
  }
  return {
    look,
    get isRunning() {
      return running !== undefined
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      running?.stop()
    },
  }
}
