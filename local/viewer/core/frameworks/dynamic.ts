/** Frameworks of PHP and Ruby. */
import { callables, type Framework } from './framework.ts'

const phpVerbs = 'get|post|put|patch|delete|options|any'

export const phpFrameworks: readonly Framework[] = [
  {
    name: 'laravel',
    imports: /^Illuminate\\/,
    path: /(^|\/)(routes|app|database)\/.*\.php$/,
    urls: [
      {
        pattern: new RegExp(
          `(?:Route::|->)(?<method>${phpVerbs})\\(\\s*(['"])(?<url>[^'"]*)\\2\\s*,\\s*\\[\\s*(?<owner>[\\w\\\\]+)::class\\s*,\\s*['"](?<member>\\w+)['"]`,
          'gi',
        ),
        handler: 'named',
      },
      {
        pattern: new RegExp(
          `(?:Route::|->)(?<method>${phpVerbs})\\(\\s*(['"])(?<url>[^'"]*)\\2\\s*,\\s*['"](?:[\\w\\\\]+\\\\)?(?<owner>\\w+)@(?<member>\\w+)['"]`,
          'gi',
        ),
        handler: 'named',
      },
      {
        pattern: new RegExp(
          `Route::(?<method>${phpVerbs})\\(\\s*(['"])(?<url>[^'"]*)\\2\\s*,\\s*(?<owner>[\\w\\\\]+)::class\\s*\\)`,
          'gi',
        ),
        handler: 'named',
      },
      {
        pattern: new RegExp(
          `Route::(?<method>${phpVerbs})\\(\\s*(['"])(?<url>[^'"]*)\\2\\s*,\\s*(?:static\\s+)?(?:function|fn)\\b`,
          'gi',
        ),
        handler: 'call',
      },
      {
        pattern:
          /Route::(?:api)?resource\(\s*(['"])(?<url>[^'"]*)\1\s*,\s*(?:['"](?:[\w\\]+\\)?)?(?<owner>\w+)(?:::class|['"])/gi,
        method: null,
        handler: 'named',
      },
    ],
    mounts: [
      {
        pattern:
          /(?:::|->)\s*prefix\(\s*(['"])(?<url>[^'"]*)\1\s*\)(?:\s*->\s*\w+\((?:[^()]|\([^()]*\)){0,200}\)){0,6}?\s*->\s*group\(\s*base_path\(\s*(['"])(?<module>[^'"]*)\3/g,
        before: 'handed',
      },
      {
        pattern:
          /(?:::|->)\s*prefix\(\s*(['"])(?<url>[^'"]*)\1\s*\)(?:\s*->\s*\w+\((?:[^()]|\([^()]*\)){0,200}\)){0,6}?\s*->\s*group\(/g,
        before: 'arguments',
        opensLast: true,
      },
      {
        pattern: /\bRoute::group\(\s*\[[^\]]*?(['"])prefix\1\s*=>\s*(['"])(?<url>[^'"]*)\2/g,
        before: 'arguments',
      },
    ],
    // The framework's own way to read this file, unless a project says another.
    placed: { path: /(^|\/)routes\/api\.php$/, url: '/api' },
    entries: [
      {
        name: /^(handle|boot|register|rules|authorize|messages|attributes|up|down|run|definition|schedule|commands|broadcastOn|broadcastAs|broadcastWith|toArray|toMail|toDatabase|toBroadcast|via|envelope|content|build|failed|middleware|withValidator|prepareForValidation|map\w*Routes|render|report|terminate|uniqueId|backoff|tags|paginationInformation|redirectTo|scope[A-Z]\w*|get\w+Attribute|set\w+Attribute|casts|routeNotificationFor\w*|compose|mount|updated\w*|render\w*)$/,
        kinds: ['method'],
      },
      {
        path: /(^|\/)app\/(Http|Console|Jobs|Listeners|Events|Mail|Notifications|Policies|Providers|Rules|Exceptions|Observers|Models|Broadcasting|Enums)\//,
        kinds: ['class'],
      },
      {
        path: /(^|\/)(app\/Http\/(Controllers|Livewire)|app\/Policies|app\/Observers|app\/Livewire)\//,
        kinds: ['method'],
      },
      {
        path: /(^|\/)(app\/)?[^/]+\.php$/,
        owner: /^(User|[A-Z]\w+)$/,
        name: /^(scope[A-Z]\w*|[sg]et\w+Attribute|boot\w*)$/,
      },
      { path: /(^|\/)database\//, kinds: ['class', ...callables] },
    ],
  },
  {
    name: 'symfony',
    imports: /^(Symfony|Doctrine|Twig)\\/,
    prefix: /#\[Route\(\s*(?:path:\s*)?['"](?<url>[^'"]*)['"]/,
    urls: [
      {
        pattern: /#\[Route\(\s*(?:path:\s*)?(['"])(?<url>[^'"]*)\1(?:[^\]]*?methods:\s*\[?\s*['"](?<method>\w+)['"])?/g,
        method: null,
        handler: 'mark',
      },
      { pattern: /@Route\(\s*"(?<url>[^"]*)"/g, method: null, handler: 'mark' },
    ],
    entries: [
      // What templates ask for.
      { name: /^(get|is|has)[A-Z]\w*$/, kinds: ['method'] },
      {
        path: /(^|\/)src\/(.*\/)?(Controller|EventSubscriber|EventListener|DataFixtures|Command|Twig|Security|Form|Repository|Entity|MessageHandler|Validator)\//,
        kinds: ['class', 'method'],
      },
      {
        name: /^(configure|execute|load|buildForm|configureOptions|getSubscribedEvents|process|supports|voteOnAttribute|getFunctions|getFilters|validate|__invoke|up|down|interact|initialize)$/,
        kinds: ['method'],
      },
    ],
  },
  {
    name: 'slim',
    imports: /^(Slim|Psr\\Http)\\/,
    urls: [
      { pattern: new RegExp(`\\$\\w+->(?<method>${phpVerbs})\\(\\s*(['"])(?<url>/[^'"]*)\\2`, 'gi'), handler: 'call' },
    ],
    mounts: [{ pattern: /\$\w+->group\(\s*(['"])(?<url>[^'"]*)\1\s*,/g, before: 'arguments' }],
  },
  {
    name: 'phpunit',
    imports: /^PHPUnit\\/,
    entries: [{ name: /^(test\w*|setUp\w*|tearDown\w*)$/, kinds: ['method'] }],
  },
]

export const rubyFrameworks: readonly Framework[] = [
  {
    name: 'rails',
    path: /(^|\/)(config\/routes(\/.*)?|app\/.*|db\/.*|lib\/tasks\/.*|config\/.*|lib\/generators\/.*)\.(rb|rake)$/,
    urls: [
      {
        pattern:
          /^[ \t]*(?<method>get|post|put|patch|delete|match)\s*\(?\s*(['"])(?<url>[^'"]*)\2\s*(?:=>|,\s*(?::?to\s*(?:=>|:)))\s*['"](?<owner>[\w/]+)#(?<member>\w+)['"]/gm,
        handler: 'named',
      },
      { pattern: /^[ \t]*resources?\s*\(?\s*:(?<url>(?<owner>\w+))/gm, method: null, handler: 'named' },
      {
        pattern: /^[ \t]*root\s*\(?\s*(?:(?::?to\s*(?:=>|:)))?\s*['"](?<owner>[\w/]+)#(?<member>\w+)['"](?<url>)/gm,
        method: 'GET',
        handler: 'named',
      },
    ],
    mounts: [
      { pattern: /^[ \t]*(?:namespace|scope)\b[^\n]*?\bpath:\s*(['"])(?<url>[^'"]*)\1[^\n]*\bdo\b/gm, before: 'block' },
      { pattern: /^[ \t]*namespace\s*\(?\s*[:'"](?<url>[\w/-]+)[^\n]*\bdo\b/gm, before: 'block' },
      { pattern: /^[ \t]*scope\s*\(?\s*[:'"](?<url>[\w/:.-]+)[^\n]*\bdo\b/gm, before: 'block' },
      // Below one of several there is a part that names it.
      { pattern: /^[ \t]*resources?\s*\(?\s*:(?<url>\w+)[^\n]*\bdo\b/gm, before: 'block', isUnknown: true },
    ],
    entries: [
      { path: /(^|\/)app\/controllers\//, kinds: ['method', 'class'] },
      {
        path: /(^|\/)app\/(helpers|mailers|mailboxes|jobs|channels|policies|serializers|components|views|validators)\//,
        kinds: ['method', 'class', 'module'],
      },
      { path: /(^|\/)(db|config|lib\/tasks|lib\/generators)\//, kinds: ['class', ...callables] },
      { path: /(^|\/)app\/models\//, kinds: ['class'] },
    ],
  },
  {
    name: 'ruby',
    path: /\.rb$/,
    // Types of the platform that are opened again.
    entries: [
      {
        owner:
          /^(Array|Class|Date|Enumerable|File|Float|HTTP|Hash|IO|Integer|Kernel|Module|NilClass|Numeric|Object|Proc|Range|Regexp|Set|String|Symbol|Time|URI)$/,
        kinds: ['method'],
      },
    ],
  },
  {
    name: 'sinatra',
    imports: /^sinatra(\/base)?$/,
    urls: [
      {
        pattern: /^[ \t]*(?<method>get|post|put|patch|delete|head|options)\s*\(?\s*(['"])(?<url>\/[^'"]*)\2/gm,
        handler: 'call',
      },
    ],
    mounts: [{ pattern: /^[ \t]*namespace\s*\(?\s*(['"])(?<url>[^'"]*)\1[^\n]*\bdo\b/gm, before: 'block' }],
  },
  {
    name: 'minitest',
    path: /(^|\/)test\/.*_test\.rb$/,
    entries: [{ name: /^(test_\w+|setup|teardown)$/, kinds: ['method'] }],
  },
]
