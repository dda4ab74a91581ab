/** shared/ holds what two families use today. A file only one of them uses belongs into that family. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

/**
 * The indexer is the viewer's other half: the viewer reads what it writes. Both tools on loopback listen by one room. Hosts
 * and scripts are no family.
 */
const roomsByFamily = {
  app: ['workers/app'],
  gateway: ['workers/gateway', 'local/gateway'],
  agent: ['local/agent', 'local/listen'],
  viewer: ['local/viewer', 'local/indexer', 'local/listen'],
} as const

const drawerNames = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'lib', 'index', 'types'])
const waitingHeading = /^#+ waiting for a second family\s*$/im

export interface Admission {
  readonly families: readonly string[]
  readonly problems: readonly string[]
}

export function readAdmission(root: string): Admission {
  const usersByFile = new Map<string, Set<string>>()
  const families: string[] = []
  for (const [family, rooms] of Object.entries(roomsByFamily)) {
    const files = rooms.flatMap((room) => sourcesIn(root, room))
    if (files.length === 0) continue
    families.push(family)
    for (const file of reachedInShared(root, files)) {
      const users = usersByFile.get(file) ?? new Set()
      usersByFile.set(file, users.add(family))
    }
  }

  const problems: string[] = []
  const sources = sourcesIn(root, 'shared').filter((file) => !file.startsWith('shared/pages/'))
  const waiting = waitingFiles(root)
  for (const file of sources) {
    const name = file.slice('shared/'.length)
    const stem = path.basename(name, path.extname(name))
    if (!name.includes('/')) problems.push(`${file}: a file lies in a folder named for its idea, not at the top`)
    if ([...path.dirname(name).split('/'), stem].some((part) => drawerNames.has(part)))
      problems.push(`${file}: the name says where it lies, not what it is`)
    const users = usersByFile.get(file)?.size ?? 0
    if (waiting.has(name)) {
      if (users >= 2) problems.push(`shared/README.md: ${name} has its second family; take it off the waiting list`)
    } else if (families.length >= 2 && users < 2) {
      problems.push(`${file}: ${users === 0 ? 'no family imports it' : 'only one family imports it; move it there'}`)
    }
  }
  for (const name of waiting) {
    if (!sources.includes(`shared/${name}`)) problems.push(`shared/README.md: ${name} waits but does not exist`)
  }
  return { families, problems }
}

/** Files that arrived before their second user, listed in shared/README.md with the family that is to come. */
function waitingFiles(root: string): Set<string> {
  const readme = path.join(root, 'shared/README.md')
  const text = existsSync(readme) ? readFileSync(readme, 'utf8') : ''
  const heading = waitingHeading.exec(text)
  if (heading === null) return new Set()
  const section = text.slice(heading.index + heading[0].length).split(/^#/m)[0] ?? ''
  return new Set([...section.matchAll(/^- `([^`]+)`/gm)].flatMap(([, name]) => (name === undefined ? [] : [name])))
}

function reachedInShared(root: string, starts: readonly string[]): Set<string> {
  const reached = new Set<string>()
  const pending = [...starts]
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    for (const target of importsOf(root, file)) {
      if (!target.startsWith('shared/') || reached.has(target)) continue
      reached.add(target)
      pending.push(target)
    }
  }
  return reached
}

function importsOf(root: string, file: string): string[] {
  return ts.preProcessFile(readFileSync(path.join(root, file), 'utf8')).importedFiles.flatMap(({ fileName }) => {
    const target = fileName.startsWith('#shared/')
      ? fileName.slice(1)
      : path.posix.join(path.posix.dirname(file), fileName)
    return /\.tsx?$/.test(target) && existsSync(path.join(root, target)) ? [target] : []
  })
}

function sourcesIn(root: string, room: string): string[] {
  if (!existsSync(path.join(root, room))) return []
  return readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
    .map((name) => `${room}/${name.split(path.sep).join('/')}`)
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .sort()
}

if (import.meta.main) {
  const { families, problems } = readAdmission(path.dirname(import.meta.dirname))
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  if (families.length < 2) process.stdout.write('Fewer than two families exist: nothing to compare shared/ with yet\n')
  else process.stdout.write(`shared/ is used by ${families.join(', ')}\n`)
  process.exit(problems.length === 0 ? 0 : 1)
}
