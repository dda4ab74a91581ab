/** Why configuration cannot be taken: the file, and the line where that is known. One line each. */

import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'

interface InFile {
  readonly file: string
}
interface AtLine extends InFile {
  readonly line: number
}

const sentences = {
  unread: ({ file }: InFile) => `${file}: cannot be read`,
  too_long: ({ file, bytesMax }: InFile & { bytesMax: number }) => `${file}: is longer than ${bytesMax} bytes`,
  leads_out: ({ file }: InFile) => `${file}: is a link that leads out of the project`,
  /** `reason`: the reader of the format. */
  syntax: ({ file, line, reason }: AtLine & { reason: string }) => `${file}:${line}: ${reason}`,
  repeats: ({ file, line }: AtLine) => `${file}:${line}: the head repeats itself too often`,
  /** `reason`: the shape that there is for it; `name` is empty for the whole. */
  value: ({ file, line, name, reason }: AtLine & { name: string; reason: string }) =>
    `${file}:${line}: ${name === '' ? '' : `${name}: `}${reason}`,
  unknown_key: ({ file, line, name }: AtLine & { name: string }) => `${file}:${line}: ${name}: unknown key`,
  unfilled: ({ file, line, reference }: AtLine & { reference: string }) =>
    `${file}:${line}: ${reference} cannot be read`,
  too_many_rules: ({ file, most }: InFile & { most: number }) => `${file}: instructions: more than ${most} files`,
}

export type ConfigurationFault = FaultOf<typeof sentences>
export const sayConfigurationFault = sayBy(sentences)
