/** The package as a folder of files: what an image, a Debian package and an executable are made of. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Only what the service itself runs: no package beside it, because agent server and viewer are left out. */
export function unpackService(packed: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['--extract', '--gzip', '--file', packed, '--strip-components=1', '--directory', folder])
}

/** Everything: with the packages that have parts for this platform, and the pinned Node among them. */
export function installWhole(packed: string, folder: string, work: string, architecture: string = process.arch): void {
  mkdirSync(work, { recursive: true })
  writeFileSync(path.join(work, 'package.json'), '{}')
  const args = [
    'install',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    `--cpu=${architecture}`,
  ]
  execFileSync('npm', [...args, packed], { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] })
  const modules = path.join(work, 'node_modules')
  renameSync(path.join(modules, 'wharf'), folder)
  const below = path.join(folder, 'node_modules')
  mkdirSync(below, { recursive: true })
  for (const name of readdirSync(modules).filter((one) => !one.startsWith('.')))
    cpSync(path.join(modules, name), path.join(below, name), { recursive: true, verbatimSymlinks: true })
}

/** The pinned Node of this platform, in the checkout. */
export function pinnedNodeOf(root: string): string {
  return path.join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
}
