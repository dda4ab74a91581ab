import fc from 'fast-check'
import { describe, test } from 'vitest'
import { permissionRules, tighteningRules } from '../../../local/agent/core/agent-catalogue.ts'
import { defaultPermissions, evaluatePermission, type PermissionRule } from '../../../local/agent/core/permission.ts'
import { isProtectedPath } from '../../../local/agent/core/protected-path.ts'
import { coversCommand } from '../../../local/agent/core/wildcard.ts'

const rule = (action: string, resource: string, effect: PermissionRule['effect']): PermissionRule => ({
  action,
  resource,
  effect,
})

describe('rules', () => {
  test.for([
    ['without a rule the owner is asked', [], 'edit', ['a'], 'ask'],
    ['the last that matches wins', [rule('edit', '*', 'deny'), rule('edit', 'a', 'allow')], 'edit', ['a'], 'allow'],
    ['the order is the order of the list', [rule('edit', 'a', 'allow'), rule('*', '*', 'deny')], 'edit', ['a'], 'deny'],
    ['one denied resource denies all', [rule('*', '*', 'allow'), rule('*', 'b', 'deny')], 'edit', ['a', 'b'], 'deny'],
    ['one asked resource asks for all', [rule('*', '*', 'allow'), rule('*', 'b', 'ask')], 'edit', ['a', 'b'], 'ask'],
    ['nothing at all asks', [rule('*', '*', 'allow')], 'edit', [], 'ask'],
    ['another action does not match', [rule('read', '*', 'allow')], 'edit', ['a'], 'ask'],
    ['a secret file is asked for', defaultPermissions, 'read', ['.env'], 'ask'],
    ['a secret file in a folder is asked for', defaultPermissions, 'read', ['deploy/prod.env'], 'ask'],
    ['an example of one is not', defaultPermissions, 'read', ['.env.example'], 'allow'],
    ['what lies outside is asked for', defaultPermissions, 'external_directory', ['/etc/passwd'], 'ask'],
    ['the rest is allowed', defaultPermissions, 'bash', ['ls'], 'allow'],
  ] as const)('%s', ([, rules, action, resources, effect], { expect }) => {
    expect(
      evaluatePermission(
        action,
        resources.map((text) => ({ text })),
        rules,
      ),
    ).toBe(effect)
  })

  test.for([
    ['a rule for particular texts does not vouch for it', [rule('bash', 'cat *', 'allow')], 'cat $(rm x)', 'ask'],
    ['a rule for everything does', [rule('bash', '*', 'allow')], 'cat $(rm x)', 'allow'],
    ['a denied beginning denies it', [rule('bash', '*', 'allow'), rule('bash', 'rm *', 'deny')], 'rm $(x)', 'deny'],
    [
      'a rule that denies anything in particular makes it asked for',
      [rule('bash', '*', 'allow'), rule('bash', 'rm *', 'deny')],
      'cat $(rm x)',
      'ask',
    ],
  ] as const)('an opaque line: %s', ([, rules, text, effect], { expect }) => {
    expect(evaluatePermission('bash', [{ text, isOpaque: true }], rules)).toBe(effect)
  })

  test('a setting becomes rules in the order it is written', ({ expect }) => {
    expect(permissionRules('ask')).toEqual([rule('*', '*', 'ask')])
    expect(permissionRules({ bash: { '*': 'ask', 'git *': 'allow' }, edit: 'deny' })).toEqual([
      rule('bash', '*', 'ask'),
      rule('bash', 'git *', 'allow'),
      rule('edit', '*', 'deny'),
    ])
  })

  test('whatever a project sets, it never allows more than before', ({ expect }) => {
    const effect = fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const)
    const name = fc.constantFrom('*', 'bash', 'edit', 'read', 'git *', '*.env', 'a')
    const rules = fc.array(fc.record({ action: name, resource: name, effect }), { maxLength: 6 })
    const rank = { deny: 0, ask: 1, allow: 2 }
    fc.assert(
      fc.property(rules, rules, name, name, (own, projects, action, text) => {
        const before = evaluatePermission(action, [{ text }], own)
        const after = evaluatePermission(action, [{ text }], [...own, ...tighteningRules(projects)])
        // An ask over a deny is the one case where a later rule is weaker than an earlier one.
        if (before !== 'deny') expect(rank[after]).toBeLessThanOrEqual(rank[before])
        else expect(after).not.toBe('allow')
      }),
    )
  })
})

describe('protected paths', () => {
  test.for([
    '/p/.git/config',
    '/p/.git/hooks/x',
    '/p/AGENTS.md',
    '/p/agents.md',
    '/p/svc.jsonc',
    '/home/x/.bashrc',
    '/home/x/.ssh/config',
    '/p/.svc/agent/a.md',
    '/p/.npmrc',
    '/p/.github/workflows/ci.yml',
    '/p/.GitHub/Workflows/ci.yml',
    '/p/.mcp.json',
    '/p/.claude/settings.json',
    '/p/.cursor/rules',
    '/home/x/.zprofile',
    '/home/x/.config/fish/config.fish',
  ])('%s is one', (path, { expect }) => {
    expect(isProtectedPath(path)).toBe(true)
  })
  test.for([
    '/p/src/git.ts',
    '/p/.gitignore',
    '/p/docs/agents.txt',
    '/p/bashrc',
    '/p/.github/README.md',
    '/p/workflows/x',
  ])('%s is none', (path, { expect }) => {
    expect(isProtectedPath(path)).toBe(false)
  })
})

describe('wildcards', () => {
  test.for([
    ['*', '', true],
    ['*', 'anything', true],
    ['a*c', 'abbc', true],
    ['a*c', 'abbd', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['git status *', 'git status', true],
    ['git status *', 'git status -s', true],
    ['git status *', 'git statusx', false],
    ['a.c', 'abc', false],
    ['(a+)+$', 'aaaa', false],
    ['**a', 'ba', true],
  ] as const)('%s and %o: %s', ([pattern, text, expected], { expect }) => {
    expect(coversCommand(pattern, text)).toBe(expected)
  })

  test('agree with a regular expression of the same meaning', ({ expect }) => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 })
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 })
    fc.assert(
      fc.property(letters, text, (pattern, subject) => {
        const source = [...pattern].map((symbol) => (symbol === '*' ? '.*' : symbol === '?' ? '.' : symbol)).join('')
        expect(coversCommand(pattern, subject)).toBe(new RegExp(`^${source}$`, 's').test(subject))
      }),
      { numRuns: 2000 },
    )
  })

  // Tried every way, this would not end in a lifetime.
  test('a hostile pattern is judged at once', ({ expect }) => {
    expect(coversCommand(`${'*a'.repeat(200)}b`, 'a'.repeat(4000))).toBe(false)
  })
})
