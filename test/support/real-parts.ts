/** Real programs that tests drive: a missing one fails in CI, and elsewhere is a skip that names the remedy. */
import { accessSync, constants } from 'node:fs'
import path from 'node:path'

/** The Debian package that brings each program. `.ci/run` installs the same names. */
const debianPackages = {
  'qbittorrent-nox': 'qbittorrent-nox',
  'transmission-daemon': 'transmission-daemon',
  deluged: 'deluged',
  'deluge-web': 'deluge-web',
  rtorrent: 'rtorrent',
  opentracker: 'opentracker',
  chromium: 'chromium',
  'chromium-headless-shell': 'chromium-headless-shell',
  openssl: 'openssl',
  bwrap: 'bubblewrap',
  nginx: 'nginx-light',
  ngircd: 'ngircd',
  inspircd: 'inspircd',
  anope: 'anope',
} as const

/** Where Debian puts servers; only root has it in the search path. */
const systemFolder = '/usr/sbin'

export type RealPartName = keyof typeof debianPackages

export interface RealPart {
  /** Absolute path of the program; the bare name when it is missing, so that a forgotten skip fails on start. */
  readonly path: string
  readonly isMissing: boolean
  /** Empty, or why the tests are skipped and how to get them: append it to the name of the skipped `describe`. */
  readonly skipNote: string
}

/**
 * Finds a real program: `const daemon = requireReal('qbittorrent-nox')`, then
 * `describe.skipIf(daemon.isMissing)(`… ${daemon.skipNote}`, …)`. With `CI` set a missing program throws.
 */
export function requireReal(
  name: RealPartName,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): RealPart {
  const found = findProgram(name, `${environment['PATH'] ?? ''}${path.delimiter}${systemFolder}`)
  if (found !== undefined) return { path: found, isMissing: false, skipNote: '' }
  const remedy = `${name} is missing: apt-get install --no-install-recommends ${debianPackages[name]}`
  if (isSet(environment['CI'])) throw new Error(remedy)
  return { path: name, isMissing: true, skipNote: `(skipped, ${remedy})` }
}

function findProgram(name: string, searchPath: string): string | undefined {
  for (const folder of searchPath.split(path.delimiter)) {
    if (folder === '') continue
    const candidate = path.join(folder, name)
    try {
      accessSync(candidate, constants.X_OK)
      return candidate
    } catch {
      // Not in this folder: the next one may have it.
    }
  }
  return undefined
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'false' && value !== '0'
}
