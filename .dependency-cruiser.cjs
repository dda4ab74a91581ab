/** Who may import whom. Each rule has a planted violation in test/node/guards, so a dead rule is noticed. */
const family = (name) =>
  ({ app: '^workers/app/', gateway: '^workers/gateway/', agent: '^local/agent/', viewer: '^local/viewer/' })[name]
const familyPairs = ['app', 'gateway', 'agent', 'viewer'].map((name) => ({
  name: `families-are-strangers-${name}`,
  comment: 'The four families never import one another. What two of them truly share lives in shared/.',
  severity: 'error',
  from: { path: family(name) },
  to: { path: ['app', 'gateway', 'agent', 'viewer'].filter((other) => other !== name).map(family) },
}))

module.exports = {
  forbidden: [
    ...familyPairs,
    {
      name: 'shared-is-a-leaf',
      comment: 'shared/ imports nothing of a family. Move what it needs into shared/, or the file into the family.',
      severity: 'error',
      from: { path: '^shared/' },
      to: { path: '^(workers|local|scripts|test)/' },
    },
    {
      name: 'core-is-pure',
      comment: 'core/ is rules only: no package, no Node module. Pass the value in, or do the work in an adapter.',
      severity: 'error',
      from: { path: '/core/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional'] },
    },
    {
      name: 'core-imports-core',
      comment:
        'core/ imports only core/ of its own family and shared/; the viewer also reads the vocabulary of the index, and the types of its own answers.',
      severity: 'error',
      from: { path: '^((?:workers|local)/[^/]+)/core/' },
      to: {
        path: '^(workers|local)/',
        pathNot: ['^$1/core/', '^local/indexer/core/', '^local/viewer/contract/wire\\.ts$'],
      },
    },
    {
      name: 'http-not-to-adapters',
      comment: 'Routes speak to ports. compose.ts hands them the adapter.',
      severity: 'error',
      from: { path: '/http/' },
      to: { path: '/(adapters|objects|runtime)/' },
    },
    {
      name: 'contract-knows-core-only',
      comment: 'contract/ is wire shapes: it reads vocabularies from core/ and nothing that acts.',
      severity: 'error',
      from: { path: '/contract/' },
      to: { path: '^(workers|local)/.*/(http|adapters|objects|runtime)/' },
    },
    {
      name: 'only-compose-wires',
      comment: 'Only compose (and the host that owns the runtime) creates adapters and objects.',
      severity: 'error',
      from: {
        path: '^(workers|local)/',
        pathNot:
          '(/compose\\.ts$|^(workers/app|local/agent)/compose/|^workers/(worker|own-gateway)\\.ts$|/adapters/|^workers/app/(jobs|services)/|^workers/[^/]+/objects/|^local/[^/]+/runtime/|^local/[^/]+\\.ts$)',
      },
      to: { path: '^(?:workers|local)/[^/]+/(adapters|objects)/' },
    },
    {
      name: 'what-works-is-handed-its-adapters',
      comment: 'Jobs, services and objects say what they need by types. compose hands them the adapter.',
      severity: 'error',
      from: { path: '^workers/app/(jobs|objects|services)/' },
      to: { path: '^workers/app/(adapters|compose|http|web|objects)[/.]', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'adapters-wire-nothing',
      comment: 'An adapter knows objects, jobs, services and routes by their types. compose makes them.',
      severity: 'error',
      from: { path: '^workers/app/adapters/' },
      to: { path: '^workers/app/(compose|http|jobs|objects|services|web)[/.]', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'rows-belong-to-their-store',
      comment:
        'Only adapters/d1 knows the tables and speaks SQL of D1; compose hands it the database. What decides is a service: hand it the store.',
      severity: 'error',
      from: { path: '^workers/app/', pathNot: '^workers/app/(adapters/d1/|compose/|compose\\.ts$)' },
      to: { path: ['^workers/app/adapters/d1/schema/', 'node_modules/drizzle-orm/'] },
    },
    {
      name: 'one-place-opens-secrets',
      comment: 'What opens secrets is made in compose/secrets.ts, and handed on.',
      severity: 'error',
      from: { path: '^workers/', pathNot: '^workers/app/compose/secrets\\.ts$' },
      to: { path: '^workers/app/adapters/secret-box\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'workers-not-to-local',
      comment: 'The Worker script runs on the edge: nothing of the local machine may reach it.',
      severity: 'error',
      from: { path: '^workers/' },
      to: { path: '^local/' },
    },
    {
      name: 'only-hosts-reach-workers',
      comment:
        'Of local/, only the hosts of the Worker script and of the gateway import workers/, and who hands it what a file declares.',
      severity: 'error',
      from: { path: '^local/', pathNot: '^local/(workerd|runtime|announces|gateway|operating|backup|configuration)/' },
      to: { path: '^workers/' },
    },
    {
      name: 'web-sees-contract-types-only',
      comment:
        'Pages are bundled for browsers: of the server they import types of contract/, the words of reasons and of actions, closed lists of words, what figures and addresses mean, the numbers of limits.ts and how a session follows from its events.',
      severity: 'error',
      from: { path: '/web/', pathNot: '^test/' },
      // One renderer a language, for the server's messages and for pages; one reading of a session's events for both.
      to: {
        path: '^(workers|local)/',
        pathNot:
          '/web/|^workers/app/core/(reason/|assistant/action-|(?:vocabulary|search-figures|torrent-file|tracker|site-of-tracker)\\.ts$|rules/filter-rule\\.ts$)|^workers/app/limits\\.ts$|^local/viewer/core/dead-code-kinds\\.ts$|^local/agent/core/(session/(event|message|project|tool-subject)|named-files|permission-words|vocabulary)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'web-sees-contract-only',
      comment: 'Pages know wire shapes, not what is behind them.',
      severity: 'error',
      from: { path: '/web/', pathNot: '^test/' },
      to: {
        path: '^(workers|local)/',
        pathNot:
          '/(web|contract)/|^workers/app/core/(reason/|assistant/action-|(?:vocabulary|search-figures|torrent-file|tracker|site-of-tracker)\\.ts$|rules/filter-rule\\.ts$)|^workers/app/limits\\.ts$|^local/viewer/core/dead-code-kinds\\.ts$|^local/agent/core/(session/(event|message|project|tool-subject)|named-files|permission-words|vocabulary)\\.ts$',
      },
    },
    {
      name: 'nothing-imports-test',
      comment: 'Code that ships never imports a test or its support.',
      severity: 'error',
      from: { pathNot: '^(test/|vitest)' },
      to: { path: '^test/' },
    },
    {
      name: 'no-circular',
      comment: 'A cycle has no bottom to start reading from.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A file nothing imports is either an entry (list it here) or dead.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          '\\.d\\.m?ts$',
          '^scripts/',
          '/web/public/',
          // Not imported: a page's build writes it out as a script of its own.
          '^shared/pages/theme\\.js$',
          '^test/',
          '\\.config\\.(ts|cjs)$',
          '^local/[^/]+\\.ts$',
          '\\.cjs$',
        ],
      },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.wrangler|\\.data|test/fixtures)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
