import { setImmediate } from 'node:timers/promises'
import { stepMsMax } from '../limits.ts'
import { type BuildStage, type BuildTask, isStopped } from './build-task.ts'

/**
 * Carries out work that says after each part how much of it is done, and lets signals and timers in between.
 * Undefined: the build was stopped, and the work ended where it was.
 */
export async function inSteps<T>(
  task: BuildTask,
  stage: BuildStage,
  total: number,
  work: Generator<number, T>,
): Promise<T | undefined> {
  let pausedAt = Number.NEGATIVE_INFINITY
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (performance.now() - pausedAt < stepMsMax) continue
    task.onProgress?.(stage, step.value, total)
    await setImmediate()
    if (isStopped(task)) {
      work.return(undefined as never)
      return undefined
    }
    pausedAt = performance.now()
  }
}
