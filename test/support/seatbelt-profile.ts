/**
 * A reader of macOS sandbox profiles, for the subset that our own are written in. Source: the grammar and the names of
 * operations and filters as the profiles of the system (version 1, macOS 13 to 15) and its manual, sandbox-exec(1), have them;
 * the last rule that matches decides. As the real compiler does, it refuses a profile with anything it does not know.
 */

export type Form = string | readonly Form[]

const operations = new Set([
  ...[
    'default',
    'process-exec',
    'process-fork',
    'process-info*',
    'signal',
    'mach-lookup',
    'sysctl-read',
    'ipc-posix-sem',
  ],
  ...['file-read*', 'file-read-metadata', 'file-write*', 'file-write-data', 'file-write-unlink', 'file-ioctl'],
  ...['system-socket', 'network-bind', 'network-inbound', 'network-outbound'],
])
const filters = new Set([
  ...['literal', 'subpath', 'global-name', 'sysctl-name-prefix', 'target', 'socket-domain', 'remote', 'local'],
])

export interface ProfileRule {
  readonly action: 'allow' | 'deny'
  readonly operations: readonly string[]
  readonly filters: readonly (readonly [kind: string, ...rest: Form[]])[]
}

export function parseProfile(text: string): ProfileRule[] {
  const [version, ...forms] = readForms(text)
  if (JSON.stringify(version) !== '["version","1"]') throw new Error('sandbox compile error: version')
  return forms.map((form) => {
    const [action, ...rest] = form as Form[]
    if (action !== 'allow' && action !== 'deny') throw new Error(`sandbox compile error: unbound variable ${action}`)
    const named = rest.filter((one) => typeof one === 'string') as string[]
    const filtered = rest.filter((one) => typeof one !== 'string') as [string, ...Form[]][]
    for (const name of named)
      if (!operations.has(name)) throw new Error(`sandbox compile error: unbound variable ${name}`)
    for (const [name] of filtered)
      if (!filters.has(name)) throw new Error(`sandbox compile error: unbound variable ${name}`)
    if (named.length === 0) throw new Error('sandbox compile error: no operation')
    return { action, operations: named, filters: filtered }
  })
}

function readForms(text: string): Form[] {
  const tokens = text.match(/\s+|[()]|"(?:[^"\\]|\\.)*"|[^\s()"]+/g) ?? []
  if (tokens.join('') !== text) throw new Error('sandbox compile error: syntax')
  const top: Form[] = []
  const stack: Form[][] = [top]
  for (const token of tokens) {
    if (token.trim() === '') continue
    if (token === '(') stack.push([])
    else if (token === ')') {
      const done = stack.pop()
      const around = stack.at(-1)
      if (done === undefined || around === undefined) throw new Error('sandbox compile error: unbalanced')
      around.push(done)
    } else stack.at(-1)?.push(token.startsWith('"') ? token.slice(1, -1).replace(/\\(.)/g, '$1') : token)
  }
  if (stack.length !== 1) throw new Error('sandbox compile error: unbalanced')
  return top
}

const within = (folder: string, path: string) => path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
const covers = (ruled: string, operation: string) =>
  ruled === operation || (ruled.endsWith('*') && operation.startsWith(ruled.slice(0, -1)))

/** Whether an operation on a path is allowed. */
export function allows(rules: readonly ProfileRule[], operation: string, path: string): boolean {
  const matching = rules.findLast(
    (rule) =>
      rule.operations.some((ruled) => ruled === 'default' || covers(ruled, operation)) &&
      (rule.filters.length === 0 ||
        rule.filters.some(([kind, value]) =>
          kind === 'literal' ? path === value : kind === 'subpath' && within(String(value), path),
        )),
  )
  return matching?.action === 'allow'
}
