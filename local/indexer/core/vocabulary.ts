/** Words and numbers that the index is written in. Readers and writers of the index share them. */

export const nodeKinds = [
  'file',
  'module',
  'class',
  'struct',
  'interface',
  'trait',
  'protocol',
  'function',
  'method',
  'property',
  'field',
  'variable',
  'constant',
  'enum',
  'enum_member',
  'type_alias',
  'namespace',
  'parameter',
  'import',
  'export',
  'route',
  'component',
  'union',
] as const
export type NodeKind = (typeof nodeKinds)[number]

export const edgeKinds = [
  'contains',
  'calls',
  'imports',
  'exports',
  'extends',
  'implements',
  'references',
  'type_of',
  'returns',
  'instantiates',
  'overrides',
  'decorates',
  'navigates',
] as const
export type EdgeKind = (typeof edgeKinds)[number]

export const languages = [
  'typescript',
  'tsx',
  'javascript',
  'jsx',
  'python',
  'go',
  'rust',
  'java',
  'c',
  'cpp',
  'csharp',
  'ruby',
  'php',
  'vue',
  'svelte',
] as const
export type Language = (typeof languages)[number]

/** How the target of an edge was found, in the order of the number stored in the index. */
export const resolutions = [
  'syntax',
  'import',
  'qualified-name',
  'exact-match',
  'instance-method',
  'function-ref',
  'framework',
  'file-path',
  'fuzzy',
] as const
export type Resolution = (typeof resolutions)[number]

/** Why a file is in the index with its name alone, or without some of its edges. */
export const givenUpReasons = [
  /** Brackets, expressions or blocks that nest deeper than a parser goes. */
  'too_deep',
  /** It took more time of a processor than one file may. */
  'too_slow',
  'too_much_memory',
  /** It ended the process that read it. */
  'parser_died',
  /** It has more to say than the index keeps of one file. */
  'too_many_facts',
  /** Finding what some of its references mean took more steps than it may. */
  'too_many_steps',
] as const
export type GivenUp = (typeof givenUpReasons)[number]

/** Kinds that name a type; a `references` edge into one is a use of a type. */
export const typeKinds: ReadonlySet<NodeKind> = new Set([
  'interface',
  'type_alias',
  'class',
  'struct',
  'enum',
  'union',
  'trait',
  'protocol',
])

/** Bits of a symbol's flags. */
export const nodeFlag = {
  exported: 1,
  async: 2,
  static: 4,
  abstract: 8,
  notPublic: 16,
  private: 32,
  decorated: 64,
} as const

/** What a compiler says about an edge. */
export const verdicts = ['proved', 'refuted'] as const
export type Verdict = (typeof verdicts)[number]

/** Below this confidence an edge is a guess, and where no compiler proved it never shown as certain. */
export const uncertainBelow = 0.6

/** Layout of the tables. A reader refuses a newer one. */
export const schemaVersion = 6
/** What extraction and resolution write. An index made by an older one is rebuilt, not read. */
export const extractionVersion = 17
