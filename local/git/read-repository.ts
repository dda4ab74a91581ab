/** What we ask of a repository that may be anybody's. */
import os from 'node:os'
import path from 'node:path'
import { findRepository, type Repository, readSmallFile } from './find-repository.ts'
import { gitSettingsBytesMax } from './limits.ts'
import { openReadView } from './read-view.ts'
import { type GitRun, runGit, runGitSync } from './run-git.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const usualSearchPath = '/usr/local/bin:/usr/bin:/bin'

/** Undefined where git fails. */
export async function askRepository(
  repository: Repository,
  args: readonly string[],
  searchPath: string,
  more: Pick<GitRun, 'msMax' | 'outputBytesMax'> = {},
): Promise<string | undefined> {
  const view = openReadView(repository)
  if (view === undefined) return undefined
  try {
    const outcome = await runGit(args, { cwd: repository.top, searchPath, places: view.places, ...more })
    return outcome.ok && !outcome.value.isCut ? outcome.value.text : undefined
  } finally {
    view.close()
  }
}

/** As `askRepository`, from a folder in a repository and for programs that do one thing at a time. */
export function askFolder(
  folder: string,
  args: readonly string[],
  environment: Environment,
  more: Pick<GitRun, 'settings' | 'msMax'> = {},
): string | undefined {
  const repository = findRepository(folder)
  const view = repository === undefined ? undefined : openReadView(repository)
  if (view === undefined) return undefined
  try {
    const searchPath = environment['PATH'] ?? usualSearchPath
    const outcome = runGitSync(args, { cwd: folder, searchPath, places: view.places, ...more })
    return outcome.ok ? outcome.value : undefined
  } finally {
    view.close()
  }
}

/** Where the owner keeps the list of files that all of his repositories leave out. */
export function ownerExcludesFile(environment: Environment): string {
  const named = ownerValue(['--type=path', '--get', 'core.excludesFile'], environment)
  if (named !== undefined) return named
  const folder = environment['XDG_CONFIG_HOME'] || path.join(environment['HOME'] ?? os.homedir(), '.config')
  return path.join(folder, 'git/ignore')
}

/** What the owner calls himself, in this repository or in general. */
export function authorName(folder: string, environment: Environment): string | undefined {
  const repository = findRepository(folder)
  const file = repository === undefined ? undefined : path.join(repository.common, 'config')
  // A file that is no ordinary one, or too large, is not handed to git.
  const isFileSane = file !== undefined && readSmallFile(file, gitSettingsBytesMax) !== undefined
  const here = isFileSane
    ? settingValue(['config', '--file', file, '--no-includes', '--get', 'user.name'], environment, {})
    : undefined
  return here ?? ownerValue(['--get', 'user.name'], environment)
}

function ownerValue(args: readonly string[], environment: Environment): string | undefined {
  return settingValue(['config', '--global', '--includes', ...args], environment, {
    HOME: environment['HOME'] ?? os.homedir(),
    XDG_CONFIG_HOME: environment['XDG_CONFIG_HOME'] ?? '',
    GIT_CONFIG_GLOBAL: environment['GIT_CONFIG_GLOBAL'] ?? '',
  })
}

/** A setting read as a value: no repository is opened for it. */
function settingValue(args: readonly string[], environment: Environment, places: Readonly<Record<string, string>>) {
  const outcome = runGitSync(args, {
    cwd: '/',
    searchPath: environment['PATH'] ?? usualSearchPath,
    places: { GIT_DIR: os.devNull, ...places },
    outputBytesMax: gitSettingsBytesMax,
  })
  const value = outcome.ok ? outcome.value.replace(/\n$/, '') : ''
  return value === '' ? undefined : value
}
