/** What the agent asks about code, of whoever keeps an index of the project. */
export interface CodeSenses {
  /** Whether there is an index of the folder; asked before each step, because one may be built in between. */
  hasIndex(directory: string): boolean
  /** Whether a question of the folder may have one built. */
  mayBuild(directory: string): boolean
  /** The folder is gone. */
  forget(directory: string): void
  /**
   * Answers from what the files say now, or says that the index is being built. `mayShow`: a file whose text the model may
   * be given without anybody being asked, by its path from the folder. `freshMsMax`: rather an answer without the last
   * changes than one that comes later than this.
   */
  ask(
    directory: string,
    tool: string,
    input: Readonly<Record<string, unknown>>,
    mayShow: (path: string) => boolean,
    signal: AbortSignal,
    freshMsMax?: number,
  ): Promise<{ readonly text: string; readonly isError: boolean }>
}
