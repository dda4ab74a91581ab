/**
 * Programs that read lists of ignored files open whatever has such a name, and wait for ever where that is a pipe with
 * nobody at its other end. Whoever runs one has the pipes loosened: when it has not ended for a while they are looked for,
 * and opened for writing and closed again, so that who waits for one finds an empty list.
 */
import { closeSync, constants, lstatSync, openSync, readdirSync, realpathSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { pipesFoldersMax, pipesLooseningMs, pipesQuietMs } from './limits.ts'

const listNames: ReadonlySet<string> = new Set(['.gitignore', '.ignore', '.rgignore', '.gitattributes'])

/** Call the answer when the program has ended. */
export function loosenPipes(root: string): () => void {
  let isOver = false
  let timer: NodeJS.Timeout
  const loosen = (pipes: readonly string[]): void => {
    if (isOver) return
    for (const pipe of pipes) openAndClose(pipe)
    timer = setTimeout(loosen, pipesLooseningMs, pipes)
  }
  timer = setTimeout(async () => {
    const pipes = await pipesIn(root, () => isOver)
    if (pipes.length > 0) loosen(pipes)
  }, pipesQuietMs)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/** Whether such a pipe lies anywhere in a folder, for programs that do one thing at a time. */
export function hasListPipe(root: string): boolean {
  const folders = [root]
  for (let at = 0; at < Math.min(folders.length, pipesFoldersMax); at += 1) {
    const folder = folders[at] ?? root
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (entry.isFIFO() && listNames.has(entry.name)) return true
        if (entry.isDirectory()) folders.push(path.join(folder, entry.name))
      }
    } catch {
      // It went away, or is nobody's to look into.
    }
  }
  return false
}

async function pipesIn(root: string, isOver: () => boolean): Promise<string[]> {
  const pipes = listsAbove(root).filter(isPipe)
  const folders = [root]
  for (let at = 0; at < Math.min(folders.length, pipesFoldersMax) && !isOver(); at += 1) {
    const folder = folders[at] ?? root
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const full = path.join(folder, entry.name)
      if (entry.isDirectory()) folders.push(full)
      // What a link leads to may be a pipe as well.
      else if (listNames.has(entry.name) && !entry.isFile()) pipes.push(full)
    }
  }
  return pipes
}

/** Searches ask the folders above as well, and the settings of a repository. */
function listsAbove(root: string): string[] {
  const found = [path.join(root, '.git/info/exclude')]
  for (let folder = path.dirname(root); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    found.push(path.join(folder, '.git/info/exclude'), ...[...listNames].map((name) => path.join(folder, name)))
  }
  return found
}

function isPipe(full: string): boolean {
  return lstatSync(full, { throwIfNoEntry: false })?.isFIFO() === true
}

/** Never waits, and fails where nobody waits. Nothing but a pipe is opened: of a device that alone may do something. */
function openAndClose(named: string): void {
  try {
    const pipe = realpathSync(named)
    if (isPipe(pipe)) closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW))
  } catch {
    // Nobody reads it, or it is gone.
  }
}
