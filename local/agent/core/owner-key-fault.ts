/** Why a key of the data folder is not taken. One line, for a terminal. */
import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'

interface KeyFile {
  readonly file: string
}
const sentences = {
  unmade: ({ file }: KeyFile) => `${file} cannot be made`,
  unread: ({ file }: KeyFile) => `${file} cannot be read; remove it, and whoever signed in does so anew`,
  damaged: ({ file }: KeyFile) => `${file} is damaged; remove it, and whoever signed in does so anew`,
  open: ({ file }: KeyFile) => `${file} could be read by others; remove it, and whoever signed in does so anew`,
}

export type OwnerKeyFault = FaultOf<typeof sentences>
export const sayOwnerKeyFault = sayBy(sentences)
