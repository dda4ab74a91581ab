/** Which formatter a project has for a file, and how it is asked: it reads the text and answers it, and touches no file. */

export interface FormatterSpec {
  readonly program: string
  /** Whether it is a package of the project before it is a program of the machine. */
  readonly isPackage: boolean
  readonly endings: readonly string[]
  /** Files by which a folder says that it is used there. With `within`, what the file must hold for that. */
  readonly marks: readonly { readonly file: string; readonly within?: RegExp }[]
  readonly args: (file: string) => readonly string[]
}

const web = ['.js', '.jsx', '.mjs', '.cjs', '.ts', '.tsx', '.mts', '.cts', '.json', '.jsonc', '.css']

/** In the order of their say where a folder has marks of several. */
const formatters: readonly FormatterSpec[] = [
  {
    program: 'biome',
    isPackage: true,
    endings: web,
    marks: [{ file: 'biome.json' }, { file: 'biome.jsonc' }],
    args: (file) => ['format', `--stdin-file-path=${file}`],
  },
  {
    program: 'prettier',
    isPackage: true,
    endings: [...web, '.html', '.vue', '.svelte', '.scss', '.less', '.md', '.yaml', '.yml', '.graphql'],
    marks: [
      ...['', '.json', '.yaml', '.yml', '.js', '.cjs', '.mjs', '.ts', '.toml'].map((end) => ({
        file: `.prettierrc${end}`,
      })),
      ...['js', 'cjs', 'mjs', 'ts'].map((end) => ({ file: `prettier.config.${end}` })),
      { file: 'package.json', within: /"prettier"\s*:\s*[{"]\s*(?!\^|~|\d)/ },
    ],
    args: (file) => ['--stdin-filepath', file],
  },
  { program: 'gofmt', isPackage: false, endings: ['.go'], marks: [{ file: 'go.mod' }], args: () => [] },
  {
    program: 'rustfmt',
    isPackage: false,
    endings: ['.rs'],
    marks: [{ file: 'Cargo.toml' }],
    args: () => ['--emit', 'stdout', '--edition', '2021'],
  },
  {
    program: 'black',
    isPackage: false,
    endings: ['.py', '.pyi'],
    marks: [{ file: 'pyproject.toml', within: /^\[tool\.black\]/m }],
    args: (file) => ['--quiet', '--stdin-filename', file, '-'],
  },
  {
    program: 'clang-format',
    isPackage: false,
    endings: ['.c', '.h', '.cc', '.cpp', '.cxx', '.hh', '.hpp', '.m', '.mm'],
    marks: [{ file: '.clang-format' }],
    args: (file) => [`--assume-filename=${file}`],
  },
]

export function formattersOf(file: string): readonly FormatterSpec[] {
  return formatters.filter(({ endings }) => endings.some((ending) => file.endsWith(ending)))
}
