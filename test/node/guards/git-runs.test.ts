import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'vitest'
import { plantTree } from '../../support/planted-tree.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** Places that name the program. Words of a wire shape and the names of its settings' files are no programs. */
function namedGit(tree: string): string[] {
  const sources = globSync(['{local,shared,workers,scripts,bin}/**/*.{ts,tsx,mjs,cjs}', '*.{ts,mjs,cjs}'], {
    cwd: tree,
  })
  return sources.flatMap((file) => {
    const text = readFileSync(path.join(tree, file), 'utf8').replaceAll(
      /\btype: 'git'|\bliteral\('git'\)|'\.config', 'git'|\bpath\.join\(folder, 'git', 'config'\)/g,
      '',
    )
    return [
      ...text.matchAll(/['"`](?:[\w./-]*\/)?git['"`]|\b(?:exec|spawn|start)\w*\(\s*['"`](?:[\w./-]*\/)?git\b/g),
    ].map(([found]) => `${file}: ${found}`)
  })
}

test('git is run by the one runner and by nothing else', ({ expect }) => {
  expect(namedGit(root)).toEqual(["local/git/run-git.ts: startProgram('git", "local/git/run-git.ts: spawnSync('git"])
})

test('another place that runs git is noticed, however it writes it', ({ expect }) => {
  const tree = plantTree({
    'local/agent/a.ts': "spawn('git', ['status'])",
    'local/indexer/b.ts': "execFile(\n  'git',\n  [])",
    'local/viewer/c.ts': "execSync('git status')",
    'scripts/d.mjs': 'exec(`/usr/bin/git log`)',
    'shared/e.ts': 'const program = "git"\nspawn(program)',
    'local/agent/f.ts': "z.literal('git')\nconst source = { type: 'git', digit: 'digit' }",
  })

  expect(
    namedGit(tree)
      .map((line) => line.split(':')[0])
      .sort(),
  ).toEqual(['local/agent/a.ts', 'local/indexer/b.ts', 'local/viewer/c.ts', 'scripts/d.mjs', 'shared/e.ts'])
})
