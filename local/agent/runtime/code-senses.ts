/** What the agent asks about code, of whoever keeps an index of the project. */
export interface CodeSenses {
  /** Whether the folder has an index of its own; asked before each step, because one may be built in between. */
  hasIndex(directory: string): boolean
  /** `mayShow`: a file whose text the model may be given without anybody being asked, by its path from the folder. */
  ask(
    directory: string,
    tool: string,
    input: Readonly<Record<string, unknown>>,
    mayShow: (path: string) => boolean,
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly isError: boolean }>
}
