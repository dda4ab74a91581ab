/**
 * Paths where a change decides what runs later without anybody starting it: version control, hooks, workflows, what
 * editors and agents take up by themselves, and the start files of shells. What is written counts, not how it is spelt.
 */
const protectedSegments = new Set([
  '.git',
  '.hg',
  '.svn',
  '.jj',
  '.svc',
  '.agents',
  '.claude',
  '.cursor',
  '.codex',
  '.gemini',
  '.husky',
  '.vscode',
  '.idea',
  '.zed',
  '.fleet',
  '.devcontainer',
  '.circleci',
  '.ssh',
  '.gnupg',
])
/** Folder and what lies in it, both in this order. */
const protectedPairs: readonly (readonly [folder: string, inner: string])[] = [
  ['.github', 'workflows'],
  ['.github', 'actions'],
  ['.gitea', 'workflows'],
  ['.forgejo', 'workflows'],
  ['.config', 'fish'],
  ['.config', 'git'],
  ['.config', 'autostart'],
  ['.config', 'systemd'],
  ['.config', 'environment.d'],
]
const protectedNames = new Set(
  `agents.md agents.local.md claude.md gemini.md .cursorrules svc.json svc.jsonc .mcp.json
   .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .inputrc
   .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout
   .xprofile .xinitrc .xsession .pam_environment
   .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .envrc .mise.toml mise.toml .gitconfig .gitmodules .gitlab-ci.yml
   .pre-commit-config.yaml .lefthook.yml lefthook.yml .exrc .vimrc .nvimrc .nvim.lua .dir-locals.el .gdbinit .lldbinit`.split(
    /\s+/,
  ),
)

/** True for a path whose change is always asked for, whatever the rules say. `path` has `/` between its parts. */
export function isProtectedPath(path: string): boolean {
  const parts = path.toLowerCase().split('/')
  return (
    protectedNames.has(parts.at(-1) ?? '') ||
    parts.some((part, index) => protectedSegments.has(part) || isPair(parts[index - 1], part))
  )
}

function isPair(folder: string | undefined, inner: string): boolean {
  return protectedPairs.some(([first, second]) => folder === first && inner === second)
}
