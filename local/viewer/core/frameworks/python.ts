import { callables, type Framework } from './framework.ts'

const verbMark =
  /^[ \t]*@\w+(?:\.\w+)*\.(?<method>get|post|put|patch|delete|head|options|trace|websocket)\(\s*(?:(?:path|rule|url)\s*=\s*)?[rf]?(['"])(?<url>[^'"]*)\2/gm
const routeMark =
  /^[ \t]*@\w+(?:\.\w+)*\.(?:route|api_route|websocket_route)\(\s*(?:(?:path|rule|url)\s*=\s*)?[rf]?(['"])(?<url>[^'"]*)\1(?:[^)\n]*?methods\s*=\s*[[({]\s*['"](?<method>\w+)['"]\s*,?\s*[\])}])?/gm
/** `path('users/', views.users)` */
const pathCall = /(?<![\w.])(?:path|re_path|url)\(\s*r?(['"])(?<url>[^'"]*)\1\s*,/g

export const pythonFrameworks: readonly Framework[] = [
  {
    name: 'flask',
    imports: /^(flask|quart)(\.|$)/,
    urls: [
      { pattern: verbMark, handler: 'mark' },
      { pattern: routeMark, handler: 'mark' },
      { pattern: /\.add_url_rule\(\s*(['"])(?<url>[^'"]*)\1/g, method: null, handler: 'call' },
    ],
  },
  {
    name: 'fastapi',
    imports: /^fastapi(\.|$)/,
    urls: [
      { pattern: verbMark, handler: 'mark' },
      { pattern: routeMark, handler: 'mark' },
    ],
  },
  {
    name: 'django',
    imports: /^(django|rest_framework)(\.|$)/,
    urls: [{ pattern: pathCall, method: null, handler: 'call' }],
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
        pattern: /(?<![\w.])(?:Route|WebSocketRoute|Mount)\(\s*(['"])(?<url>[^'"]*)\1\s*,/g,
        method: null,
        handler: 'call',
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
  },
  {
    name: 'sanic',
    imports: /^sanic(\.|$)/,
    urls: [
      { pattern: verbMark, handler: 'mark' },
      { pattern: routeMark, handler: 'mark' },
    ],
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
