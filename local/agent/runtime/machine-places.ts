/** Of the machine and its owner: what a command of the model may look at, and what in it is kept from sight. */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { type Author, readAuthor } from '../../git/author.ts'
import {
  type HiddenPath,
  homeSecrets,
  homeToolchains,
  isWithin,
  type SystemLink,
  sharedShelves,
  systemFolders,
  systemSecrets,
} from '../core/sandbox.ts'
import { macSystemFolders, macSystemSecrets } from '../core/seatbelt.ts'

export interface MachinePlaces {
  readonly home: string
  readonly readable: readonly string[]
  readonly links: readonly SystemLink[]
  readonly hidden: readonly HiddenPath[]
  /** Undefined where git is not told both. */
  readonly author: Author | undefined
}

const settingsCharsMax = 64 * 1024

const system =
  process.platform === 'darwin'
    ? { folders: macSystemFolders, secrets: macSystemSecrets }
    : { folders: systemFolders, secrets: systemSecrets }

export function lookAround(environment: Readonly<Record<string, string>>, withheld: readonly string[]): MachinePlaces {
  const named = environment['HOME'] ?? ''
  const home = realOr(path.isAbsolute(named) && named !== '/' ? named : '/tmp/home')
  const inHome = (name: string) => path.join(home, name)
  const readable = [...system.folders, ...homeToolchains.map(inHome)].filter((at) => existsSync(at))
  for (const entry of (environment['PATH'] ?? '').split(path.delimiter)) {
    const brought = programFolder(entry, home)
    if (brought !== undefined && !readable.some((at) => isWithin(at, brought))) readable.push(brought)
  }
  const hidden = [...system.secrets, ...homeSecrets.map(inHome), ...withheld].flatMap(hiddenAt)
  const links = readable.flatMap((at) => linkInto(readable, at))
  const places = new Set(readable.filter((at) => !links.some((link) => link.at === at)))
  return { home, readable: [...places], links, hidden, author: authorOf(home, environment) }
}

/** Their settings are out of sight, for they hold keys as well; without this no commit can be made there. */
function authorOf(home: string, environment: Readonly<Record<string, string>>): Author | undefined {
  const named = environment['XDG_CONFIG_HOME'] ?? ''
  const folder = path.isAbsolute(named) ? named : path.join(home, '.config')
  const [shared, own] = [path.join(folder, 'git', 'config'), path.join(home, '.gitconfig')].map((file) =>
    readAuthor(textOf(file)),
  )
  const { name = '', email = '' } = { ...shared, ...own }
  return name === '' || email === '' ? undefined : { name, email }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').slice(0, settingsCharsMax)
  } catch {
    return ''
  }
}

function realOr(full: string): string {
  try {
    return realpathSync(full)
  } catch {
    return full
  }
}

/** Where what lies at a path lies within something else that is shown, as `/bin` in `/usr`. */
function linkInto(readable: readonly string[], at: string): SystemLink[] {
  const to = realOr(at)
  return to !== at && readable.some((other) => other !== at && realOr(other) === other && isWithin(other, to))
    ? [{ at, to }]
    : []
}

function hiddenAt(full: string): HiddenPath[] {
  const facts = statSync(full, { throwIfNoEntry: false })
  return facts === undefined ? [] : [{ path: realOr(full), isFolder: facts.isDirectory() }]
}

/** A folder of the search path, with what stands beside it where it is a `bin` of something. */
function programFolder(entry: string, home: string): string | undefined {
  if (!path.isAbsolute(entry) || !existsSync(entry)) return undefined
  const full = realOr(entry)
  const parent = path.dirname(full)
  const shelves = [
    '/',
    '/home',
    '/root',
    '/tmp',
    '/var',
    '/srv',
    home,
    ...sharedShelves.map((name) => path.join(home, name)),
  ]
  const isOfOne = ['bin', 'sbin', 'shims', 'libexec'].includes(path.basename(full))
  const brought = isOfOne && !shelves.some((shelf) => isWithin(parent, shelf)) ? parent : full
  return isWithin(brought, home) || shelves.includes(brought) ? undefined : brought
}
