import { callables, type Framework, type MountRule } from './framework.ts'

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

/** The same on what has any name. */
const verbCallOfRouter = {
  pattern: new RegExp(
    String.raw`(?<![.\w$])[\w$]+\s*\.\s*(?<method>${verbs})\s*(?:<[^>()]*>)?\(\s*(['"\`])(?<url>[/*][^'"\`]*)\2`,
    'gi',
  ),
  handler: 'call',
  isOfRouter: true,
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

const quotedUrl = String.raw`(['"\`])(?<url>[^'"\`]*)`

/** `app.use('/api', books)`, and with nothing put before it */
const useCalls: readonly MountRule[] = [
  { pattern: new RegExp(String.raw`\b[\w$]+\s*\.\s*use\(\s*${quotedUrl}\1\s*,`, 'g'), before: 'handed' },
  { pattern: /\b[\w$]+\s*\.\s*use\(\s*(?!['"`])/g, before: 'handed' },
]

const routerMade = /\b(?:\w+\.)?Router\(/g

/** `{ prefix: '/api' }` handed to what makes a router of some name */
const prefixOption = (maker: string): MountRule => ({
  pattern: new RegExp(String.raw`\b${maker}\(\s*\{[^{}]*?\bprefix\s*:\s*${quotedUrl}\1`, 'g'),
  before: 'made',
})

/** `app.route('/api', books)` and `app.mount('/api', books)`, in a chain or alone */
const handedAfterUrl = (verb: string): MountRule => ({
  pattern: new RegExp(String.raw`\.\s*(?:${verb})\(\s*${quotedUrl}\1\s*,`, 'g'),
  before: 'handed',
})

export const scriptFrameworks: readonly Framework[] = [
  {
    name: 'express',
    imports: /^express(-promise-router)?$/,
    urls: [verbCall, routeCall, verbCallOfRouter],
    mounts: useCalls,
    part: routerMade,
    whole: /\bexpress\(/g,
  },
  {
    name: 'fastify',
    imports: /^(fastify|@fastify\/.*)$/,
    urls: [verbCall, routeObject, verbCallOfRouter],
    whole: /\b[Ff]astify\(/g,
    mounts: [
      {
        pattern: /\.\s*register\(\s*(?<child>[\w$.]+)\s*,\s*\{[^{}]*?\bprefix\s*:\s*(['"`])(?<url>[^'"`]*)\2/dg,
        before: 'handed',
      },
      // What is put before them stands behind them, after all of the function.
      { pattern: /\.\s*register\(\s*(?:async\b|function\b|\()/g, before: 'arguments', isUnknown: true },
      { pattern: /\.\s*register\(\s*(?<child>[\w$.]+)/dg, before: 'handed' },
    ],
  },
  {
    name: 'koa',
    imports: /^(koa-router|@koa\/router)$/,
    urls: [verbCall, verbCallOfRouter],
    mounts: [...useCalls, prefixOption('Router')],
    part: routerMade,
  },
  {
    name: 'hono',
    imports: /^(hono|@hono\/zod-openapi)(\/.*)?$/,
    urls: [verbCall, verbCallOfRouter],
    whole: /\b(?:OpenAPI)?Hono\s*(?:<[^;()]*>)?\(/g,
    mounts: [
      handedAfterUrl('route|mount'),
      { pattern: new RegExp(String.raw`\.\s*basePath\(\s*${quotedUrl}\1`, 'g'), before: 'made' },
    ],
  },
  { name: 'hapi', imports: /^@hapi\/hapi$/, urls: [routeObject] },
  {
    name: 'elysia',
    imports: /^elysia$/,
    urls: [verbCall, verbCallOfRouter],
    whole: /\bElysia\(/g,
    mounts: [
      ...useCalls,
      prefixOption('Elysia'),
      { pattern: new RegExp(String.raw`\.\s*group\(\s*${quotedUrl}\1\s*,`, 'g'), before: 'arguments' },
    ],
  },
  { name: 'polka', imports: /^polka$/, urls: [verbCall, verbCallOfRouter], mounts: useCalls },
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
