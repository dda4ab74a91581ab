/** In words, how far the compiler that comes along has judged an index. */
import type { CheckedFiles, CompilerCheck, NotJudgedReason } from '../core/compiler-check.ts'

/** What `status` says; nothing where no check was ever begun. */
export function checkLines(check: CompilerCheck | undefined, figures: CheckedFiles): string[] {
  if (check === undefined) return []
  const { tool, begunMs, endedMs } = check
  const when =
    endedMs === undefined
      ? `begun ${new Date(begunMs).toISOString()}, not ended`
      : `checked ${new Date(endedMs).toISOString()}`
  return [`${figures.judged} of ${figures.files} files judged by ${tool}, ${when}`, ...notJudgedLines(figures)]
}

const notJudgedSentences: Readonly<Record<NotJudgedReason, string>> = {
  too_slow: 'asking the compiler took too long',
  too_much_memory: 'asking the compiler took too much memory',
  compiler_failed: 'the compiler failed at it',
}

export function notJudgedLines({ notJudged }: CheckedFiles): string[] {
  return notJudged.map(({ path, reason }) => `  not judged: ${path}, because ${notJudgedSentences[reason]}`)
}
