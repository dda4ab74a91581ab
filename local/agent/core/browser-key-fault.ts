/** Why the key that signs the cookies of browsers is not taken. One line, for a terminal. */
import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'

interface KeyFile {
  readonly file: string
}
const sentences = {
  unmade: ({ file }: KeyFile) => `${file} cannot be made`,
  unread: ({ file }: KeyFile) => `${file} cannot be read; remove it, and browsers sign in anew`,
  damaged: ({ file }: KeyFile) => `${file} is damaged; remove it, and browsers sign in anew`,
  open: ({ file }: KeyFile) => `${file} could be read by others; remove it, and browsers sign in anew`,
}

export type BrowserKeyFault = FaultOf<typeof sentences>
export const sayBrowserKeyFault = sayBy(sentences)
