/**
 * A repository as it is read by us: a folder of our own with a configuration of our own, whose objects, references and
 * index are the repository's. Git reads nothing of the repository's configuration, so nothing in it can name a program,
 * an address, another work tree or another file.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Repository, readSmallFile } from './find-repository.ts'
import { gitLinkBytesMax, gitSettingsBytesMax } from './limits.ts'
import type { GitRun } from './run-git.ts'
import { readSettings } from './settings.ts'

export interface ReadView {
  /** For runs in the repository, beside their own. */
  readonly places: NonNullable<GitRun['places']>
  close(): void
}

/** Undefined where no folder can be made for it. */
export function openReadView({ top, folder, common }: Repository): ReadView | undefined {
  let view: string
  try {
    view = mkdtempSync(path.join(os.tmpdir(), 'wharf-git-'))
  } catch {
    return undefined
  }
  const close = (): void => rmSync(view, { recursive: true, force: true })
  try {
    const kept = (file: string, bytesMax: number) => readSmallFile(file, bytesMax) ?? ''
    writeFileSync(path.join(view, 'HEAD'), kept(path.join(folder, 'HEAD'), gitLinkBytesMax))
    writeFileSync(path.join(view, 'config'), settingsOf(kept(path.join(common, 'config'), gitSettingsBytesMax)))
    mkdirSync(path.join(view, 'info'))
    const excluded = kept(path.join(common, 'info', 'exclude'), gitSettingsBytesMax)
    writeFileSync(path.join(view, 'info', 'exclude'), excluded)
    for (const name of ['objects', 'refs', 'packed-refs', 'reftable', 'shallow']) {
      symlinkSync(path.join(common, name), path.join(view, name))
    }
  } catch {
    close()
    return undefined
  }
  return { places: { GIT_DIR: view, GIT_WORK_TREE: top, GIT_INDEX_FILE: path.join(folder, 'index') }, close }
}

/** What must be carried over for the files to be understood at all. Each has a closed list of values. */
const carried: readonly (readonly [section: string, key: string, values: readonly string[]])[] = [
  ['extensions', 'objectFormat', ['sha1', 'sha256']],
  ['extensions', 'refStorage', ['files', 'reftable']],
  ['core', 'ignoreCase', ['true', 'false']],
  ['core', 'precomposeUnicode', ['true', 'false']],
]

function settingsOf(text: string): string {
  const found = readSettings(text)
  const lines = carried.flatMap(([name, key, values]) => {
    const value = found.get(`${name}.${key}`.toLowerCase())?.toLowerCase()
    return value !== undefined && values.includes(value) ? [`[${name}]\n\t${key} = ${value}\n`] : []
  })
  return `[core]\n\trepositoryFormatVersion = 1\n\tbare = false\n${lines.join('')}`
}
