/** What an archive or delete leaves undone. */
import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'

const sentences = {
  more: ({ most }: { readonly most: number }) =>
    `More than ${most} sessions are that old: the rest takes another round`,
  left: ({ path }: { readonly path: string }) => `${path} could not be removed; the next start tries again`,
}

export type PruneNote = FaultOf<typeof sentences>
export const sayPruneNote = sayBy(sentences)
