/** Edits as people make them, at random places of a project, each followed by a sync that is compared with a full build. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type IndexPlace, indexPlace } from '../../local/indexer/store/index-folder.ts'
import { type SyncReport, syncIndex } from '../../local/indexer/sync.ts'
import { seededRandom } from '../long/seeded-random.ts'
import { contentOf } from './index-content.ts'

export interface EditVerdict {
  /** Syncs that replaced rows of the published index instead of writing a new one. */
  readonly patched: number
  readonly differences: readonly string[]
}

export interface EditOptions {
  /** Files that are edited. */
  readonly wanted?: RegExp
  /** Files come, go and move too, several turns between two syncs. */
  readonly moves?: boolean
  readonly log?: (line: string) => void
}

export async function checkRandomEdits(
  place: IndexPlace,
  seed: number,
  rounds: number,
  { wanted = /\.tsx?$/, moves = false, log = () => {} }: EditOptions = {},
): Promise<EditVerdict> {
  const random = seededRandom(seed)
  const whole = indexPlace(place.root, '.whole')
  const tree = new EditedTree(place.root, wanted, random)
  let clockMs = Date.now()
  const sync = async (at: IndexPlace, isFull: boolean): Promise<SyncReport> => {
    clockMs += 1000
    const outcome = await syncIndex({ place: at, isFull, nowMs: clockMs, version: 'edits' })
    if (outcome.kind !== 'done') throw new Error(outcome.kind)
    return outcome.report
  }
  const differences: string[] = []
  let patched = 0
  await sync(place, true)
  for (let round = 0; round < rounds; round += 1) {
    const turns = Array.from({ length: moves ? 1 + Math.floor(random() * 3) : 1 }, () =>
      moves && random() < 0.7 ? tree.move() : tree.edit(),
    )
    const done = turns.filter((one) => one !== undefined).join(', ')
    if (done === '') continue
    const synced = await sync(place, false)
    if (synced.linked < synced.files) patched += 1
    const built = await sync(whole, true)
    const isSame = contentOf(place) === contentOf(whole)
    if (!isSame) differences.push(`round ${round}: ${done}`)
    log(
      `${round} ${done}: ${synced.linked} of ${synced.files} linked in ${synced.elapsedMs} ms, whole ${built.elapsedMs} ms${isSame ? '' : ', DIFFERENT'}`,
    )
  }
  return { patched, differences }
}

/** A folder in which files are edited, come, go and move. */
class EditedTree {
  readonly #root: string
  readonly #wanted: RegExp
  readonly #random: () => number
  /** Files taken away, which may come back. */
  readonly #taken: { readonly file: string; readonly text: string }[] = []

  constructor(root: string, wanted: RegExp, random: () => number) {
    this.#root = root
    this.#wanted = wanted
    this.#random = random
  }

  edit(): string | undefined {
    const file = this.#any(this.#files()) ?? ''
    const before = this.#read(file)
    const edit = /\.tsx?$/.test(file) ? randomEdit(before, this.#random) : lineEdit(file, before, this.#random)
    if (edit.text === before) return undefined
    this.#write(file, edit.text)
    return `${edit.kind} in ${file}`
  }

  move(): string | undefined {
    const kind = this.#any(['take away', 'take away', 'bring back', 'bring back', 'copy', 'rename'] as const)
    const file = this.#any(this.#files())
    if (file === undefined || kind === 'bring back') return this.#bringBack()
    const text = this.#read(file)
    if (kind === 'copy' || kind === 'rename') {
      const to = this.#newPath(file)
      if (kind === 'rename') rmSync(path.join(this.#root, file))
      this.#write(to, text)
      return `${kind} ${file} to ${to}`
    }
    rmSync(path.join(this.#root, file))
    this.#taken.push({ file, text })
    return `take away ${file}`
  }

  #bringBack(): string | undefined {
    const at = Math.floor(this.#random() * this.#taken.length)
    const [one] = this.#taken.splice(at, 1)
    if (one === undefined) return undefined
    this.#write(one.file, one.text)
    return `bring back ${one.file}`
  }

  /** Beside another file, or in a folder of its own there; under its name, that of another, or a new one. */
  #newPath(file: string): string {
    const files = this.#files()
    const beside = path.dirname(this.#any(files) ?? file)
    const folder = this.#any([beside, beside, path.join(beside, 'fresh'), path.dirname(file)] as const) ?? beside
    const extension = path.extname(file)
    const stem = path.basename(file, extension)
    const other = path.basename(this.#any(files) ?? file, extension)
    return path.join(folder, `${this.#any([stem, other, `${stem}_more`] as const) ?? stem}${extension}`)
  }

  #files(): string[] {
    return readdirSync(this.#root, { recursive: true })
      .map(String)
      .filter((file) => this.#wanted.test(file) && !file.startsWith('.'))
      .sort()
  }

  #any<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)]
  }

  #read(file: string): string {
    return readFileSync(path.join(this.#root, file), 'utf8')
  }

  #write(file: string, text: string): void {
    const whole = path.join(this.#root, file)
    mkdirSync(path.dirname(whole), { recursive: true })
    writeFileSync(whole, text)
  }
}

const declaration = /^export (?:declare )?(?:async )?(?:abstract )?(?:function|const|class|interface|type) ([\w$]+)/gm
const member = /^ {2}(?:async |static |readonly )?([a-z][\w]*)\(/gm
const returned = /return ([^;\n]+);?$/gm

function anyMatch(text: string, pattern: RegExp, random: () => number): RegExpMatchArray | undefined {
  const found = [...text.matchAll(pattern)]
  return found[Math.floor(random() * found.length)]
}

function lineAt(text: string, random: () => number): number {
  const at = text.indexOf('\n', Math.floor(random() * text.length))
  return at === -1 ? text.length : at + 1
}

interface Edit {
  readonly kind: string
  readonly text: string
}

function randomEdit(text: string, random: () => number): Edit {
  const kinds = ['rename', 'rename member', 'remove', 'add', 'add member', 'comment', 'result', 'type', 'cut', 'star']
  const kind = kinds[Math.floor(random() * kinds.length)] ?? 'comment'
  return { kind, text: edited(kind, text, random) }
}

function edited(kind: string, text: string, random: () => number): string {
  switch (kind) {
    case 'rename':
    case 'rename member': {
      const match = anyMatch(text, kind === 'rename' ? declaration : member, random)
      const name = match?.[1]
      if (match === undefined || name === undefined) return `${text}\n`
      const at = (match.index ?? 0) + match[0].lastIndexOf(name)
      return `${text.slice(0, at)}${name}Renamed${text.slice(at + name.length)}`
    }
    case 'remove': {
      const match = anyMatch(text, declaration, random)
      if (match === undefined) return text
      const start = match.index ?? 0
      const end = text.indexOf('\nexport ', start)
      return text.slice(0, start) + (end === -1 ? '' : text.slice(end))
    }
    case 'add':
      return `${text}\nexport function added${Math.floor(random() * 5)}() {\n  return parse(safeParse())\n}\n`
    case 'add member': {
      const at = text.search(/^(export )?class [^{]*\{$/m)
      const end = at === -1 ? -1 : text.indexOf('\n', at) + 1
      return end === -1 ? text : `${text.slice(0, end)}  extra() {\n    return this.clone()\n  }\n${text.slice(end)}`
    }
    case 'comment': {
      const at = lineAt(text, random)
      return `${text.slice(0, at)}// a remark\n${text.slice(at)}`
    }
    case 'result': {
      const match = anyMatch(text, returned, random)
      if (match?.[1] === undefined) return text
      const at = (match.index ?? 0) + 'return '.length
      return `${text.slice(0, at)}undefined as never${text.slice(at + match[1].length)}`
    }
    case 'type': {
      const match = anyMatch(text, /extends ([\w.]+)/g, random)
      const at = (match?.index ?? 0) + 'extends '.length
      return match?.[1] === undefined ? text : `${text.slice(0, at)}Object${text.slice(at + match[1].length)}`
    }
    case 'cut': {
      const at = lineAt(text, random)
      return text.slice(0, at) + text.slice(lineAt(text.slice(at), random) + at)
    }
    default:
      return text.includes('export * from')
        ? text.replace(/^export \* from .*$/m, '')
        : `export * from './util.js'\n${text}`
  }
}

/** Edits of lines and words, which every language has. What comes out need not be right: people save that too. */
function lineEdit(file: string, text: string, random: () => number): Edit {
  const kinds = ['remark', 'remark', 'cut', 'copy', 'move', 'rename one', 'rename all', 'swap names'] as const
  const kind = kinds[Math.floor(random() * kinds.length)] ?? 'remark'
  const lines = text.split('\n')
  const at = Math.floor(random() * lines.length)
  const to = Math.floor(random() * lines.length)
  const line = lines[at] ?? ''
  const word = anyMatch(text, /\b[A-Za-z_]\w{2,}\b/g, random)
  const [name = ''] = word ?? []
  const everywhere = new RegExp(`\\b${name}\\b`, 'g')
  switch (kind) {
    case 'remark':
      return { kind, text: lines.toSpliced(at, 0, /\.(py|rb)$/.test(file) ? '# a remark' : '// a remark').join('\n') }
    case 'cut':
      return { kind, text: lines.toSpliced(at, 1).join('\n') }
    case 'copy':
      return { kind, text: lines.toSpliced(to, 0, line).join('\n') }
    case 'move':
      return { kind, text: lines.toSpliced(at, 1).toSpliced(to, 0, line).join('\n') }
    case 'rename one': {
      const end = (word?.index ?? 0) + name.length
      return { kind, text: `${text.slice(0, end)}Renamed${text.slice(end)}` }
    }
    case 'rename all':
      return { kind, text: text.replace(everywhere, `${name}Renamed`) }
    case 'swap names': {
      const [other = name] = anyMatch(text, /\b[A-Za-z_]\w{2,}\b/g, random) ?? []
      return { kind, text: text.replace(everywhere, other) }
    }
  }
}
