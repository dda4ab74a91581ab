/**
 * What the words of one command allow to be said about it. Of most programs nobody knows what their options do, so an
 * approval for good covers the very text that was approved and nothing else. A few are understood well enough that one
 * approval may cover every harmless use of them.
 */
import { isProtectedPath } from './protected-path.ts'

interface Grammar {
  /** What `always` stores, once for all uses below. */
  readonly pattern: string
  /** The options, whole. Any other one takes the command out of the pattern. */
  readonly isOption: (word: string) => boolean
  /** Whether words that are no options may be there. */
  readonly operands: 'any' | 'none' | 'below'
}

const oneOf = (words: string) => {
  const known = new Set(words.split(/\s+/))
  return (word: string) => known.has(word)
}

const gitLook = oneOf(
  `-s --short -b --branch --porcelain --porcelain=v1 --porcelain=v2 --stat --shortstat --numstat --name-only --name-status
   --cached --staged -p --patch -w --ignore-all-space -b --ignore-space-change --oneline --graph --decorate --no-decorate --all
   --no-merges --merges --first-parent --reverse -M -C --find-renames --word-diff --no-color --color=never --no-pager --no-patch
   --no-ext-diff --no-textconv -U0 -U1 -U3 -U5 -U10 --summary --`,
)

const grammars: readonly (readonly [program: string, grammar: Grammar])[] = [
  ['pwd', { pattern: 'pwd *', isOption: oneOf('-L -P'), operands: 'none' }],
  ['true', { pattern: 'true *', isOption: () => false, operands: 'none' }],
  ['echo', { pattern: 'echo *', isOption: () => true, operands: 'any' }],
  ['ls', { pattern: 'ls *', isOption: (word) => /^-[1ABCFGRSacdfghiklmnoprstux]+$/.test(word), operands: 'below' }],
  ...['status', 'log', 'diff', 'show'].map(
    (name) =>
      [
        `git ${name}`,
        {
          pattern: `git ${name} *`,
          isOption: (word: string) => gitLook(word) || /^-n?\d+$/.test(word),
          operands: 'below',
        },
      ] as const,
  ),
]

/** The pattern that covers this command with every other harmless use of its program, or undefined. */
export function coveringPattern(words: readonly string[]): string | undefined {
  for (const [start, grammar] of grammars) {
    const length = start.split(' ').length
    if (words.slice(0, length).join(' ') !== start) continue
    return words.slice(length).every((word) => suits(word, grammar)) ? grammar.pattern : undefined
  }
  return undefined
}

function suits(word: string, { isOption, operands }: Grammar): boolean {
  if (word.startsWith('-')) return isOption(word)
  if (operands !== 'below') return operands === 'any'
  // A pattern of the shell may turn into an option, and what is kept from being read is not shown by another program.
  return !/^[/~]|(?:^|\/)\.\.(?:\/|$)|[*?[\]:]|\.env/i.test(word) && !isProtectedPath(word)
}

/** Options of everyday programs that start another program or write where the words do not say. */
const strongOptions = new Map(
  Object.entries({
    git: `-c -C -O -x --config-env --exec-path --git-dir --work-tree --open-files-in-pager --output --output-directory --ext-diff
      --textconv --upload-pack --receive-pack --exec --template --no-index`,
    sort: '-o -T --output --compress-program --temporary-directory',
    find: '-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls',
    fd: '-x -X --exec --exec-batch',
    tar: '-I -F --to-command --checkpoint-action --use-compress-program --info-script --new-volume-script --rsh-command',
    rsync: '-e --rsh --rsync-path',
    rg: '--pre --hostname-bin',
    grep: '--devices',
    sed: '-i --in-place',
    diff: '--to-file --from-file',
    curl: '-o -O -K --output --remote-name --config --upload-file -T',
    wget: '-O --output-document --use-askpass -e --execute',
    date: '-s --set',
    tree: '-o',
  }).map(([program, options]) => [program, options.split(/\s+/).filter((option) => option !== '')] as const),
)

/** True where a rule for particular texts does not see what happens: an own rule that fits is not enough either. */
export function doesMore(words: readonly string[]): boolean {
  const [program = '', ...rest] = words
  if (words.some(namesProtected)) return true
  const strong = strongOptions.get(program.split('/').at(-1) ?? '') ?? []
  return rest.some((word) => strong.some((option) => isSpelling(word, option)))
}

/** `--output=x`, `--outp x` and `-ox` all say the same. */
function isSpelling(word: string, option: string): boolean {
  const [name = ''] = word.split('=')
  if (!option.startsWith('--')) {
    return option.length > 2 ? name === option : /^-[^-]/.test(word) && word.includes(option.charAt(1))
  }
  return name.length > 3 ? option.startsWith(name) : name === option
}

function namesProtected(word: string): boolean {
  return [word, word.slice(word.indexOf('=') + 1)].some((path) => isProtectedPath(path))
}
