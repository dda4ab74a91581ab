/**
 * Stands in for macOS's sandbox-exec on Linux: takes `-p PROFILE` and a command, refuses a profile it cannot compile (exit code
 * 65, as the real one), and carries the rules on files, network and processes out by bubblewrap. Source: see
 * seatbelt-profile.ts. What only the real kernel decides (services, system facts) is not in its reach.
 */
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { requireReal } from './real-parts.ts'
import { allows, type ProfileRule, parseProfile } from './seatbelt-profile.ts'

const [flag, profile = '', ...words] = process.argv.slice(2)
if (flag !== '-p' || words.length === 0) {
  process.stderr.write('Usage: sandbox-exec [options] command [args]\n')
  process.exit(64)
}
let rules: ProfileRule[]
try {
  rules = parseProfile(profile)
} catch (error) {
  process.stderr.write(`sandbox-exec: ${error instanceof Error ? error.message : error}\n`)
  process.exit(65)
}

/** Each path of a rule, from the outside in, as the rules together have it. */
const places = [
  ...new Set(
    rules
      .filter(({ operations }) => operations.some((name) => name.startsWith('file-')))
      .flatMap(({ filters }) => filters.flatMap(([kind, value]) => (kind === 'subpath' ? [String(value)] : []))),
  ),
].sort((left, right) => left.split('/').length - right.split('/').length)

const mounts = places.flatMap((at): string[] => {
  const facts = statSync(at, { throwIfNoEntry: false })
  if (facts === undefined || at.startsWith('/dev/')) return []
  if (allows(rules, 'file-write-data', at)) return ['--bind', at, at]
  if (allows(rules, 'file-read-data', at)) return ['--ro-bind', at, at]
  return facts.isDirectory() ? ['--perms', '0555', '--tmpfs', at] : ['--ro-bind', '/dev/null', at]
})
/** What macOS has in its shared cache of libraries, whatever a profile says. */
const libraries = ['/lib', '/lib64'].filter((at) => statSync(at, { throwIfNoEntry: false }) !== undefined)
const sockets = rules.flatMap(({ operations, filters }) =>
  operations.includes('network-outbound')
    ? filters.flatMap(([kind, family, at]) => (kind === 'remote' && family === 'unix-socket' ? [String(at?.[1])] : []))
    : [],
)
const child = spawn(
  requireReal('bwrap').path,
  [
    ...['--unshare-all', '--die-with-parent', ...libraries.flatMap((at) => ['--ro-bind', at, at]), ...mounts],
    ...sockets.flatMap((at) => ['--ro-bind', at, at]),
    ...['--dev', '/dev', '--proc', '/proc', '--remount-ro', '/', '--chdir', process.cwd(), '--', ...words],
  ],
  { stdio: ['inherit', 'inherit', 'inherit', 3] },
)
process.on('SIGTERM', () => undefined)
child.on('error', (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(71)
})
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGTERM' ? 143 : 137)))
