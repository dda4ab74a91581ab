/** The package as `npm pack` makes it, installed into an empty folder as its users do. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..', '..')

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export function runTo(command: string, args: readonly string[], cwd: string, variables: NodeJS.ProcessEnv = {}): Ended {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, NO_UPDATE_NOTIFIER: '1', ...variables },
  })
  return { code: status, stdout, stderr }
}

function must(ended: Ended): Ended {
  if (ended.code !== 0) throw new Error(`${ended.stdout}${ended.stderr}`)
  return ended
}

/** The file of the package. */
export function packInto(folder: string): string {
  return (
    must(runTo('npm', ['run', '--silent', 'build:package', '--', folder], root))
      .stdout.trim()
      .split('\n')
      .at(-1) ?? ''
  )
}

/** Answers the folder in which its programs are. */
export function installInto(folder: string, packed: string): string {
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{}')
  must(runTo('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', packed], folder))
  return path.join(folder, 'node_modules', '.bin')
}
