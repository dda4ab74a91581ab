import { callables, type Framework, type MountRule } from './framework.ts'

const verbMark =
  /^[ \t]*@\w+(?:\.\w+)*\.(?<method>get|post|put|patch|delete|head|options|trace|websocket)\(\s*(?:(?:path|rule|url)\s*=\s*)?[rf]?(['"])(?<url>[^'"]*)\2/gm
const routeMark =
  /^[ \t]*@\w+(?:\.\w+)*\.(?:route|api_route|websocket_route)\(\s*(?:(?:path|rule|url)\s*=\s*)?[rf]?(['"])(?<url>[^'"]*)\1(?:[^)\n]*?methods\s*=\s*[[({]\s*['"](?<method>\w+)['"]\s*,?\s*[\])}])?/gm
/** `path('users/', views.users)` */
const pathCall = /(?<![\w.])(?:path|re_path|url)\(\s*r?(['"])(?<url>[^'"]*)\1\s*,/g

const named = (name: string): string => String.raw`\b${name}\s*=\s*(['"])(?<url>[^'"]*)`
/** Arguments up to the one that is meant, with calls among them. */
const upTo = String.raw`(?:[^()]|\([^()]*\))*?`

/** `api = APIRouter(prefix='/api')` */
const madeWith = (maker: string, option: string): MountRule => ({
  pattern: new RegExp(String.raw`\b${maker}\(${upTo}${named(option)}\1`, 'g'),
  before: 'made',
})

/** `app.include_router(api, prefix='/v1')` */
const handedWith = (verb: string, option: string, replaces: boolean): MountRule => ({
  pattern: new RegExp(String.raw`\.${verb}\(\s*(?:\w+\s*=\s*)?(?<child>[\w.]+)(?:${upTo}${named(option)}\2)?`, 'dg'),
  before: 'handed',
  ...(replaces ? { replaces } : {}),
})

/** `app.mount('/admin', admin)` */
const handedAfterUrl = (verb: string): MountRule => ({
  pattern: new RegExp(String.raw`\.${verb}\(\s*(['"])(?<url>[^'"]*)\1\s*,`, 'g'),
  before: 'handed',
})

export const pythonFrameworks: readonly Framework[] = [
  {
    name: 'flask',
    imports: /^(flask|quart)(\.|$)/,
    urls: [
      { pattern: verbMark, handler: 'mark' },
      { pattern: routeMark, handler: 'mark' },
      { pattern: /\.add_url_rule\(\s*(['"])(?<url>[^'"]*)\1/g, method: null, handler: 'call' },
    ],
    mounts: [madeWith('Blueprint', 'url_prefix'), handedWith('register_blueprint', 'url_prefix', true)],
    part: /\bBlueprint\(/g,
  },
  {
    name: 'fastapi',
    imports: /^fastapi(\.|$)/,
    urls: [
      { pattern: verbMark, handler: 'mark' },
      { pattern: routeMark, handler: 'mark' },
    ],
    mounts: [madeWith('APIRouter', 'prefix'), handedWith('include_router', 'prefix', false), handedAfterUrl('mount')],
    part: /\bAPIRouter\(/g,
  },
  {
    name: 'django',
    imports: /^(django|rest_framework)(\.|$)/,
    urls: [{ pattern: pathCall, method: null, handler: 'call' }],
    mounts: [
      {
        pattern:
          /(?<![\w.])(?:path|re_path|url)\(\s*r?(['"])(?<url>[^'"]*)\1\s*,\s*include\(\s*\(?\s*(['"])(?<module>[\w.]+)\3/g,
        before: 'handed',
      },
    ],
    entries: [
      { path: /(^|\/)management\/commands\//, name: /^(Command|handle|add_arguments)$/ },
      { path: /(^|\/)migrations\//, kinds: ['class', ...callables] },
      { path: /(^|\/)(apps|admin|urls|wsgi|asgi|settings)\.py$/ },
      {
        name: /^(get|post|put|patch|delete|head|options|dispatch|get_queryset|get_context_data|get_serializer_class|get_object|get_absolute_url|perform_(create|update|destroy)|list|retrieve|create|update|partial_update|destroy|form_valid|clean(_\w+)?|save|ready|validate(_\w+)?|to_representation|to_internal_value|has(_object)?_permission|process_\w+|get_\w+_display)$/,
        kinds: ['method'],
      },
      { name: /^(Meta|Media)$/, kinds: ['class'] },
    ],
  },
  {
    name: 'starlette',
    imports: /^starlette(\.|$)/,
    urls: [
      {
        pattern: /(?<![\w.])(?:Route|WebSocketRoute|Mount)\(\s*(['"])(?<url>[^'"]*)\1\s*,(?!\s*routes\b)/g,
        method: null,
        handler: 'call',
      },
    ],
    mounts: [
      {
        pattern: /(?<![\w.])Mount\(\s*(['"])(?<url>[^'"]*)\1\s*,\s*(?=routes\s*=\s*\[)/g,
        before: 'arguments',
      },
    ],
  },
  {
    name: 'aiohttp',
    imports: /^aiohttp(\.|$)/,
    urls: [
      { pattern: verbMark, handler: 'mark' },
      {
        pattern:
          /\.add_(?<method>get|post|put|patch|delete|head|route)\(\s*(?:['"]\w+['"]\s*,\s*)?(['"])(?<url>\/[^'"]*)\2/g,
        handler: 'call',
      },
    ],
    mounts: [handedAfterUrl('add_subapp')],
  },
  {
    name: 'sanic',
    imports: /^sanic(\.|$)/,
    urls: [
      { pattern: verbMark, handler: 'mark' },
      { pattern: routeMark, handler: 'mark' },
    ],
    mounts: [madeWith('Blueprint', 'url_prefix'), handedWith('blueprint', 'url_prefix', true)],
    part: /\bBlueprint\(/g,
  },
  {
    name: 'tornado',
    imports: /^tornado(\.|$)/,
    urls: [{ pattern: /\(\s*r?(['"])(?<url>\/[^'"]*)\1\s*,\s*[A-Z]\w+Handler\b/g, method: null, handler: 'call' }],
    entries: [
      {
        name: /^(get|post|put|patch|delete|head|options|prepare|on_finish|initialize|open|on_message|on_close)$/,
        owner: /Handler$/,
      },
    ],
  },
  { name: 'alembic', imports: /^alembic(\.|$)/, entries: [{ name: /^(upgrade|downgrade)$/, kinds: ['function'] }] },
  {
    name: 'pytest',
    path: /(^|\/)(conftest|test_[^/]*|[^/]*_test)\.py$/,
    entries: [
      {
        path: /(^|\/)(conftest|test_[^/]*|[^/]*_test)\.py$/,
        name: /^(test_\w+|Test\w+|setup_\w+|teardown_\w+|pytest_\w+|setUp\w*|tearDown\w*)$/,
      },
    ],
  },
  {
    name: 'gtk',
    imports: /^(gi|gtk)(\.|$)/,
    // What forms that are drawn elsewhere call by name.
    entries: [{ name: /^on_\w+$/, kinds: ['method'] }],
  },
  {
    name: 'twisted',
    imports: /^twisted(\.|$)/,
    entries: [
      {
        name: /^(buildProtocol|clientConnection\w+|connection(Lost|Made)|dataReceived|do(Read|Write)|fileno|getChild|lineReceived|logPrefix|render(_\w+)?|startedConnecting)$/,
        kinds: ['method'],
      },
    ],
  },
]
