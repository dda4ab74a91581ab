/** Where a command writes. Tests give their own; the command line gives the terminal. */
export interface Output {
  line(text: string): void
  error(text: string): void
  /** One line that is written over; absent where nobody watches. */
  progress?(text: string): void
}

export class CommandRefusal extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

export function printJson(output: Output, value: unknown): void {
  output.line(JSON.stringify(value, null, 2))
}
