/** A program in a real pseudo-terminal, and its screen as a terminal emulator makes it of what it writes. */
import { type IPty, spawn } from '@lydell/node-pty'
import headless from '@xterm/headless'
import { until } from './process-host.ts'

export interface ProgramScreen {
  /** Lines of the screen and of what scrolled off, without what is blank at their ends. */
  lines(): string[]
  text(): string
  /** Titles that the program gave its window. */
  readonly titles: readonly string[]
  type(keys: string): void
  shows(pattern: RegExp): Promise<void>
  resize(columns: number, rows: number): void
  readonly ended: Promise<number>
  end(): void
}

export interface ScreenOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly columns?: number
  readonly rows?: number
}

export function startOnScreen(command: readonly string[], options: ScreenOptions): ProgramScreen {
  const { columns: cols = 90, rows = 30, cwd, env } = options
  const [program = '', ...args] = command
  const emulator = new headless.Terminal({ cols, rows, scrollback: 2_000, allowProposedApi: true })
  const child: IPty = spawn(program, args, { name: 'xterm-256color', cols, rows, cwd, env: { ...env } })
  const titles: string[] = []
  emulator.onTitleChange((title) => titles.push(title))
  // The emulator answers what a program asks its terminal, as a real one does.
  emulator.onData((answer) => child.write(answer))
  child.onData((data) => emulator.write(data))
  const ended = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)))
  const lines = () => {
    const { active } = emulator.buffer
    const all = Array.from(
      { length: active.length },
      (_unused, at) => active.getLine(at)?.translateToString(true) ?? '',
    )
    return all.slice(0, all.findLastIndex((line) => line !== '') + 1)
  }
  return {
    lines,
    text: () => lines().join('\n'),
    titles,
    type: (keys) => child.write(keys),
    async shows(pattern) {
      try {
        await until(() => pattern.test(lines().join('\n')))
      } catch (cause) {
        throw new Error(`the screen does not show ${pattern}:\n${lines().join('\n')}`, { cause })
      }
    },
    resize(columns, height) {
      emulator.resize(columns, height)
      child.resize(columns, height)
    },
    ended,
    end: () => child.kill('SIGKILL'),
  }
}
