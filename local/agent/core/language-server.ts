/** Which language servers are asked about a file, and what they answer as lines for a model. */

export interface LanguageServerSpec {
  readonly program: string
  readonly args: readonly string[]
  /** Endings and what the protocol calls their language. */
  readonly languages: Readonly<Record<string, string>>
  readonly isPackage: boolean
}

export const languageServers: readonly LanguageServerSpec[] = [
  {
    program: 'typescript-language-server',
    args: ['--stdio'],
    isPackage: true,
    languages: {
      ...{ '.ts': 'typescript', '.mts': 'typescript', '.cts': 'typescript', '.tsx': 'typescriptreact' },
      ...{ '.js': 'javascript', '.mjs': 'javascript', '.cjs': 'javascript', '.jsx': 'javascriptreact' },
    },
  },
  {
    program: 'pyright-langserver',
    args: ['--stdio'],
    isPackage: true,
    languages: { '.py': 'python', '.pyi': 'python' },
  },
  { program: 'gopls', args: [], isPackage: false, languages: { '.go': 'go' } },
  { program: 'rust-analyzer', args: [], isPackage: false, languages: { '.rs': 'rust' } },
  {
    program: 'clangd',
    args: [],
    isPackage: false,
    languages: {
      ...{ '.c': 'c', '.h': 'c', '.cc': 'cpp', '.cpp': 'cpp', '.cxx': 'cpp', '.hh': 'cpp', '.hpp': 'cpp' },
      ...{ '.m': 'objective-c', '.mm': 'objective-cpp' },
    },
  },
]

export function languageOf({ languages }: LanguageServerSpec, file: string): string | undefined {
  return Object.entries(languages).find(([ending]) => file.endsWith(ending))?.[1]
}

export interface Diagnostic {
  /** From 1, as editors count. */
  readonly line: number
  readonly column: number
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly code?: string
}

const messageCharactersMax = 500

/** What a server sent, as far as it has the shape of diagnostics. Hints and remarks are left out. */
export function readDiagnostics(items: unknown): Diagnostic[] {
  if (!Array.isArray(items)) return []
  return items.flatMap((item: unknown) => {
    const { range, severity, message, code } = (item ?? {}) as Record<string, unknown>
    const start = (range as { start?: { line?: unknown; character?: unknown } } | undefined)?.start
    if (typeof start?.line !== 'number' || typeof start.character !== 'number' || typeof message !== 'string') return []
    // Where a server does not say how bad it is, the client decides.
    if (severity !== undefined && severity !== 1 && severity !== 2) return []
    return {
      line: start.line + 1,
      column: start.character + 1,
      severity: severity === 2 ? ('warning' as const) : ('error' as const),
      message: message.replace(/\s+/g, ' ').trim().slice(0, messageCharactersMax),
      ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    }
  })
}

/** Errors first, each in the order of the file, and how many more there are. */
export function sayDiagnostics(file: string, found: readonly Diagnostic[], shownMax: number): string {
  if (found.length === 0) return ''
  const rank = ({ severity, line, column }: Diagnostic) => (severity === 'error' ? 0 : 1e12) + line * 1e5 + column
  const lines = found
    .toSorted((left, right) => rank(left) - rank(right))
    .slice(0, shownMax)
    .map(
      ({ line, column, severity, message, code }) =>
        `${file}:${line}:${column} ${severity}${code === undefined ? '' : ` ${code}`}: ${message}`,
    )
  const more = found.length - lines.length
  return [...lines, ...(more > 0 ? [`(${more} more)`] : [])].join('\n')
}
