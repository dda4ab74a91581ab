import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  bubblewrapArguments,
  isWithin,
  plainEnvironment,
  planMounts,
  type SandboxFacts,
} from '../../../local/agent/core/sandbox.ts'

const plain: SandboxFacts = {
  project: '/home/me/work/project',
  workdir: '/home/me/work/project',
  home: '/home/me',
  privateFolder: '/data/private/s1',
  readable: ['/usr', '/etc', '/home/me/.cargo'],
  links: [{ at: '/bin', to: '/usr/bin' }],
  kept: [],
  pinned: [],
  hidden: [],
  grantedReads: [],
  grantedWrites: [],
}

/** Each as one line, in the order in which they are made. */
const planned = (more: Partial<SandboxFacts> = {}) =>
  planMounts({ ...plain, ...more }).map(({ kind, at, from }) => `${kind} ${at}${from === undefined ? '' : ` ${from}`}`)

describe('what a command sees', () => {
  test('is the system to be read, the project to be written, and a private folder for the rest', ({ expect }) => {
    expect(planned()).toEqual([
      'private /tmp /data/private/s1/tmp',
      'read /usr',
      'read /etc',
      'link /bin /usr/bin',
      'private /var/tmp /data/private/s1/tmp',
      'private /home/me /data/private/s1/home',
      'read /home/me/.cargo',
      'write /home/me/work/project',
    ])
  })

  test.for([
    [
      'what is kept in the project is read alone',
      { kept: ['/home/me/work/project/.git'] },
      ['read /home/me/work/project/.git'],
      [],
    ],
    [
      'what was granted to be written is, though it is kept',
      { kept: ['/home/me/work/project/.git'], grantedWrites: ['/home/me/work/project/.git'] },
      ['write /home/me/work/project/.git'],
      ['read /home/me/work/project/.git'],
    ],
    [
      'what names programs in it stays read alone',
      {
        kept: ['/home/me/work/project/.git', '/home/me/work/project/.git/hooks'],
        grantedWrites: ['/home/me/work/project/.git'],
      },
      ['write /home/me/work/project/.git', 'read /home/me/work/project/.git/hooks'],
      [],
    ],
    [
      'a pinned folder is a place of its own',
      { pinned: ['/home/me/work/project/.github'], kept: ['/home/me/work/project/.github/workflows'] },
      ['write /home/me/work/project/.github', 'read /home/me/work/project/.github/workflows'],
      [],
    ],
    ['a folder elsewhere that it works in is read alone', { workdir: '/srv/other' }, ['read /srv/other'], []],
    [
      'a folder of the project that it works in is nothing of its own',
      { workdir: '/home/me/work/project/lib' },
      [],
      ['read /home/me/work/project/lib'],
    ],
    ['what was granted to be read elsewhere is', { grantedReads: ['/srv/other'] }, ['read /srv/other'], []],
    [
      'what was granted to be read in the project stays to be written',
      { grantedReads: ['/home/me/work/project/.env'] },
      [],
      ['read /home/me/work/project/.env'],
    ],
    [
      'a secret within something shown is covered',
      {
        hidden: [
          { path: '/etc/ssh', isFolder: true },
          { path: '/home/me/.cargo/credentials', isFolder: false },
          { path: '/home/me/work/project/.env', isFolder: false },
        ],
      },
      ['hidden-folder /etc/ssh', 'hidden-file /home/me/.cargo/credentials', 'hidden-file /home/me/work/project/.env'],
      [],
    ],
    [
      'a secret that nothing shows needs no cover',
      {
        hidden: [
          { path: '/home/me/.ssh', isFolder: true },
          { path: '/tmp/secret', isFolder: false },
          { path: '/srv/x', isFolder: false },
        ],
      },
      [],
      ['hidden-folder /home/me/.ssh', 'hidden-file /tmp/secret', 'hidden-file /srv/x'],
    ],
    [
      'a secret that the owner granted is shown',
      {
        hidden: [{ path: '/home/me/work/project/.env', isFolder: false }],
        grantedReads: ['/home/me/work/project/.env'],
      },
      [],
      ['hidden-file /home/me/work/project/.env'],
    ],
    [
      'a secret in a folder that the owner granted is not',
      { hidden: [{ path: '/srv/other/key', isFolder: false }], grantedReads: ['/srv/other'] },
      ['read /srv/other', 'hidden-file /srv/other/key'],
      [],
    ],
    [
      'a project in a hidden folder is seen, the folder around it is not',
      { project: '/etc/ssh/p', workdir: '/etc/ssh/p', hidden: [{ path: '/etc/ssh', isFolder: true }] },
      ['hidden-folder /etc/ssh', 'write /etc/ssh/p'],
      [],
    ],
  ] as const)('%s', ([, more, there, absent], { expect }) => {
    const lines = planned(more as Partial<SandboxFacts>)

    expect(lines).toEqual(expect.arrayContaining([...there]))
    for (const line of absent) expect(lines).not.toContain(line)
  })

  test('is made from the outside in, and one thing at one path', ({ expect }) => {
    const somewhere = fc.constantFrom('/home/me/work/project', '/usr', '/home/me', '/srv', '/tmp')
    const name = fc.constantFrom('a', 'a/b', '.git', '.git/hooks', '.env', 'a/b/c')
    const place = fc.tuple(somewhere, name).map(([folder, rest]) => `${folder}/${rest}`)
    const places = fc.array(place, { maxLength: 6 })
    fc.assert(
      fc.property(places, places, places, places, (kept, pinned, grantedReads, hidden) => {
        const facts = {
          ...plain,
          kept,
          pinned,
          grantedReads,
          hidden: hidden.map((path) => ({ path, isFolder: false })),
        }
        const mounts = planMounts(facts)
        const paths = mounts.map(({ at }) => at)
        expect(new Set(paths).size).toBe(paths.length)
        // Whatever is made later does not cover what was made before.
        for (const [index, at] of paths.entries())
          for (const later of paths.slice(index + 1)) expect(later !== at && isWithin(later, at)).toBe(false)
        // What is hidden and not granted is never written nor read by its own name.
        for (const path of hidden.filter((one) => !grantedReads.includes(one))) {
          const own = mounts.find(({ at }) => at === path)
          const nearest = mounts.findLast(({ at }) => isWithin(at, path))
          expect([own?.kind ?? nearest?.kind]).not.toContain('read')
          expect([own?.kind ?? nearest?.kind]).not.toContain('write')
        }
      }),
    )
  })
})

describe('how bubblewrap is told', () => {
  const told = (hasUserNamespaces: boolean) =>
    bubblewrapArguments(
      [
        { kind: 'private', at: '/tmp', from: '/p/tmp' },
        { kind: 'read', at: '/usr' },
        { kind: 'link', at: '/bin', from: '/usr/bin' },
        { kind: 'write', at: '/p/project' },
        { kind: 'hidden-file', at: '/p/project/.env' },
        { kind: 'hidden-folder', at: '/etc/ssh' },
      ],
      '/p/project',
      { LANG: 'C' },
      hasUserNamespaces,
    ).join(' ')

  test('nothing is shared, nothing is allowed, and the root cannot be written', ({ expect }) => {
    expect(told(true)).toBe(
      [
        '--unshare-all --unshare-user --disable-userns --die-with-parent --new-session --cap-drop ALL',
        '--clearenv --setenv LANG C',
        '--bind /p/tmp /tmp --ro-bind-try /usr /usr --symlink /usr/bin /bin --bind /p/project /p/project',
        '--ro-bind /dev/null /p/project/.env',
        '--perms 0555 --tmpfs /etc/ssh --remount-ro /etc/ssh --dev /dev --proc /proc --remount-ro / --chdir /p/project',
      ].join(' '),
    )
  })

  test('without user namespaces it is not told to end them', ({ expect }) => {
    expect(told(false)).toMatch(/^--unshare-all --die-with-parent/)
  })
})

describe('the variables of a command', () => {
  const given = {
    PATH: '/usr/bin',
    LANG: 'C.UTF-8',
    LC_ALL: 'C',
    LC_all: 'odd',
    GOPATH: '/home/me/go',
    AWS_SECRET_ACCESS_KEY: 'canary',
    HTTP_PROXY: 'http://me:canary@proxy:3128',
    SOME_TOKEN: 'canary',
    INNOCENT: 'canary',
    NODE_OPTIONS: '--require /canary',
    LD_PRELOAD: '/canary',
    BASH_ENV: '/canary',
    GIT_SSH_COMMAND: 'canary',
    SSH_AUTH_SOCK: '/canary',
    PYTHONPATH: 'https://me:canary@index',
    TMPDIR: '/canary',
  }

  test('are those that say how programs work, and no other', ({ expect }) => {
    const kept = { PATH: '/usr/bin', LANG: 'C.UTF-8', LC_ALL: 'C', GOPATH: '/home/me/go', TMPDIR: '/tmp' }

    expect(plainEnvironment(given, [])).toEqual(kept)
  })

  test('and what the owner names', ({ expect }) => {
    expect(plainEnvironment(given, ['INNOCENT', 'ABSENT', 'TMPDIR'])).toMatchObject({
      INNOCENT: 'canary',
      TMPDIR: '/tmp',
    })
    expect(plainEnvironment(given, ['INNOCENT'])).not.toHaveProperty('SOME_TOKEN')
    expect(plainEnvironment(given, ['ABSENT'])).not.toHaveProperty('ABSENT')
  })
})
