import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { evaluatePermission, type PermissionRule } from '../../../local/agent/core/permission.ts'
import { shellResources, splitShellLine } from '../../../local/agent/core/shell-command.ts'

function textsOf(line: string): string[] | string {
  const split = splitShellLine(line)
  return split.kind === 'simple' ? split.commands.map((command) => command.text) : `opaque: ${split.reason}`
}

describe('a line that says what it does', () => {
  test.for([
    ['git status', ['git status']],
    ['  git   status  ', ['git status']],
    ['a; b && c || d | e & f', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['a\nb', ['a', 'b']],
    ["echo 'a b' c", ["echo 'a b' c"]],
    ['echo "a b"', ["echo 'a b'"]],
    ['echo a\\ b', ["echo 'a b'"]],
    ['echo a"b"c', ['echo abc']],
    ['echo "a;b"', ["echo 'a;b'"]],
    ["echo 'it'\\''s'", ["echo 'it'\\''s'"]],
    ['ls *.ts', ['ls *.ts']],
    ['make test 2>&1 | tail -5', ['make test', 'tail -5']],
    ['make >/dev/null 2>/dev/null', ['make']],
    ['ls # rm -rf /', ['ls']],
    ['"git status"', ["'git status'"]],
    ["'rm' -r x", ['rm -r x']],
  ] as const)('%o is %o', ([line, expected], { expect }) => {
    expect(textsOf(line)).toEqual(expected)
  })
})

describe('a line that does more than its words say is opaque', () => {
  test.for([
    'echo $(rm x)',
    'echo `rm x`',
    'echo "$(rm x)"',
    'echo "`rm x`"',
    'echo $HOME',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell expansion, as it is written in a shell
    'echo ${x:-y}',
    "echo $'a'",
    'FOO=1 git status',
    'PATH+=:x git status',
    'a > file',
    'a >> file',
    'a >file',
    'a 2>file',
    'a &> file',
    'a < file',
    'a <<E\nx\nE',
    'a <<< x',
    'diff <(a) <(b)',
    '(rm x)',
    '{ rm x; }',
    'if true; then rm x; fi',
    'for f in *; do rm x; done',
    'while rm x; do :; done',
    'case x in x) rm x;; esac',
    '! rm x',
    '[[ a ]]',
    'coproc rm x',
    'time rm x',
    'f() { rm x; }',
    'function f { rm x; }',
    'echo a\\\nb',
    'echo "open',
    "echo 'open",
    'echo \\',
    'a |& b',
    'a;;b',
    'echo {a,b}',
    '~/bin/x',
    '*',
    'r? x',
    '""',
    '',
    '   ',
    '# only a comment',
    'a\u0000b',
    'a\rb',
    'a\u001bb',
    'echo !!',
  ])('%o', (line, { expect }) => {
    expect(splitShellLine(line).kind).toBe('opaque')
  })
})

describe('what always would store', () => {
  test.for([
    ['ls -la src', 'ls *'],
    ['git status --short', 'git status *'],
    ['git log --oneline -5', 'git log *'],
    ['echo a b', 'echo *'],
    ['git log --output=x', 'git log --output=x'],
    ['git log --outpu x', 'git log --outpu x'],
    ['git grep --open-files-in-pager=x y', 'git grep --open-files-in-pager=x y'],
    ['git -c core.pager=x log', 'git -c core.pager=x log'],
    ['git diff --no-index /etc/passwd a', 'git diff --no-index /etc/passwd a'],
    ['git diff /etc/passwd a', 'git diff /etc/passwd a'],
    ['git show HEAD:.env', 'git show HEAD:.env'],
    ['git push', 'git push'],
    ['git config user.name x', 'git config user.name x'],
    ['ls /root', 'ls /root'],
    ['ls ../other', 'ls ../other'],
    ['ls .git/hooks', 'ls .git/hooks'],
    ['npm run build', 'npm run build'],
    ['npm install left-pad', 'npm install left-pad'],
    ['cat a', 'cat a'],
    ['cp a b', 'cp a b'],
    ['sort -o a b', 'sort -o a b'],
    ['rm -rf x', 'rm -rf x'],
    ['/bin/sh -c x', '/bin/sh -c x'],
    ['setsid x', 'setsid x'],
    ['busybox sh', 'busybox sh'],
    ['script -c x', 'script -c x'],
    ['python3.11 x.py', 'python3.11 x.py'],
    ['rbash x', 'rbash x'],
    ['strace x', 'strace x'],
    ['expect x', 'expect x'],
    ["'my tool' x", "'my tool' x"],
    // As a rule it would be a pattern: nothing is stored.
    ['rm *', undefined],
    ['git add *', undefined],
    ['git log *', undefined],
    ['cat a?', undefined],
  ] as const)('of %o is %o', ([line, always], { expect }) => {
    const split = splitShellLine(line)
    expect(split.kind === 'simple' ? split.commands.map((command) => command.always) : split).toEqual([always])
  })

  const stored = (resource: string) => [{ action: 'bash', resource, effect: 'allow' as const, isStored: true }]
  const own = (resource: string) => [{ action: 'bash', resource, effect: 'allow' as const }]
  const judge = (line: string, rules: readonly PermissionRule[]) =>
    evaluatePermission('bash', shellResources(splitShellLine(line), line), rules)

  test.for([
    ['git log --oneline', 'git log *', 'allow'],
    ['git log --output=x', 'git log *', 'ask'],
    ['git grep --open-files-in-pager=x y', 'git grep *', 'ask'],
    ['sort -o x y', 'sort *', 'ask'],
    ['cp x .git/hooks/y', 'cp *', 'ask'],
    ['cat /data/secrets.json', 'cat *', 'ask'],
    ['setsid sh', 'setsid *', 'ask'],
    ['npm test', 'npm test', 'allow'],
    ['npm test -- --x', 'npm test', 'ask'],
    ['ls; rm x', 'ls *', 'ask'],
    ['rm *', 'rm *', 'ask'],
  ] as const)('%o under a stored %o: %s', ([line, rule, effect], { expect }) => {
    expect(judge(line, stored(rule))).toBe(effect)
  })

  test.for([
    ['npm run build', 'npm run *', 'allow'],
    ['git push origin', 'git push*', 'allow'],
    ['git log --outpu=x', 'git *', 'ask'],
    ['git -c core.pager=x log', 'git *', 'ask'],
    ['sort -no x', 'sort *', 'ask'],
    ['find . -exec x', 'find *', 'ask'],
    ['cp x .git/hooks/y', 'cp *', 'ask'],
    ['cp x .MCP.json', 'cp *', 'ask'],
    ['dd of=.git/config', 'dd *', 'ask'],
    ['sort -o x', '*', 'allow'],
  ] as const)('%o under a rule that the owner wrote, %o: %s', ([line, rule, effect], { expect }) => {
    expect(judge(line, own(rule))).toBe(effect)
  })
})

/**
 * The judge is bash itself: in a shell where the only commands are functions that print their name and words, a line
 * taken for simple must run exactly the commands it was split into, in a shell that runs them all.
 */
test('bash runs the commands a line was split into and no others', ({ expect }) => {
  const piece = fc.constantFrom(
    'aa',
    'bb',
    ' ',
    ' ',
    ';',
    '&&',
    '||',
    '|',
    '&',
    '\n',
    "'",
    '"',
    '\\',
    '$',
    '`',
    '(',
    ')',
    '{',
    '}',
    '<',
    '>',
    '!',
    '#',
    '=',
    '*',
    '~',
    'if',
    'x y',
    '$(aa)',
    '2>&1',
    '>/dev/null',
    "'aa bb'",
    '"cc"',
    '\t',
    '-x',
  )
  const lines = fc.sample(
    fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join('')),
    {
      numRuns: 1500,
      seed: 20_261_121,
    },
  )
  const simple = lines.flatMap((line) => {
    const split = splitShellLine(line)
    return split.kind === 'simple' ? [{ line, commands: split.commands }] : []
  })
  expect(simple.length).toBeGreaterThan(50)
  // Every command is unknown, so bash hands it to this function, in its own process for pipes and background jobs.
  const script = [
    'exec 9>&1 1>/dev/null 2>/dev/null',
    "command_not_found_handle() { local IFS=$'\\x1f'; printf 'C%s\\x1e' \"$*\" >&9; return 0; }",
    'set -f',
    'index=0',
    'for line in "$@"; do printf \'\\x1d%s\\n\' "$index" >&9; eval "$line"; wait; index=$((index + 1)); done',
  ].join('\n')
  const run = spawnSync('/bin/bash', ['-c', script, 'bash', ...simple.map(({ line }) => line)], {
    encoding: 'latin1',
    env: { PATH: '/nowhere', LC_ALL: 'C' },
    cwd: '/',
  })
  const ran = new Map<number, string[][]>()
  for (const part of run.stdout.split('\x1d').slice(1)) {
    const end = part.indexOf('\n')
    const calls = part
      .slice(end + 1)
      .split('\x1e')
      .filter((call) => call.startsWith('C'))
    ran.set(
      Number(part.slice(0, end)),
      calls.map((call) => call.slice(1).split('\x1f')),
    )
  }
  expect(ran.size).toBe(simple.length)
  expect([...ran.values()].flat().length).toBeGreaterThan(simple.length / 2)
  for (const [index, { line, commands }] of simple.entries()) {
    const allowed = commands.map((command) => command.text)
    for (const call of ran.get(index) ?? []) {
      const text = call
        .map((word) => (/^[A-Za-z0-9_@%+=:,./*?[\]-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
        .join(' ')
      expect(allowed, JSON.stringify({ line, call })).toContain(text)
    }
  }
})
