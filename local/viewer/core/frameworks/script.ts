import { callables, type Framework } from './framework.ts'

const verbs = 'get|post|put|patch|delete|del|head|options|all'
const receiver = String.raw`\b(?:app|api|server|router|route|fastify|\w+(?:Router|App|Routes|Api|Server))`

/** `app.get('/path', handler)`, in a chain or alone. */
const verbCall = {
  pattern: new RegExp(
    `${receiver}\\s*\\.\\s*(?<method>${verbs})\\s*(?:<[^>()]*>)?\\(\\s*(['"\`])(?<url>[/*][^'"\`]*)\\2`,
    'gi',
  ),
  handler: 'call',
} as const

/** `app.route('/path').get(handler)` */
const routeCall = {
  pattern: new RegExp(
    `${receiver}\\s*\\.\\s*route\\(\\s*(['"\`])(?<url>/[^'"\`]*)\\1\\s*\\)\\s*\\.\\s*(?<method>${verbs})\\b`,
    'gi',
  ),
  handler: 'call',
} as const

/** `{ method: 'GET', url: '/path', handler }` */
const routeObject = {
  pattern: /\bmethod\s*:\s*(['"])(?<method>[A-Za-z]+)\1\s*,\s*(?:url|path)\s*:\s*(['"`])(?<url>\/[^'"`]*)\3/g,
  handler: 'call',
} as const

export const scriptFrameworks: readonly Framework[] = [
  { name: 'express', imports: /^express(-promise-router)?$/, urls: [verbCall, routeCall] },
  { name: 'fastify', imports: /^(fastify|@fastify\/.*)$/, urls: [verbCall, routeObject] },
  { name: 'koa', imports: /^(koa-router|@koa\/router)$/, urls: [verbCall] },
  { name: 'hono', imports: /^(hono|@hono\/zod-openapi)(\/.*)?$/, urls: [verbCall] },
  { name: 'hapi', imports: /^@hapi\/hapi$/, urls: [routeObject] },
  { name: 'elysia', imports: /^elysia$/, urls: [verbCall] },
  { name: 'polka', imports: /^polka$/, urls: [verbCall] },
  {
    name: 'nestjs',
    imports: /^@nestjs\//,
    entries: [
      {
        name: /^(on(Module|Application)\w+|beforeApplicationShutdown|configure|intercept|canActivate|transform|catch|validate)$/,
        kinds: ['method'],
      },
    ],
  },
  {
    name: 'next',
    path: /(^|\/)(app|pages)\/.*\.[jt]sx?$/,
    entries: [
      { path: /(^|\/)app\/(.*\/)?route\.[jt]s$/, name: /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/ },
      {
        path: /(^|\/)(app|pages)\//,
        name: /^(getServerSideProps|getStaticProps|getStaticPaths|getInitialProps|generateMetadata|generateStaticParams|generateViewport)$/,
      },
      {
        path: /(^|\/)(app\/(.*\/)?(page|layout|loading|error|not-found|template|default|global-error)|pages\/.+|middleware|proxy|instrumentation)\.[jt]sx?$/,
        name: /^(default|[A-Z]\w*|middleware|proxy|register)$/,
        kinds: ['function', 'component', 'class'],
      },
    ],
  },
  {
    name: 'remix',
    imports: /^(@remix-run\/|react-router)/,
    entries: [
      {
        path: /(^|\/)routes\//,
        name: /^(loader|action|meta|links|headers|clientLoader|clientAction|ErrorBoundary|default)$/,
      },
    ],
  },
  {
    name: 'sveltekit',
    path: /(^|\/)routes\/(.*\/)?\+(page|layout|server)(\.server)?\.[jt]s$/,
    entries: [
      { path: /\/\+(page|layout|server)/, name: /^(load|actions|entries|GET|POST|PUT|PATCH|DELETE|OPTIONS|fallback)$/ },
    ],
  },
  {
    name: 'nuxt',
    path: /(^|\/)server\/(api|routes|middleware|plugins)\//,
    entries: [{ path: /(^|\/)server\/(api|routes|middleware|plugins)\//, name: /^default$/ }],
  },
  {
    name: 'angular',
    imports: /^@angular\//,
    entries: [
      {
        name: /^(ng(OnInit|OnDestroy|OnChanges|DoCheck|After\w+)|transform|writeValue|registerOn(Change|Touched)|setDisabledState)$/,
        kinds: callables,
      },
    ],
  },
  // What the compiler asks for by name.
  {
    name: 'jsx',
    path: /\.[cm]?tsx?$/,
    entries: [{ owner: /^JSX$/ }, { name: /^(jsx|jsxs|jsxDEV|jsxAttr|jsxEscape|jsxTemplate)$/ }],
  },
]
