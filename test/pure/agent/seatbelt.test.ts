import fc from 'fast-check'
import { describe, test } from 'vitest'
import { isWithin, planMounts, type SandboxFacts } from '../../../local/agent/core/sandbox.ts'
import { sandboxStart } from '../../../local/agent/core/sandbox-start.ts'
import { seatbeltProfile } from '../../../local/agent/core/seatbelt.ts'
import { allows, parseProfile } from '../../support/seatbelt-profile.ts'

const plain: SandboxFacts = {
  project: '/Users/me/work/project',
  workdir: '/Users/me/work/project',
  home: '/Users/me',
  privateFolder: '/Users/me/.local/share/svc/sandbox/s1',
  readable: ['/usr', '/private/etc', '/Users/me/.cargo'],
  links: [],
  kept: ['/Users/me/work/project/.git'],
  pinned: ['/Users/me/work/project/.github'],
  hidden: [
    { path: '/private/etc/ssh', isFolder: true },
    { path: '/Users/me/.cargo/credentials', isFolder: false },
    { path: '/Users/me/work/project/deep/.env', isFolder: false },
    { path: '/Users/me/.local/share/svc', isFolder: true },
  ],
  grantedReads: ['/Users/me/notes'],
  grantedWrites: [],
}

const compiled = (more: Partial<SandboxFacts> = {}) => {
  const facts = { ...plain, ...more }
  return parseProfile(seatbeltProfile({ mounts: planMounts(facts), privateFolder: facts.privateFolder }))
}

const read = 'file-read-data'
const write = 'file-write-data'
const look = 'file-read-metadata'
const remove = 'file-write-unlink'

describe('a profile for macOS', () => {
  test.for([
    ['the project is read', read, '/Users/me/work/project/a.ts', true],
    ['and written', write, '/Users/me/work/project/a.ts', true],
    ['and files in it removed', remove, '/Users/me/work/project/a.ts', true],
    ['but not the project itself', remove, '/Users/me/work/project', false],
    ['what is kept is read', read, '/Users/me/work/project/.git/config', true],
    ['and not written', write, '/Users/me/work/project/.git/config', false],
    ['nor moved away', remove, '/Users/me/work/project/.git', false],
    ['what the rules hide is not read', read, '/Users/me/work/project/deep/.env', false],
    ['nor seen', look, '/Users/me/work/project/deep/.env', false],
    ['nor its folder moved', remove, '/Users/me/work/project/deep', false],
    ['while other files of that folder are written', write, '/Users/me/work/project/deep/a.ts', true],
    ['a pinned folder is written', write, '/Users/me/work/project/.github/x', true],
    ['and stays where it is', remove, '/Users/me/work/project/.github', false],
    ['the system is read', read, '/usr/bin/git', true],
    ['and not written', write, '/usr/bin/git', false],
    ['its secrets are not read', read, '/private/etc/ssh/key', false],
    ['a toolchain of the owner is read', read, '/Users/me/.cargo/bin/cargo', true],
    ['its credentials are not', read, '/Users/me/.cargo/credentials', false],
    ['the rest of the home folder is not', read, '/Users/me/.ssh/id', false],
    ['nor listed', read, '/Users/me', false],
    ['though the way through it can be walked', look, '/Users/me/work', true],
    ['the private folder is written, which lies in the data folder', write, `${plain.privateFolder}/tmp/x`, true],
    ['the data folder is not read', read, '/Users/me/.local/share/svc/secrets.json', false],
    ['what was granted is read', read, '/Users/me/notes/a', true],
    ['and not written', write, '/Users/me/notes/a', false],
    ['nothing else is read', read, '/Library/Keychains/login.keychain', false],
    ['the temporary folder of all is not', read, '/private/tmp/x', false],
  ] as const)('%s: %s %s', ([, operation, path, isAllowed], { expect }) => {
    expect(allows(compiled(), operation, path)).toBe(isAllowed)
  })

  test('says of any path what the mounts of Linux say, and lets nothing ruled be moved', ({ expect }) => {
    const somewhere = fc.constantFrom('/Users/me/work/project', '/usr', '/Users/me', '/srv', '/private/etc')
    const name = fc.constantFrom('a', 'a/b', '.git', '.git/hooks', '.env', 'a/b/c', 'with "quotes"', 'with \\ and (')
    const place = fc.tuple(somewhere, name).map(([folder, rest]) => `${folder}/${rest}`)
    const places = fc.array(place, { maxLength: 6 })
    fc.assert(
      fc.property(places, places, places, places, place, (kept, grantedReads, grantedWrites, hidden, asked) => {
        const facts = {
          ...plain,
          kept,
          grantedReads,
          grantedWrites,
          hidden: hidden.map((path) => ({ path, isFolder: true })),
        }
        const mounts = planMounts(facts)
        const rules = compiled(facts)
        const nearest = mounts.findLast(({ at }) => isWithin(at, asked))?.kind
        const isPrivate = isWithin(facts.privateFolder, asked)
        expect(allows(rules, read, asked)).toBe(isPrivate || nearest === 'read' || nearest === 'write')
        expect(allows(rules, write, asked)).toBe(isPrivate || nearest === 'write')
        for (const { kind, at } of mounts) {
          if (kind === 'private') continue
          const around = at.slice(0, at.lastIndexOf('/'))
          expect(allows(rules, remove, around)).toBe(false)
          expect(allows(rules, remove, at)).toBe(false)
        }
      }),
    )
  })

  test('without a host that was granted there is no rule for the network, with one there is one socket and one port', ({
    expect,
  }) => {
    const start = (network: boolean) =>
      sandboxStart(
        { kind: 'seatbelt', program: '/usr/bin/sandbox-exec' },
        {
          mounts: planMounts(plain),
          workdir: plain.project,
          privateFolder: plain.privateFolder,
          environment: { LANG: 'C', HOME: plain.home, TMPDIR: '/tmp' },
          ...(network
            ? {
                network: { socketPath: '/private/var/p/proxy', port: 4711, node: '/opt/node', relay: '/opt/relay.mjs' },
              }
            : {}),
        },
      )
    const ruled = (network: boolean) =>
      (start(network).args[1] ?? '').split('\n').filter((line) => /network|socket/.test(line))

    expect(ruled(false)).toEqual([])
    expect(ruled(true)).toEqual([
      '(allow system-socket (socket-domain AF_UNIX))',
      '(allow network-outbound (remote unix-socket (path-literal "/private/var/p/proxy")))',
      '(allow network-bind (local ip "localhost:4711"))',
      '(allow network-inbound (local ip "localhost:4711"))',
      '(allow network-outbound (remote ip "localhost:4711"))',
    ])
    expect(start(true).relay).toEqual(['/opt/node', '/opt/relay.mjs', '/private/var/p/proxy', '4711'])
    expect(start(true).environment).toMatchObject({
      LANG: 'C',
      HOME: `${plain.privateFolder}/home`,
      TMPDIR: `${plain.privateFolder}/tmp`,
      https_proxy: 'http://127.0.0.1:4711',
    })
  })

  test('a path that could end a line of it is refused', ({ expect }) => {
    expect(() => compiled({ grantedReads: ['/Users/me/a\n(allow default)'] })).toThrow('control character')
  })
})
