/** Frameworks of Go, Rust, Java, C#, C and C++. */
import { callables, type Framework, type MountRule } from './framework.ts'

const goVerb = (verbs: string): RegExp =>
  new RegExp(`(?<=[\\w)])\\.(?<method>${verbs})\\(\\s*"(?<url>[^"]*)"\\s*,`, 'g')
/** `api := r.Group("/api")` */
const madeByCall = (verb: string): MountRule => ({
  pattern: new RegExp(String.raw`\.\s*${verb}\(\s*"(?<url>[^"]*)"`, 'g'),
  before: 'made',
})
/** `r.Mount("/api", api)` */
const handedAfterUrl = (verb: string): MountRule => ({
  pattern: new RegExp(String.raw`\.\s*${verb}\(\s*"(?<url>[^"]*)"\s*,`, 'g'),
  before: 'handed',
})

const goEntries = [
  { name: /^(main|init|TestMain)$/, kinds: callables },
  { path: /_test\.go$/, name: /^(Test|Benchmark|Example|Fuzz)/, kinds: callables },
]

export const goFrameworks: readonly Framework[] = [
  {
    name: 'net/http',
    imports: /^net\/http$/,
    urls: [
      {
        pattern: /(?<=\w)\.Handle(?:Func)?\(\s*"(?:(?<method>[A-Z]+) )?(?<url>\/[^"]*)"\s*,/g,
        method: null,
        handler: 'call',
      },
    ],
    mounts: [
      {
        pattern: /\.Handle\(\s*"[^"]*"\s*,\s*http\.StripPrefix\(\s*"(?<url>[^"]*)"\s*,\s*(?<child>[\w.]+)/dg,
        before: 'handed',
      },
    ],
    entries: [{ name: /^(ServeHTTP|RoundTrip)$/, kinds: ['method'] }],
  },
  {
    name: 'gin',
    imports: /^github\.com\/gin-gonic\/gin$/,
    urls: [{ pattern: goVerb('GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Any'), handler: 'call' }],
    mounts: [madeByCall('Group')],
  },
  {
    name: 'echo',
    imports: /^github\.com\/labstack\/echo(\/v\d+)?$/,
    urls: [{ pattern: goVerb('GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Any'), handler: 'call' }],
    mounts: [madeByCall('Group')],
  },
  {
    name: 'chi',
    imports: /^github\.com\/go-chi\/chi(\/v\d+)?$/,
    urls: [{ pattern: goVerb('Get|Post|Put|Patch|Delete|Head|Options|HandleFunc|Handle'), handler: 'call' }],
    mounts: [
      { pattern: /\.\s*Route\(\s*"(?<url>[^"]*)"\s*,\s*func\b/g, before: 'arguments' },
      { pattern: /\.\s*Group\(\s*func\b/g, before: 'arguments' },
      handedAfterUrl('Mount'),
    ],
  },
  {
    name: 'fiber',
    imports: /^github\.com\/gofiber\/fiber(\/v\d+)?$/,
    urls: [{ pattern: goVerb('Get|Post|Put|Patch|Delete|Head|Options|All'), handler: 'call' }],
    mounts: [
      { pattern: /\.\s*Route\(\s*"(?<url>[^"]*)"\s*,\s*func\b/g, before: 'arguments' },
      madeByCall('Group'),
      handedAfterUrl('Mount'),
    ],
  },
  {
    name: 'gorilla/mux',
    imports: /^github\.com\/gorilla\/mux$/,
    urls: [{ pattern: goVerb('HandleFunc|Handle'), method: null, handler: 'call' }],
    mounts: [madeByCall('PathPrefix')],
  },
  { name: 'go', path: /\.go$/, entries: goEntries },
]

const rustMark = /#\[(?:\w+::)*(?<method>get|post|put|patch|delete|head|options)\(\s*"(?<url>[^"]*)"/g

export const rustFrameworks: readonly Framework[] = [
  {
    name: 'axum',
    imports: /^axum(::|$)/,
    urls: [
      {
        pattern: /\.route\(\s*"(?<url>[^"]*)"\s*,/g,
        method: null,
        handler: 'call',
        each: /\b(?<method>get|post|put|patch|delete|head|options|any)(?:_service)?\(/g,
      },
    ],
    mounts: [handedAfterUrl('nest'), { pattern: /\.\s*merge\(/g, before: 'handed' }],
  },
  {
    name: 'actix-web',
    imports: /^actix_web(::|$)/,
    urls: [
      { pattern: rustMark, handler: 'mark' },
      {
        pattern: /\.route\(\s*"(?<url>[^"]*)"\s*,\s*web::(?<method>get|post|put|patch|delete|head)\(\)/g,
        handler: 'call',
      },
      { pattern: /web::resource\(\s*"(?<url>[^"]*)"\s*\)/g, method: null, handler: 'call' },
    ],
    mountsHandlers: true,
    mounts: [
      { pattern: /\bweb::scope\(\s*"(?<url>[^"]*)"/g, before: 'made' },
      { pattern: /\.\s*(?:service|configure)\(/g, before: 'handed' },
    ],
  },
  {
    name: 'rocket',
    imports: /^rocket(::|$)/,
    urls: [{ pattern: rustMark, handler: 'mark' }],
    mountsHandlers: true,
    mounts: [
      {
        pattern: /\.\s*mount\(\s*"(?<url>[^"]*)"\s*,\s*routes!\s*\[(?<child>[^\]]*)\]/dg,
        before: 'handed',
      },
    ],
  },
  { name: 'rust', path: /\.rs$/, entries: [{ name: /^(main|build_script_main)$/, kinds: ['function'] }] },
]

const javaTests = { path: /(^|\/)(test|androidTest)\// }

export const javaFrameworks: readonly Framework[] = [
  {
    name: 'spring',
    imports: /^org\.springframework(\.|$)/,
    prefix: /@RequestMapping\(\s*(?:(?:value|path)\s*=\s*)?\{?\s*"(?<url>[^"]*)"/,
    urls: [
      {
        pattern:
          /@(?<method>Get|Post|Put|Patch|Delete)Mapping\b(?:\(\s*(?:(?:value|path)\s*=\s*)?\{?\s*"(?<url>[^"]*)")?/g,
        handler: 'mark',
      },
      {
        pattern: /@RequestMapping\((?=[^)]{0,400}?RequestMethod\.(?<method>[A-Z]+))[^)"]{0,400}?(?:"(?<url>[^"]*)")/g,
        method: null,
        handler: 'mark',
      },
    ],
    entries: [
      {
        name: /^(addInterceptors|addCorsMappings|addResourceHandlers|configure\w*|initBinder|setAllowedFields|preHandle|postHandle|doFilterInternal|run|onApplicationEvent|supports|validate)$/,
        kinds: ['method'],
      },
    ],
  },
  {
    name: 'jax-rs',
    imports: /^(javax|jakarta)\.ws\.rs(\.|$)/,
    prefix: /@Path\(\s*"(?<url>[^"]*)"/,
    urls: [
      {
        pattern:
          /@(?<method>GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b(?:(?:\s*@(?!Path)\w+(?:\([^)]*\))?){0,12}\s*@Path\(\s*"(?<url>[^"]*)")?/g,
        handler: 'mark',
      },
    ],
  },
  {
    name: 'micronaut',
    imports: /^io\.micronaut(\.|$)/,
    prefix: /@Controller\(\s*"(?<url>[^"]*)"/,
    urls: [
      {
        pattern: /@(?<method>Get|Post|Put|Patch|Delete)\b(?:\(\s*(?:(?:value|uri)\s*=\s*)?"(?<url>[^"]*)")?/g,
        handler: 'mark',
      },
    ],
  },
  {
    name: 'servlet',
    imports: /^(javax|jakarta)\.servlet(\.|$)/,
    entries: [
      {
        name: /^(do(Get|Post|Put|Delete|Head|Options|Filter)|service|contextInitialized|contextDestroyed)$/,
        kinds: ['method'],
      },
    ],
  },
  {
    name: 'java',
    path: /\.java$/,
    entries: [
      { name: /^(main|writeObject|readObject|readResolve|writeReplace|valueOf|values|compareTo|serialVersionUID)$/ },
      { ...javaTests, name: /^(test\w*|setUp|tearDown)$/, kinds: ['method'] },
      // What a store of objects or a mapper of texts reads by name.
      { name: /^(get|set|is)[A-Z]/, kinds: ['method'], path: /(^|\/)(model|models|entity|entities|domain|dto)\//i },
    ],
  },
]

export const csharpFrameworks: readonly Framework[] = [
  {
    name: 'aspnet',
    imports: /^Microsoft\.AspNetCore(\.|$)/,
    prefix: /\[Route\(\s*"(?<url>[^"]*)"/,
    urls: [
      {
        pattern: /\[Http(?<method>Get|Post|Put|Patch|Delete|Head|Options)\b(?:\(\s*"(?<url>[^"]*)")?/g,
        handler: 'mark',
      },
      { pattern: /\.Map(?<method>Get|Post|Put|Patch|Delete)\(\s*"(?<url>[^"]*)"\s*,/g, handler: 'call' },
    ],
    mounts: [madeByCall('MapGroup')],
    entries: [
      {
        name: /^(Configure|ConfigureServices|ConfigureContainer|Invoke|InvokeAsync|CreateHostBuilder|OnGet\w*|OnPost\w*|OnActionExecuti\w+|OnException\w*)$/,
        kinds: ['method'],
      },
      { owner: /(Controller|Hub|PageModel)$/, kinds: ['method'] },
    ],
  },
  {
    name: 'mediatr',
    imports: /^MediatR$/,
    entries: [
      { name: /^(Handle|Process)$/, kinds: ['method'] },
      { name: /(Handler|Validator|Behavior)$/, kinds: ['class'] },
    ],
  },
  { name: 'fluentvalidation', imports: /^FluentValidation$/, entries: [{ name: /Validator$/, kinds: ['class'] }] },
  { name: 'automapper', imports: /^AutoMapper$/, entries: [{ name: /Profile$/, kinds: ['class'] }] },
  {
    name: 'efcore',
    imports: /^Microsoft\.EntityFrameworkCore/,
    entries: [
      { name: /^(OnModelCreating|OnConfiguring|Up|Down|BuildTargetModel|BuildModel|Configure)$/, kinds: ['method'] },
    ],
  },
  { name: 'dotnet', path: /\.cs$/, entries: [{ name: /^(Main|Dispose|DisposeAsync)$/, kinds: ['method'] }] },
]

export const nativeFrameworks: readonly Framework[] = [
  {
    name: 'crow',
    imports: /crow/,
    urls: [{ pattern: /\bCROW_(?:BP_)?ROUTE\(\s*\w+\s*,\s*"(?<url>[^"]*)"\s*\)/g, method: null, handler: 'call' }],
  },
  {
    name: 'drogon',
    imports: /drogon/,
    urls: [
      {
        pattern: /\b(?:ADD_METHOD_TO|METHOD_ADD|PATH_ADD)\([^,"]*,?\s*"(?<url>[^"]*)"/g,
        method: null,
        handler: 'call',
      },
    ],
  },
  {
    name: 'googletest',
    imports: /gtest|gmock/,
    entries: [{ name: /^(SetUp|TearDown|SetUpTestSuite|TearDownTestSuite|TestBody)$/ }],
  },
  {
    name: 'native',
    path: /\.(c|cc|cpp|cxx|h|hh|hpp)$/,
    entries: [{ name: /^(main|wmain|WinMain|DllMain|LLVMFuzzerTestOneInput)$/ }],
  },
]
