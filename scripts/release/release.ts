/** One folder with everything of a version: the package, the image, the Debian package, the executables, and the papers. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { runGit, sayGitFault } from '../../local/git/run-git.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { BundledPackage } from '../licences.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { changesOf } from './changes.ts'
import { writeDebianPackage } from './debian-package.ts'
import { writeExecutable } from './executable.ts'
import { makeImageRoot } from './image-root.ts'
import { writeLayout } from './oci-layout.ts'
import { installWhole } from './shipped-tree.ts'

const root = path.resolve(import.meta.dirname, '..', '..')
const kinds = ['package', 'image', 'debian', 'executable'] as const
/** Those that there is a pinned Node for. */
const architectures = ['x64', 'arm64'] as const
type Kind = (typeof kinds)[number]

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } })
const asked = values.only?.split(',') ?? kinds
const unknown = asked.filter((kind) => !kinds.some((one) => one === kind))
if (unknown.length > 0) {
  process.stderr.write(`--only takes ${kinds.join(', ')}, not ${unknown.join(', ')}\n`)
  process.exit(2)
}
const isAsked = (kind: Kind) => asked.includes(kind)
const { version } = manifest
const folder = path.resolve(positionals[0] ?? path.join(root, 'dist', 'release'))
const work = mkdtempSync(path.join(tmpdir(), 'wharf-release-'))
/** By the newest commit, so that the same tree gives the same files. */
const madeAtUnix = Number(process.env['SOURCE_DATE_EPOCH'] ?? (await newestCommit('%ct')))

async function newestCommit(format: string): Promise<string> {
  const searchPath = process.env['PATH'] ?? ''
  const told = await runGit(['log', '-1', `--format=${format}`], { cwd: root, searchPath })
  if (!told.ok) throw new Error(sayGitFault(told.failure))
  return told.value.text.trim()
}

function say(file: string): string {
  process.stdout.write(`${file}\n`)
  return file
}

function pack(): string {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', work]
  return path.join(work, execFileSync('npm', args, { cwd: root, encoding: 'utf8' }).trim())
}

function buildImage(packed: string): string {
  const place = path.join(work, 'image-root')
  makeImageRoot(root, packed, place)
  const layout = path.join(work, 'layout')
  writeLayout(place, layout, { version, madeAtUnix })
  const file = path.join(folder, `wharf-${version}-${process.arch}.oci.tar`)
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${madeAtUnix}`]
  execFileSync('tar', ['--create', '--file', file, ...same, '--directory', layout, '.'])
  copyFileSync(path.join(root, 'packaging', 'compose.yaml'), path.join(folder, 'compose.yaml'))
  return file
}

/** Node and packages of the other architecture come from the registry as well. */
function buildExecutable(packed: string, architecture: (typeof architectures)[number]): string {
  const tree = path.join(work, `executable-${architecture}`)
  installWhole(packed, tree, path.join(work, `installing-${architecture}`), architecture)
  const file = path.join(folder, `wharf-${version}-linux-${architecture}`)
  return writeExecutable(tree, file, `node_modules/node-linux-${architecture}/bin/node`, { version, madeAtUnix })
}

try {
  mkdirSync(folder, { recursive: true })
  const packed = pack()
  const files: string[] = []
  const put = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text)
    files.push(say(path.join(folder, name)))
  }
  if (isAsked('package')) {
    const kept = path.join(folder, path.basename(packed))
    copyFileSync(packed, kept)
    files.push(say(kept))
  }
  if (isAsked('image')) files.push(say(buildImage(packed)), say(path.join(folder, 'compose.yaml')))
  if (isAsked('debian')) {
    const facts = { version, madeAtUnix, maintainer: await newestCommit('%an <%ae>') }
    files.push(say(writeDebianPackage(root, packed, work, folder, facts)))
  }
  if (isAsked('executable'))
    for (const architecture of architectures) files.push(say(buildExecutable(packed, architecture)))
  const bundled: readonly BundledPackage[] = JSON.parse(
    readFileSync(path.join(root, 'dist/programs/bundled.json'), 'utf8'),
  )
  const bill = billOfMaterials(root, version, madeAtUnix, bundled)
  put(`wharf-${version}.cdx.json`, `${JSON.stringify(bill, null, 2)}\n`)
  put('CHANGES.md', changesOf(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'), version))
  put('LICENSES.txt', readFileSync(path.join(root, 'dist/programs/LICENSES.txt'), 'utf8'))
  const sums = files.map(
    (file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${path.basename(file)}`,
  )
  writeFileSync(say(path.join(folder, 'SHA256SUMS')), `${sums.join('\n')}\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
