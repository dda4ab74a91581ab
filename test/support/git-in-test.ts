import { spawnSync } from 'node:child_process'

/** What git said in a folder of a test, by an author of its own; its failure is the test's. */
export function git(root: string, ...words: readonly string[]): string {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.invalid']
  const ended = spawnSync('git', [...who, ...words], { cwd: root, encoding: 'utf8' })
  if (ended.status !== 0) throw new Error(ended.stderr)
  return ended.stdout.trim()
}

/** Makes all of a folder the first commit of a repository. */
export function commitAll(root: string): void {
  git(root, 'init', '-q', '-b', 'main')
  git(root, 'add', '.')
  git(root, 'commit', '-q', '-m', 'begin')
}
