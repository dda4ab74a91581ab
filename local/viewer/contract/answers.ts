/** What each route answers. */
import { z } from 'zod'
import { notJudgedReasons } from '../../indexer/core/compiler-check.ts'
import { leftOutReasons } from '../../indexer/core/left-out.ts'
import { givenUpReasons, languages, nodeKinds } from '../../indexer/core/vocabulary.ts'
import {
  count,
  edge,
  highlight,
  indexStamp,
  line,
  listOf,
  nodeDetail,
  nodeRef,
  relation,
  timing,
  verdict,
} from './shapes.ts'

export const failureAnswer = z.strictObject({
  error: z.string().min(1),
  code: z.enum(['bad-request', 'refused', 'not-found', 'no-index', 'index-unusable', 'internal']),
  hint: z.string().optional(),
})

export const apiAnswer = z.strictObject({
  name: z.string(),
  readOnly: z.boolean(),
  writes: z.array(z.string()),
  endpoints: z.array(
    z.strictObject({ path: z.string(), description: z.string(), params: z.array(z.string()).optional() }),
  ),
})

const counts = z.record(z.string(), count)

export const statsAnswer = z.strictObject({
  project: z.strictObject({ root: z.string(), name: z.string() }),
  index: z.strictObject({
    state: z.enum(['complete', 'partial', 'failed', 'indexing']).nullable(),
    lastIndexedAt: z.number().nullable(),
    stale: z.boolean(),
    version: z.string().nullable(),
    extractionVersion: count,
    backend: z.string(),
    journalMode: z.string(),
    pendingReferences: count,
    generatedFiles: count,
    watching: z.boolean(),
    watcherDegraded: z.string().nullable(),
  }),
  graph: z.strictObject({
    nodes: count,
    edges: count,
    files: count,
    nodesByKind: counts,
    edgesByKind: counts,
    filesByLanguage: counts,
    dbSizeBytes: count,
    walSizeBytes: count,
  }),
  frameworks: z.array(z.string()),
  thresholds: z.strictObject({ hub: z.literal(40), uncertainBelow: z.literal(0.6) }),
  blastScale: z.strictObject({
    maxDirect: count,
    maxWithinHops: count,
    hops: z.literal(3),
    sampled: count,
    estimated: z.literal(true),
  }),
})

const searchRow = nodeRef.extend({
  matchKind: z.enum(['exact', 'prefix', 'substring', 'qualified', 'file', 'related']),
})
const words = z.array(z.string())

export const searchAnswer = z.strictObject({
  query: z.string(),
  text: z.string(),
  filters: z.strictObject({ kinds: words, languages: words, paths: words, names: words }),
  results: listOf(searchRow),
  groups: z.array(z.strictObject({ kind: z.string(), count, items: z.array(searchRow) })),
})

const override = z.strictObject({
  baseId: z.string(),
  baseTypeId: z.string(),
  baseTypeName: z.string(),
  relation: z.enum(['extends', 'implements']),
})
const member = nodeRef.extend({
  parentId: z.string(),
  depth: z.union([z.literal(1), z.literal(2)]),
  fanIn: count,
  fanOut: count,
  overrides: override.optional(),
})
const hierarchyNode = nodeRef.extend({
  depth: line,
  parentId: z.string(),
  relation: z.enum(['extends', 'implements']),
  synthesized: z.literal(false),
  hiddenSubtypes: count,
})

export const nodeAnswer = z.strictObject({
  node: nodeDetail,
  ancestors: z.array(nodeRef),
  members: listOf(member),
  hierarchy: z
    .strictObject({
      ancestors: listOf(hierarchyNode),
      descendants: listOf(hierarchyNode),
      direct: count,
      implementers: count,
      bounded: z.boolean(),
      polymorphic: z.boolean(),
    })
    .nullable(),
  /** `text`: the first line that uses it, where the file is as it was indexed; a bound of files may leave it out. */
  incoming: listOf(relation.extend({ text: z.string().optional() })),
  outgoing: listOf(relation),
  typesUsed: z.array(relation),
  counts: z.strictObject({
    callers: count,
    callees: count,
    typesUsed: count,
    fanIn: count,
    fanOut: count,
    members: count,
    hub: z.boolean(),
  }),
  tests: z.strictObject({
    reached: z.boolean(),
    hops: count.nullable(),
    fileCount: count,
    files: words.max(6),
    exhaustive: z.boolean(),
    hopsSearched: count,
  }),
  outsideIndex: z.strictObject({
    total: count,
    byKind: counts,
    samples: z.array(z.strictObject({ name: z.string(), kind: z.string(), line, col: count })).max(40),
  }),
  blast: z
    .strictObject({
      direct: count,
      withinHops: count,
      hops: z.literal(3),
      files: count,
      testFiles: count,
      routes: count,
      uncertain: count,
      topFiles: z.array(z.strictObject({ file: z.string(), symbols: count, test: z.boolean() })).max(40),
    })
    .nullable(),
  drift: z.boolean(),
})

export const nodesAnswer = z.strictObject({ items: z.array(nodeRef), missing: words })

export const sourceAnswer = z.strictObject({
  file: z.string(),
  language: z.string(),
  drift: z.boolean(),
  showing: z.enum(['indexed', 'current', 'none']),
  contentHash: z.string().length(64),
  indexedAt: count,
  generated: z.boolean(),
  totalLines: count.nullable(),
  from: line.optional(),
  to: count.optional(),
  lines: words.max(4000).optional(),
  truncated: z.boolean().optional(),
  reason: z.string().optional(),
  highlight: highlight.optional(),
})

const outline = nodeRef.extend({ parentId: z.string().nullable(), depth: count, fanIn: count, fanOut: count })
const importRow = z.strictObject({
  file: z.string(),
  test: z.boolean(),
  symbols: z.array(z.strictObject({ id: z.string(), name: z.string(), kind: z.string(), line })).max(12),
  symbolCount: count,
})
const fileFacts = z.strictObject({
  path: z.string(),
  language: z.string(),
  size: count,
  modifiedAt: count,
  indexedAt: count,
  contentHash: z.string(),
  nodeCount: count,
  generated: z.boolean(),
  test: z.boolean(),
  errors: words,
  id: z.string().nullable(),
})

export const fileAnswer = z.strictObject({
  file: fileFacts,
  topLevel: z.strictObject({ calls: count }),
  drift: z.boolean(),
  outline: listOf(outline),
  imports: listOf(importRow),
  importedBy: listOf(importRow),
  unresolvedImports: z.array(z.strictObject({ name: z.string(), line })).max(60),
  dependencies: words,
  dependents: words,
})

export const fileCodeAnswer = z.strictObject({
  file: fileFacts.omit({ modifiedAt: true, nodeCount: true }).extend({ totalLines: count.nullable() }),
  drift: z.boolean(),
  reason: z.string().optional(),
  outline: listOf(outline),
  calls: listOf(z.strictObject({ ownerId: z.string(), ownerLine: line, relation })),
  outside: listOf(z.strictObject({ line, col: count, name: z.string(), kind: z.string() })),
  intraFileCalls: count,
  timing: z.strictObject({ elapsedMs: count }),
})

const routeRow = z.strictObject({
  url: z.string(),
  method: z.string().nullable(),
  path: z.string(),
  handler: z.string(),
  handlerKind: z.string(),
  file: z.string(),
  line,
  handlerId: z.string().nullable(),
  routeFile: z.string(),
  routeLine: line,
  routeId: z.string(),
})

export const routesAnswer = z.strictObject({
  routed: z.boolean(),
  routeCount: count,
  shown: count,
  truncated: z.boolean(),
  topHandlerFile: z.string().nullable(),
  topHandlerFileCount: count,
  entries: z.array(routeRow),
})

export const entryPointsAnswer = z.strictObject({
  frameworks: words,
  routes: z.strictObject({ routed: z.boolean(), routeCount: count, items: z.array(routeRow) }),
  files: listOf(nodeRef.extend({ calls: count, reaches: count, dependents: count })),
  tests: listOf(nodeRef.extend({ reaches: count, refs: count })),
  hubs: listOf(nodeRef.extend({ dependents: count, uncertain: count })),
  index: indexStamp,
  timing,
})

/** URLs that frameworks hand to the project's code, as the code gives them. */
export const handlersAnswer = z.strictObject({
  frameworks: z.array(z.strictObject({ name: z.string(), files: count, handlers: count })),
  handlers: listOf(
    z.strictObject({
      framework: z.string(),
      /** Null where any method is meant, or none is named. */
      method: z.string().nullable(),
      url: z.string(),
      /** False: what may stand before it is not known. */
      whole: z.boolean(),
      file: z.string(),
      line,
      /** Null where it is not known. */
      handler: nodeRef.nullable(),
      /** A function without a name answers, inside of the handler. */
      inline: z.boolean(),
      certain: z.boolean(),
    }),
  ),
  index: indexStamp,
  timing,
})

const gapReason = z.enum([...leftOutReasons, ...givenUpReasons])

/** What the index does not have of the project, each with its reason. */
export const gapsAnswer = z.strictObject({
  /** Files that are in the index with their name alone, or without some of their references. */
  givenUp: listOf(z.strictObject({ file: z.string(), reason: gapReason, references: count })),
  /** Files, and folders of files, that are not in the index. `total` counts rows, `files` the files in them. */
  leftOut: listOf(z.strictObject({ path: z.string(), reason: gapReason, files: count, bytes: count })),
  filesLeftOut: count,
  /** Files read as far as they could be understood. */
  halfParsed: listOf(z.strictObject({ file: z.string(), errors: words })),
  index: indexStamp,
})

/** One folder: what lies in it, and what of it the index does not have. Numbers of files count those below as well. */
export const treeAnswer = z.strictObject({
  folder: z.string(),
  files: count,
  leftOut: count,
  languages: z.array(z.strictObject({ language: z.enum(languages), files: count })),
  folders: listOf(z.strictObject({ path: z.string(), files: count, leftOut: count })),
  here: listOf(
    z.strictObject({
      path: z.string(),
      language: z.enum(languages),
      generated: z.boolean(),
      /** Why the index has not all of it; null where it has. */
      givenUp: gapReason.nullable(),
      /** It was read as far as it could be understood. */
      halfParsed: z.boolean(),
    }),
  ),
  /** Not in the index; a path with a slash at its end is a folder of several files. */
  leftOutHere: listOf(z.strictObject({ path: z.string(), reason: gapReason, files: count, bytes: count })),
  index: indexStamp,
  timing,
})

const judgedEdges = z.strictObject({
  /** All of them, and those a compiler said something about. */
  edges: count,
  judged: count,
  right: count,
  /** Between which shares the true one lies, 19 times of 20; null where nothing was judged. */
  likely: z.strictObject({ from: z.number().min(0).max(1), to: z.number().min(0).max(1) }).nullable(),
})
const accuracyCounts = z.strictObject({
  files: count,
  judgedFiles: count,
  certain: judgedEdges,
  possible: judgedEdges,
  /** Functions and methods that are named where a compiler knows which, and those of them with an edge. */
  sites: count,
  found: count,
})

/** What compilers said about the edges of the index. Where none said anything, nothing is counted. */
export const accuracyAnswer = z.strictObject({
  languages: z.array(accuracyCounts.extend({ language: z.enum(languages) })),
  all: accuracyCounts,
  tools: z.array(z.strictObject({ name: z.string(), files: count })),
  /** Files that are not as they were judged any more. */
  changedFiles: count,
  /** The compiler is being asked just now. */
  checking: z.boolean(),
  /** What the compiler that comes along was asked; null where it never was. */
  check: z
    .strictObject({
      tool: z.string(),
      /** Null while it is not over, and where it was ended from outside. */
      endedMs: count.nullable(),
      files: count,
      judged: count,
      notJudged: listOf(z.strictObject({ file: z.string(), reason: z.enum(notJudgedReasons) })),
    })
    .nullable(),
  wrong: listOf(z.strictObject({ source: nodeRef, target: nodeRef, line, certain: z.boolean() })),
  missed: listOf(z.strictObject({ file: z.string(), line, target: z.string() })),
  index: indexStamp,
  timing,
})

const reviewedSymbol = z.strictObject({ name: z.string(), kind: z.enum(nodeKinds), file: z.string(), line })
const affectedSymbol = reviewedSymbol.extend({
  certain: z.boolean(),
  steps: count,
  /** Where it leads on to the change, and to what. */
  atLine: line,
  toward: z.string(),
  /** What a compiler said about the edge by which it is reached; null where none said anything. */
  verdict: verdict.nullable(),
})

export const reviewAnswer = z.strictObject({
  range: z.string(),
  /** Who looks after the changed files, by the list of the project. */
  owners: listOf(z.strictObject({ owner: z.string(), files: z.array(z.string()) })),
  /** Public signatures that are not what they were, names that are gone, and members that are lacking, each with who it concerns. */
  contracts: listOf(
    z.strictObject({
      ...{ name: z.string(), kind: z.enum(nodeKinds).nullable(), file: z.string(), line },
      /** `unmet`: an interface asks for it since the change, and `callers` implement that and lack it. */
      how: z.enum(['changed', 'gone', 'unmet']),
      before: z.string().nullable(),
      now: z.string().nullable(),
      callers: z.array(reviewedSymbol.extend({ atLine: line, verdict: verdict.nullable() })),
      possible: count,
    }),
  ),
  changed: listOf(
    reviewedSymbol.extend({
      exported: z.boolean(),
      /** Whether a test reaches it; null for what is no code that runs, what is of the tests, and past a bound. */
      tested: z.enum(['certain', 'possible', 'no']).nullable(),
    }),
  ),
  untested: count,
  affected: listOf(affectedSymbol),
  routes: listOf(affectedSymbol),
  tests: listOf(z.strictObject({ file: z.string(), certain: z.boolean(), through: z.array(z.string()) })),
  /** `fresh`: it came with the change; otherwise the change took away what named it. */
  newlyDead: listOf(reviewedSymbol.extend({ fresh: z.boolean() })),
  /** The line that closes a circle, and the files from its own round to itself. */
  newlyCircular: listOf(z.strictObject({ file: z.string(), line, files: z.array(z.string()) })),
  /** Changed files of which the index knows nothing. */
  notIndexed: listOf(z.string()),
  timing,
})

export const mapAnswer = z.strictObject({
  root: z.string(),
  depth: line.max(4),
  roots: z.array(z.strictObject({ root: z.string(), label: z.string(), files: count })),
  modules: z.array(
    z.strictObject({
      id: z.string(),
      label: z.string(),
      files: count,
      symbols: count,
      languages: z.array(z.strictObject({ language: z.string(), files: count })),
      test: z.boolean(),
      generated: z.boolean(),
      generatedFiles: words,
      facade: z.boolean(),
      fileList: listOf(z.string()),
      dependents: z.strictObject({ files: count, modules: count }),
    }),
  ),
  links: z.array(
    z.strictObject({
      source: z.string(),
      target: z.string(),
      count,
      declared: count,
      byKind: z.array(z.strictObject({ kind: z.string(), count })),
      topPairs: z.array(z.strictObject({ from: z.string(), to: z.string(), count, declared: count })).max(4),
    }),
  ),
  cycles: z.strictObject({
    total: count,
    shown: count,
    truncated: z.boolean(),
    items: z.array(z.strictObject({ size: count, files: words.max(12), modules: words })).max(40),
  }),
  excluded: z.strictObject({ uncertainEdges: count, confidenceBelow: z.literal(0.6) }),
  index: indexStamp.extend({ edges: count }),
  timing,
})

const deadRow = nodeRef.extend({ lines: line, members: listOf(nodeRef) })

export const deadCodeAnswer = z.strictObject({
  rows: listOf(deadRow),
  groups: z.array(
    z.strictObject({
      file: z.string(),
      generated: z.boolean(),
      test: z.boolean(),
      lines: line,
      rows: z.array(deadRow),
    }),
  ),
  candidates: count,
  excluded: z.array(z.strictObject({ reason: z.string(), count, label: z.string() })),
  excludedTotal: count,
  kinds: words,
  includeExported: z.boolean(),
  includeTests: z.boolean(),
  includeGenerated: z.boolean(),
  bounded: z.boolean(),
  corroborated: z.boolean(),
  timing,
})

const flowEdge = edge.extend({
  label: z.string(),
  upward: z.boolean(),
  uncertain: z.boolean(),
  synthesized: z.literal(false),
})
const reached = z.strictObject({ node: nodeRef, line, confidence: z.number() })
const flowSource = z.strictObject({
  file: z.string(),
  language: z.string(),
  from: line,
  to: count,
  lines: words.optional(),
  highlight: highlight.optional(),
  drift: z.boolean().optional(),
  reason: z.string().optional(),
})
const boundary = z.strictObject({
  node: nodeRef,
  sites: z.array(
    z.strictObject({
      form: z.enum([
        'computed-call',
        'dynamic-import',
        'ruby-send',
        'php-dynamic',
        'reflection',
        'proxy-reflect',
        'typed-bus',
        'var-key-dispatch',
        'selector',
      ]),
      label: z.string(),
      snippet: z.string(),
      line,
      key: z.string().nullable(),
      keyIsType: z.boolean(),
      moreSites: count,
      candidates: z.array(z.strictObject({ node: nodeRef, display: z.string(), named: z.boolean() })).max(4),
      candidateNote: z.string().nullable(),
    }),
  ),
  uncertain: listOf(reached),
  further: listOf(reached),
  missed: z.array(nodeRef).max(4),
})

export const flowAnswer = z.strictObject({
  query: z.strictObject({
    kind: z.enum(['directed', 'symbols', 'trail']),
    from: z.string().nullable(),
    to: z.string().nullable(),
    symbols: words,
  }),
  flows: z
    .array(
      z.strictObject({
        id: z.string(),
        label: z.string(),
        hops: z.array(
          z.strictObject({
            node: nodeRef,
            edge: flowEdge.nullable(),
            callRef: z
              .strictObject({
                line,
                col: count.nullable(),
                name: z.string(),
                targetId: z.string(),
                backwards: z.boolean(),
              })
              .nullable(),
            source: flowSource.nullable(),
          }),
        ),
        boundary: boundary.nullable(),
        partial: z.boolean(),
      }),
    )
    .max(4),
  ambiguous: z.array(z.strictObject({ token: z.string(), chosen: nodeRef.nullable(), others: z.array(nodeRef) })),
  unresolved: words,
  reason: z.string().nullable(),
  index: indexStamp,
  timing,
})

export const textAnswer = z.strictObject({
  query: z.strictObject({
    text: z.string(),
    regex: z.boolean(),
    caseKept: z.boolean(),
    word: z.boolean(),
    path: z.string().nullable(),
  }),
  files: z.array(
    z.strictObject({
      file: z.string(),
      language: z.string(),
      test: z.boolean(),
      generated: z.boolean(),
      /** The file is not as it was indexed: these are the lines of today, and no symbol is known for them. */
      drift: z.boolean(),
      truncated: z.boolean(),
      lines: z
        .array(
          z.strictObject({
            line,
            /** A part of a long line; `spans` count from its beginning. */
            text: z.string(),
            spans: z.array(z.tuple([count, count])),
            symbol: z.strictObject({ id: z.string(), kind: z.enum(nodeKinds), name: z.string() }).nullable(),
          }),
        )
        .min(1),
    }),
  ),
  shown: z.strictObject({ files: count, lines: count }),
  truncated: z.boolean(),
  searchedFiles: count,
  timing,
})

export const blameAnswer = z.strictObject({
  file: z.string(),
  /** The file is not as it was indexed, so that its lines are others. */
  drift: z.boolean(),
  /** Whether git knows who made its lines. */
  known: z.boolean(),
  commits: z.array(
    z.strictObject({
      /** Null: in no commit yet. */
      id: z.string().nullable(),
      name: z.string(),
      /** When it was written, in milliseconds. */
      at: z.number().nullable(),
      subject: z.string(),
    }),
  ),
  /** Lines one after another that one commit made; `commit` is its place among them. */
  parts: z.array(z.strictObject({ from: line, to: line, commit: count })),
  timing,
})

export const screensAnswer = z.strictObject({
  routed: z.literal(false),
  entry: z.null(),
  screens: z.tuple([]),
  origins: z.tuple([]),
  links: z.tuple([]),
  dropped: z.literal(0),
  index: indexStamp,
  timing,
})

export const trailsAnswer = z.strictObject({
  trails: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      note: z.string(),
      author: z.string(),
      createdAt: z.string(),
      updatedAt: z.string(),
      hops: z.array(
        z.strictObject({
          dir: z.enum(['start', 'down', 'up']),
          name: z.string(),
          qualifiedName: z.string(),
          kind: z.string(),
          savedFile: z.string(),
          savedLine: line,
          status: z.enum(['ok', 'moved', 'ambiguous', 'missing']),
          id: z.string().nullable(),
          file: z.string().nullable(),
          line: line.nullable(),
          note: z.string().nullable(),
        }),
      ),
      resolved: count,
      intact: z.boolean(),
      encoded: z.string().nullable(),
      openFrom: line,
      openCount: count,
      openId: z.string().nullable(),
    }),
  ),
  readOnly: z.boolean(),
  readOnlyReason: z.string().nullable(),
  directory: z.string(),
  skipped: count,
  bounded: z.boolean(),
  saved: z.string().optional(),
  replaced: z.boolean().optional(),
  deleted: z.string().optional(),
})
