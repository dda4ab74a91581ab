/**
 * Repositories that want something to happen when a folder is merely opened. Each plants one command, the canary, where
 * git is known to look for commands, and says which plain git command runs it: a trap that never snaps proves nothing.
 */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

export interface PlantedRepository {
  /** The folder that somebody opens. */
  readonly folder: string
  /** There as soon as the planted command ran. */
  readonly canary: string
}

export interface HostileRepository {
  readonly name: string
  /** What plain git does when asked in that folder: it runs the canary. Absent where the trap is another one. */
  readonly sprungBy?: readonly string[]
  /** Absent: any machine. */
  readonly needs?: 'root'
  readonly plant: (place: Place) => string | undefined
}

interface Place {
  /** An ordinary repository with one commit, `main.ts` and `lib/more.ts`. */
  readonly folder: string
  /** Room beside it. */
  readonly beside: string
  /** An executable that leaves its mark and fails. */
  readonly trap: string
  readonly git: (...args: string[]) => string
}

export function plantRepository(kind: HostileRepository, room: string): PlantedRepository {
  const base = path.join(room, kind.name.replaceAll(/[^a-z0-9]+/gi, '-'))
  const folder = path.join(base, 'project')
  const beside = path.join(base, 'beside')
  const canary = path.join(base, 'canary-ran')
  const trap = path.join(beside, 'trap')
  mkdirSync(path.join(folder, 'lib'), { recursive: true })
  mkdirSync(beside)
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> '${canary}'\nexit 1\n`)
  chmodSync(trap, 0o755)
  writeFileSync(path.join(folder, 'main.ts'), "import { more } from './lib/more.ts'\nexport const all = more()\n")
  writeFileSync(path.join(folder, 'lib/more.ts'), 'export function more(): number {\n  return 1\n}\n')
  const git = (...args: string[]): string => plainGit(folder, ...args)
  git('init', '--quiet', '--initial-branch=main')
  git('add', '.')
  git('commit', '--quiet', '--message=first')
  const opened = kind.plant({ folder, beside, trap, git })
  rmSync(canary, { force: true })
  return { folder: opened ?? folder, canary }
}

/** As a person types it. */
export function plainGit(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 20_000,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: '/nonexistent',
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@example.com',
      GIT_TERMINAL_PROMPT: '0',
    },
  })
}

const missing = '1111111111111111111111111111111111111111'

/** A history whose older part has to be fetched from a remote that is a command. */
function promise({ folder, git }: Place, settings: Readonly<Record<string, string>>): void {
  const tree = git('rev-parse', 'HEAD^{tree}').trim()
  const commit = `tree ${tree}\nparent ${missing}\nauthor a <a@example.com> 1 +0000\ncommitter a <a@example.com> 1 +0000\n\nsecond\n`
  const file = path.join(folder, '.git/second-commit')
  writeFileSync(file, commit)
  const id = git('hash-object', '-t', 'commit', '-w', '--literally', file).trim()
  writeFileSync(path.join(folder, '.git/refs/heads/main'), `${id}\n`)
  promiseBy(git, settings)
}

function promiseBy(git: Place['git'], settings: Readonly<Record<string, string>>): void {
  const all = {
    'core.repositoryFormatVersion': '1',
    'extensions.partialClone': 'origin',
    'remote.origin.promisor': 'true',
    'remote.origin.partialCloneFilter': 'blob:none',
    ...settings,
  }
  for (const [key, value] of Object.entries(all)) git('config', key, value)
}

function originBeside({ folder, beside }: Place): string {
  const origin = path.join(beside, 'origin')
  cpSync(path.join(folder, '.git'), origin, { recursive: true })
  return origin
}

function settle(...settings: readonly (readonly [key: string, value: string])[]): HostileRepository['plant'] {
  return ({ git, trap }) => {
    for (const [key, value] of settings) git('config', key, value.replaceAll('TRAP', trap))
    return undefined
  }
}

/** Every hook there is a name for. */
const hooks = [
  ...['post-index-change', 'pre-commit', 'post-checkout', 'reference-transaction', 'fsmonitor-watchman', 'pre-auto-gc'],
  ...['post-commit', 'post-rewrite', 'post-merge', 'proc-receive', 'update', 'pre-push', 'prepare-commit-msg'],
]

export const hostileRepositories: readonly HostileRepository[] = [
  {
    name: 'promised commit, upload-pack is a command',
    sprungBy: ['rev-list', 'HEAD'],
    plant: (place) => {
      const url = originBeside(place)
      promise(place, { 'remote.origin.url': url, 'remote.origin.uploadpack': place.trap })
      return undefined
    },
  },
  {
    name: 'promised commit, ext transport',
    sprungBy: ['rev-list', 'HEAD'],
    plant: (place) => {
      promise(place, { 'remote.origin.url': `ext::${place.trap} %S`, 'protocol.ext.allow': 'always' })
      return undefined
    },
  },
  {
    name: 'promised commit, ssh command',
    sprungBy: ['rev-list', 'HEAD'],
    plant: (place) => {
      promise(place, { 'remote.origin.url': 'ssh://127.0.0.1/x', 'core.sshCommand': place.trap })
      return undefined
    },
  },
  {
    name: 'promised commit, proxy command',
    sprungBy: ['rev-list', 'HEAD'],
    plant: (place) => {
      promise(place, { 'remote.origin.url': 'git://127.0.0.1/x', 'core.gitProxy': place.trap })
      return undefined
    },
  },
  {
    name: 'promised commit, rewritten address',
    sprungBy: ['rev-list', 'HEAD'],
    plant: (place) => {
      promise(place, {
        'remote.origin.url': 'https://example.invalid/x',
        [`url.ext::${place.trap} .insteadOf`]: 'https://example.invalid/',
        'protocol.ext.allow': 'always',
      })
      return undefined
    },
  },
  {
    name: 'sparse index with a promised tree',
    sprungBy: ['ls-files'],
    plant: (place) => {
      const { folder, git, trap } = place
      writeFileSync(path.join(folder, '.git/info/exclude'), '')
      mkdirSync(path.join(folder, 'kept'))
      writeFileSync(path.join(folder, 'kept/a.ts'), 'export const a = 1\n')
      git('add', '.')
      git('commit', '--quiet', '--message=second')
      const tree = git('rev-parse', 'HEAD:lib').trim()
      git('sparse-checkout', 'set', '--cone', '--sparse-index', 'kept')
      rmSync(path.join(folder, '.git/objects', tree.slice(0, 2), tree.slice(2)))
      promiseBy(git, { 'remote.origin.url': originBeside(place), 'remote.origin.uploadpack': trap })
      return undefined
    },
  },
  {
    name: 'alternates with a command for their references',
    sprungBy: ['fetch', 'origin'],
    plant: (place) => {
      const { folder, git, trap } = place
      const origin = originBeside(place)
      const store = path.join(place.beside, 'store')
      cpSync(origin, store, { recursive: true })
      const id = plainGit(origin, 'commit-tree', '-m', 'further', 'HEAD^{tree}').trim()
      writeFileSync(path.join(origin, 'refs/heads/main'), `${id}\n`)
      git('config', 'remote.origin.url', origin)
      git('config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*')
      git('config', 'core.alternateRefsCommand', trap)
      writeFileSync(path.join(folder, '.git/objects/info/alternates'), `${path.join(store, 'objects')}\n`)
      return undefined
    },
  },
  { name: 'fsmonitor', sprungBy: ['status'], plant: settle(['core.fsmonitor', 'TRAP']) },
  {
    name: 'hooks',
    sprungBy: ['commit', '--allow-empty', '-m', 'x'],
    plant: ({ folder, trap }) => {
      for (const hook of hooks) cpSync(trap, path.join(folder, '.git/hooks', hook))
      return undefined
    },
  },
  {
    name: 'a path of hooks within the work tree',
    sprungBy: ['commit', '--allow-empty', '-m', 'x'],
    plant: ({ folder, git, trap }) => {
      mkdirSync(path.join(folder, 'hooks'))
      for (const hook of hooks) cpSync(trap, path.join(folder, 'hooks', hook))
      git('config', 'core.hooksPath', 'hooks')
      return undefined
    },
  },
  {
    name: 'attributes with a filter',
    sprungBy: ['add', '--renormalize', '.'],
    plant: ({ folder, git, trap }) => {
      for (const way of ['clean', 'smudge', 'process']) git('config', `filter.x.${way}`, trap)
      git('config', 'filter.x.required', 'true')
      writeFileSync(path.join(folder, '.gitattributes'), '* filter=x\n')
      writeFileSync(path.join(folder, 'main.ts'), 'export const changed = 1\n')
      return undefined
    },
  },
  {
    name: 'attributes with textconv and a diff driver',
    sprungBy: ['diff'],
    plant: ({ folder, git, trap }) => {
      git('config', 'diff.x.textconv', trap)
      git('config', 'diff.x.command', trap)
      writeFileSync(path.join(folder, '.gitattributes'), '* diff=x\n')
      writeFileSync(path.join(folder, 'main.ts'), 'export const changed = 1\n')
      return undefined
    },
  },
  {
    name: 'external diff',
    sprungBy: ['diff'],
    plant: ({ folder, git, trap }) => {
      git('config', 'diff.external', trap)
      writeFileSync(path.join(folder, 'main.ts'), 'export const changed = 1\n')
      return undefined
    },
  },
  {
    name: 'merge driver',
    sprungBy: ['merge', 'other'],
    plant: ({ folder, git, trap }) => {
      git('config', 'merge.x.driver', trap)
      writeFileSync(path.join(folder, '.gitattributes'), '* merge=x\n')
      git('checkout', '--quiet', '-b', 'other')
      writeFileSync(path.join(folder, 'main.ts'), 'export const theirs = 1\n')
      git('commit', '--quiet', '--all', '--message=theirs')
      git('checkout', '--quiet', 'main')
      writeFileSync(path.join(folder, 'main.ts'), 'export const ours = 1\n')
      git('commit', '--quiet', '--all', '--message=ours')
      return undefined
    },
  },
  {
    name: 'signature program',
    sprungBy: ['log'],
    plant: ({ folder, git, trap }) => {
      const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----'
      const who = 'a <a@example.com> 1 +0000'
      const tree = git('rev-parse', 'HEAD^{tree}').trim()
      writeFileSync(
        path.join(folder, '.git/signed'),
        `tree ${tree}\nauthor ${who}\ncommitter ${who}\n${signature}\n\nsigned\n`,
      )
      const id = git('hash-object', '-t', 'commit', '-w', path.join(folder, '.git/signed')).trim()
      writeFileSync(path.join(folder, '.git/refs/heads/main'), `${id}\n`)
      git('config', 'gpg.program', trap)
      git('config', 'log.showSignature', 'true')
      return undefined
    },
  },
  {
    name: 'credential helper and prompt',
    sprungBy: ['credential-cache-less'],
    plant: settle(
      ['credential.helper', '!TRAP'],
      ['core.askPass', 'TRAP'],
      ['alias.credential-cache-less', '!printf "protocol=https\\nhost=example.invalid\\n\\n" | git credential fill'],
    ),
  },
  {
    name: 'aliases that correct what was typed',
    sprungBy: ['rev-lst'],
    plant: settle(
      ['help.autocorrect', 'immediate'],
      ...['rev-lst', 'rev-list', 'rev-parse', 'ls-files', 'config', 'init', 'write-tree', 'diff-tree'].map(
        (name) => [`alias.${name}`, '!TRAP'] as const,
      ),
    ),
  },
  {
    name: 'pager and editor',
    sprungBy: ['commit', '--allow-empty'],
    plant: settle(
      ['core.pager', 'TRAP'],
      ['pager.log', 'TRAP'],
      ['pager.config', 'TRAP'],
      ['pager.rev-list', 'TRAP'],
      ['core.editor', 'TRAP'],
    ),
  },
  {
    name: 'submodule with a command and a name that leads up',
    sprungBy: ['submodule', 'update'],
    plant: ({ folder, beside, git, trap }) => {
      const name = '../../../beside/inner'
      const head = git('rev-parse', 'HEAD').trim()
      plainGit(beside, 'clone', '--quiet', folder, path.join(folder, 'inner'))
      git('update-index', '--add', '--cacheinfo', `160000,${head},inner`)
      const modules = (called: string) =>
        `[submodule "${called}"]\n\tpath = inner\n\turl = ./inner\n\tupdate = !${trap}\n`
      writeFileSync(path.join(folder, '.gitmodules'), modules('inner').replace(/\tupdate.*\n/, '') + modules(name))
      for (const [key, value] of Object.entries({ update: `!${trap}`, url: folder, active: 'true' })) {
        git('config', `submodule.inner.${key}`, value)
      }
      git('config', 'submodule.recurse', 'true')
      plainGit(path.join(folder, 'inner'), 'config', 'core.fsmonitor', trap)
      writeFileSync(path.join(folder, 'inner/new.ts'), 'export const inner = 1\n')
      plainGit(
        path.join(folder, 'inner'),
        '-c',
        'core.fsmonitor=false',
        'commit',
        '--quiet',
        '--allow-empty',
        '-m',
        'x',
      )
      return undefined
    },
  },
  {
    name: 'included file of the work tree',
    sprungBy: ['status'],
    plant: ({ folder, git, trap }) => {
      writeFileSync(path.join(folder, 'included'), `[core]\n\tfsmonitor = ${trap}\n`)
      git('config', 'include.path', '../included')
      return undefined
    },
  },
  {
    name: 'file included on a condition',
    sprungBy: ['status'],
    plant: ({ folder, git, trap }) => {
      writeFileSync(path.join(folder, 'included'), `[core]\n\tfsmonitor = ${trap}\n`)
      git('config', 'includeIf.gitdir:/.path', '../included')
      return undefined
    },
  },
  {
    name: 'bare repository inside the folder',
    sprungBy: ['status'],
    plant: ({ folder, git, trap }) => {
      const inner = path.join(folder, 'looks/harmless')
      mkdirSync(path.dirname(inner))
      cpSync(path.join(folder, '.git'), inner, { recursive: true })
      for (const [key, value] of Object.entries({ fsmonitor: trap, bare: 'false', worktree: '..' })) {
        git('config', '--file', path.join(inner, 'config'), `core.${key}`, value)
      }
      return inner
    },
  },
  {
    name: 'symlinked git folder',
    sprungBy: ['status'],
    plant: ({ folder, beside, git, trap }) => {
      git('config', 'core.fsmonitor', trap)
      renameSync(path.join(folder, '.git'), path.join(beside, 'store'))
      symlinkSync(path.join(beside, 'store'), path.join(folder, '.git'))
      return undefined
    },
  },
  {
    name: 'git file that points elsewhere',
    sprungBy: ['status'],
    plant: ({ folder, beside, git, trap }) => {
      git('config', 'core.fsmonitor', trap)
      renameSync(path.join(folder, '.git'), path.join(beside, 'store'))
      writeFileSync(path.join(folder, '.git'), `gitdir: ${path.join(beside, 'store')}\n`)
      return undefined
    },
  },
  {
    name: 'one of several work trees with settings of its own',
    sprungBy: ['status'],
    plant: ({ folder, beside, git, trap }) => {
      const tree = path.join(beside, 'tree')
      git('config', 'extensions.worktreeConfig', 'true')
      git('worktree', 'add', '--quiet', '--detach', tree)
      plainGit(tree, 'config', '--worktree', 'core.fsmonitor', trap)
      writeFileSync(path.join(folder, 'unrelated'), '')
      return tree
    },
  },
  {
    name: 'work tree that is the whole machine',
    plant: settle(['core.worktree', '/'], ['core.fsmonitor', 'TRAP']),
  },
  {
    name: 'repository of another user',
    needs: 'root',
    plant: ({ folder, git, trap }) => {
      git('config', 'core.fsmonitor', trap)
      for (const place of [folder, path.join(folder, '.git')]) chownSync(place, 65_534, 65_534)
      return undefined
    },
  },
  {
    name: 'pipes where git reads files',
    plant: ({ folder }) => {
      for (const name of ['.git/HEAD', '.git/packed-refs', '.git/info/exclude', '.git/config']) {
        rmSync(path.join(folder, name), { force: true })
        execFileSync('sh', ['-c', 'mkfifo "$0"', path.join(folder, name)])
      }
      return undefined
    },
  },
  {
    name: 'pipes for lists of ignored files and for settings',
    plant: ({ folder, git }) => {
      writeFileSync(path.join(folder, 'package.json'), '{}')
      git('add', 'package.json')
      git('commit', '--quiet', '--message=settings')
      rmSync(path.join(folder, 'package.json'))
      const lists = ['.gitignore', 'lib/.gitignore', 'lib/.ignore', '.gitattributes']
      const settings = ['package.json', 'tsconfig.json', 'pyproject.toml', 'go.mod', 'indexer.json']
      const ofAgent = ['svc.json', 'svc.jsonc', 'AGENTS.md', '.prettierrc', '.claude.json', '.mcp.json']
      for (const name of [...lists, ...settings, ...ofAgent])
        execFileSync('sh', ['-c', 'mkfifo "$0"', path.join(folder, name)])
      return undefined
    },
  },
  {
    name: 'links to what has no end',
    plant: ({ folder, git }) => {
      for (const name of ['.gitignore', 'lib/.ignore', '.rgignore', 'package.json', 'tsconfig.json', 'indexer.json'])
        symlinkSync('/dev/zero', path.join(folder, name))
      git('add', '.')
      git('commit', '--quiet', '--message=links')
      return undefined
    },
  },
  {
    name: 'pack index of eight gibibytes',
    plant: ({ folder, git }) => {
      git('gc', '--quiet')
      const packs = path.join(folder, '.git/objects/pack')
      const name = path.join(packs, `pack-${missing}`)
      for (const end of ['idx', 'pack']) {
        writeFileSync(`${name}.${end}`, Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]))
        truncateSync(`${name}.${end}`, 8 * 1024 ** 3)
      }
      return undefined
    },
  },
  {
    name: 'settings and git file of 2 MiB each',
    plant: ({ folder, beside, trap }) => {
      const config = path.join(folder, '.git/config')
      writeFileSync(config, `${readFileSync(config, 'utf8')}${'# x\n'.repeat(600_000)}[core]\n\tfsmonitor = ${trap}\n`)
      renameSync(path.join(folder, '.git'), path.join(beside, 'store'))
      writeFileSync(path.join(folder, '.git'), `gitdir: ${path.join(beside, 'store')}\n${'\n'.repeat(2 * 1024 * 1024)}`)
      return undefined
    },
  },
]
