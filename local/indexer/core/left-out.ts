/** Files of a project that its index does not hold, each with the reason. */

export const leftOutReasons = [
  /** More bytes than a source file has. */
  'too_large',
  /** It holds a zero byte, which no text does. */
  'not_text',
  'unreadable',
  /** The index holds as many files as it may. */
  'too_many_files',
  /** In a folder of what tools bring or produce, though it is under version control. */
  'brought_in',
] as const
export type LeftOutReason = (typeof leftOutReasons)[number]

export interface LeftOut {
  /** Root-relative; of several files brought in, their folder, with a slash at its end. */
  readonly path: string
  readonly reason: LeftOutReason
  readonly files: number
  /** Of a single file; 0 where nobody looked. */
  readonly bytes: number
}

export function filesLeftOut(list: readonly LeftOut[]): number {
  return list.reduce((sum, one) => sum + one.files, 0)
}
