/** Folders that hold what tools produce or bring: never source of the project itself. */
const builtInIgnored: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  'dist',
  'build',
  'out',
  'target',
  'vendor',
  '.venv',
  'venv',
  '__pycache__',
  '.tox',
  '.mypy_cache',
  '.pytest_cache',
  'site-packages',
  'coverage',
  '.nyc_output',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.output',
  '.turbo',
  '.cache',
  '.gradle',
  '.idea',
  '.vscode',
  '.git',
  '.hg',
  '.svn',
  'Pods',
  'DerivedData',
  'obj',
])

/** Names that a project may have for source of its own: what it keeps there under version control is that. */
const ambiguous: ReadonlySet<string> = new Set(['dist', 'build', 'out'])

/** The outermost folder of that kind that a path lies in. */
export function builtInIgnoredFolder(path: string, isTracked = false): string | undefined {
  const segments = path.split('/')
  const at = segments
    .slice(0, -1)
    .findIndex((segment) => builtInIgnored.has(segment) && !(isTracked && ambiguous.has(segment)))
  return at === -1 ? undefined : segments.slice(0, at + 1).join('/')
}

export interface IgnoreRule {
  readonly pattern: RegExp
  readonly isNegated: boolean
  readonly isFolderOnly: boolean
}

/** Rules of one ignore file (the syntax of .gitignore), relative to the folder it lies in. */
export function parseIgnoreRules(text: string, folder = ''): IgnoreRule[] {
  const rules: IgnoreRule[] = []
  for (const raw of text.split('\n')) {
    let line = raw.replace(/\r$/, '').replace(/(?<!\\) +$/, '')
    if (line === '' || line.startsWith('#')) continue
    const isNegated = line.startsWith('!')
    if (isNegated) line = line.slice(1)
    const isFolderOnly = line.endsWith('/')
    if (isFolderOnly) line = line.slice(0, -1)
    const isAnchored = line.includes('/')
    if (line.startsWith('/')) line = line.slice(1)
    if (line === '') continue
    const prefix = folder === '' ? '' : `${escapeText(folder)}/`
    rules.push({
      pattern: new RegExp(`^${prefix}${isAnchored ? '' : '(?:.*/)?'}${globSource(line)}$`),
      isNegated,
      isFolderOnly,
    })
  }
  return rules
}

/** Whether the rules ignore a path, itself or through one of its folders. The last rule that matches decides. */
export function isIgnored(path: string, rules: readonly IgnoreRule[]): boolean {
  if (rules.length === 0) return false
  const segments = path.split('/')
  for (let depth = 1; depth <= segments.length; depth += 1) {
    const part = segments.slice(0, depth).join('/')
    const isFolder = depth < segments.length
    let ignored = false
    for (const rule of rules) {
      if (rule.isFolderOnly && !isFolder) continue
      if (rule.pattern.test(part)) ignored = !rule.isNegated
    }
    if (ignored) return true
  }
  return false
}

function globSource(glob: string): string {
  let source = ''
  for (let at = 0; at < glob.length; at += 1) {
    const char = glob.charAt(at)
    if (char === '*') {
      if (glob[at + 1] === '*') {
        const isWhole = (at === 0 || glob[at - 1] === '/') && (at + 2 >= glob.length || glob[at + 2] === '/')
        if (isWhole && glob[at + 2] === '/') {
          source += '(?:[^/]+/)*'
          at += 2
        } else {
          source += '.*'
          at += 1
        }
      } else source += '[^/]*'
    } else if (char === '?') source += '[^/]'
    else if (char === '[') {
      const end = glob.indexOf(']', at + 1)
      if (end === -1) source += '\\['
      else {
        source += `[${glob
          .slice(at + 1, end)
          .replace(/^!/, '^')
          .replace(/[\\[]/g, '\\$&')}]`
        at = end
      }
    } else if (char === '\\' && at + 1 < glob.length) {
      at += 1
      source += escapeText(glob.charAt(at))
    } else source += escapeText(char)
  }
  return source
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
