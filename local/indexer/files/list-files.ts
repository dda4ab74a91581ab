/** Which files of a project are its source: what git tracks or would track, less what tools produce. */
import { lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { readSmallFile } from '../../git/find-repository.ts'
import { hasListPipe } from '../../git/loosen-pipes.ts'
import { askFolder, ownerExcludesFile } from '../../git/read-repository.ts'
import { builtInIgnoredFolder, type IgnoreRule, isIgnored, parseIgnoreRules } from '../core/ignore-rules.ts'
import { languageOf } from '../core/language-of.ts'
import type { LeftOut } from '../core/left-out.ts'
import { fileBytesMax, filesMax, folderDepthMax, listingMsMax, listingQuietMsMax } from '../limits.ts'

export interface SourceFile {
  /** Root-relative, forward slashes. */
  readonly path: string
  readonly size: number
  readonly modifiedMs: number
}

export interface Listing {
  readonly files: SourceFile[]
  /** package.json, tsconfig and the like: not source, but they say what names mean. */
  readonly settings: string[]
  readonly leftOut: readonly LeftOut[]
}

const settingsFile =
  /(^|\/)(package\.json|[tj]sconfig[^/]*\.json|go\.mod|Cargo\.toml|[^/]+\.csproj|Directory\.Build\.(props|targets))$/

export function listFiles(root: string, exclude: readonly string[]): Listing {
  const rules = parseIgnoreRules(exclude.join('\n'))
  const brought = new Map<string, number>()
  const paths: string[] = []
  for (const [one, isTracked] of listByGit(root) ?? walk(root)) {
    if (isIgnored(one, rules)) continue
    const folder = builtInIgnoredFolder(one, isTracked)
    if (folder === undefined) paths.push(one)
    else if (languageOf(one) !== undefined) brought.set(folder, (brought.get(folder) ?? 0) + 1)
  }
  paths.sort()
  const leftOut = [...brought]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([folder, files]): LeftOut => ({ path: `${folder}/`, reason: 'brought_in', files, bytes: 0 }))
  const files: SourceFile[] = []
  for (const one of paths) {
    if (languageOf(one) === undefined) continue
    const found = statSource(root, one)
    if (found === undefined) continue
    if (found.size > fileBytesMax) leftOut.push({ path: one, reason: 'too_large', files: 1, bytes: found.size })
    else if (files.length >= filesMax)
      leftOut.push({ path: one, reason: 'too_many_files', files: 1, bytes: found.size })
    else files.push(found)
  }
  return { files, settings: paths.filter((one) => settingsFile.test(one)), leftOut }
}

const otherText =
  /\.(md|rst|adoc|txt|sample|example|erb|haml|slim|builder|jbuilder|rake|html?|xhtml|twig|blade|latte|tpl|phtml|j2|jinja2?|mustache|hbs|handlebars|ejs|pug|njk|liquid|cshtml|razor|xaml|jspx?|ftl|vm|astro|mdx|ya?ml|json|toml|ini|cfg|conf|xml|ui|glade|qml|properties|gradle|kts?|tf|sh|sql|graphql|proto|service|desktop|cmake|am|in|s|asm|lua|swift|m|mm)$|(^|\/)(Makefile|Rakefile|Gemfile|Procfile|Dockerfile|CMakeLists\.txt|[^/.]+)$/i

/** Texts that are no source of a language of the index and may name what is. */
export function listOtherTexts(root: string, exclude: readonly string[]): string[] {
  const rules = parseIgnoreRules(exclude.join('\n'))
  return [...(listByGit(root) ?? walk(root))]
    .filter(
      ([one, isTracked]) =>
        languageOf(one) === undefined &&
        otherText.test(one) &&
        !/(^|\/)[^/]*lock[^/]*\.(json|ya?ml)$/.test(one) &&
        builtInIgnoredFolder(one, isTracked) === undefined &&
        !isIgnored(one, rules),
    )
    .map(([one]) => one)
    .sort()
}

/** Undefined: it is gone, or no file. */
export function statSource(root: string, file: string): SourceFile | undefined {
  try {
    const stat = lstatSync(`${root}/${file}`)
    return stat.isFile() ? { path: file, size: stat.size, modifiedMs: Math.floor(stat.mtimeMs) } : undefined
  } catch {
    return undefined
  }
}

/** Paths, and whether each is under version control. */
type Listed = ReadonlyMap<string, boolean>

/** Undefined when the root is in no repository of ours. Nothing in it can start a program. */
function listByGit(root: string): Listed | undefined {
  const settings = [`core.excludesFile=${ownerExcludesFile(process.env)}`]
  const list = (msMax: number) =>
    askFolder(root, ['ls-files', '-z', '-t', '--cached', '--others', '--exclude-standard', '--', '.'], process.env, {
      settings,
      msMax,
    })
  const startMs = performance.now()
  let listed = list(listingQuietMsMax)
  // A pipe where git looks for a list of ignored files makes it wait for ever; a large project only takes longer.
  const isLate = listed === undefined && performance.now() - startMs >= listingQuietMsMax
  if (isLate && !hasListPipe(root)) listed = list(listingMsMax)
  // A letter and a space stand before each: a question mark is of what is not under version control.
  const entries = listed?.split('\0').filter((one) => one !== '') ?? []
  // A folder that the surrounding repository ignores lists nothing: it is then read as it lies there.
  return entries.length === 0 ? undefined : new Map(entries.map((one) => [one.slice(2), !one.startsWith('?')]))
}

function walk(root: string): Listed {
  const found = new Map<string, boolean>()
  const visit = (folder: string, depth: number, inherited: readonly IgnoreRule[]): void => {
    if (depth > folderDepthMax || found.size > filesMax * 2) return
    const ignored = readSmallFile(path.join(root, folder, '.gitignore'), fileBytesMax)
    const rules = ignored === undefined ? inherited : [...inherited, ...parseIgnoreRules(ignored, folder)]
    let entries: { name: string; isDirectory(): boolean; isFile(): boolean }[]
    try {
      entries = readdirSync(path.join(root, folder), { withFileTypes: true })
    } catch {
      return
    }
    for (const entry of entries) {
      const one = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (
          builtInIgnoredFolder(`${one}/x`) === undefined &&
          !entry.name.startsWith('.') &&
          !isIgnored(`${one}/x`, rules)
        )
          visit(one, depth + 1, rules)
      } else if (entry.isFile() && !isIgnored(one, rules)) found.set(one, false)
    }
  }
  visit('', 0, [])
  return found
}
