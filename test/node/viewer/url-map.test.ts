import { test } from 'vitest'
import { indexedInTest, servedInTest } from '../../support/viewer-in-test.ts'

const controller = `import { Controller, Get, Post } from '@nestjs/common'
@Controller('users')
export class UsersController {
  @Get(':id')
  find() {}
  @Get()
  list() {}
  @Post()
  create() {}
}
`

test('three production routes make a URL map, filtered first and cut then', async ({ expect }) => {
  const project = await indexedInTest({
    'src/users.controller.ts': controller,
    'test/fake.controller.ts': controller.replace("'users'", "'fake'"),
    'tool.py': 'def find():\n    return 1\n',
  })
  const viewer = await servedInTest(project.place)

  const { body } = await viewer.get('/api/routes')
  const cut = await viewer.get('/api/routes?limit=3')
  const entry = await viewer.get('/api/entrypoints?routes=3')
  const stats = await viewer.get('/api/stats')

  expect(
    body.entries.map(
      (one: { method: string; url: string; handler: string }) => `${one.method} ${one.url} ${one.handler}`,
    ),
  ).toEqual(['GET /users/:id find', 'GET /users list', 'POST /users create'])
  expect(body).toMatchObject({
    routed: true,
    routeCount: 6,
    shown: 3,
    truncated: true,
    topHandlerFile: 'src/users.controller.ts',
    topHandlerFileCount: 3,
  })
  expect(cut.body.entries).toHaveLength(3)
  expect(entry.body.routes).toMatchObject({ routed: true, routeCount: 6 })
  expect(stats.body.frameworks).toEqual(['nestjs'])
})

test('URLs of controllers are told with what their modules are put below', async ({ expect }) => {
  const named = (name: string): string =>
    `import { Controller, Get } from '@nestjs/common'\n@Controller('${name}')\nexport class ${name} {\n  @Get()\n  list() {}\n  @Get(':id')\n  find() {}\n}\n`
  const module = (name: string, controllers: string, more = ''): string =>
    `import { Module } from '@nestjs/common'\nimport { ${controllers} } from './${controllers}.ts'\n@Module({\n  providers: [],\n  controllers: [${controllers}],\n})\nexport class ${name} {}\n${more}`
  const project = await indexedInTest({
    'src/Users.ts': named('Users'),
    'src/Crates.ts': named('Crates'),
    'src/Boxes.ts': named('Boxes'),
    'src/Plain.ts': named('Plain'),
    'src/users.module.ts': module('UsersModule', 'Users'),
    'src/crates.module.ts': module('CratesModule', 'Crates'),
    'src/boxes.module.ts': module('BoxesModule', 'Boxes'),
    'src/plain.module.ts': module('PlainModule', 'Plain'),
    'src/app.module.ts': `import { Module } from '@nestjs/common'
import { RouterModule, type Routes } from '@nestjs/core'
import { UsersModule } from './users.module.ts'
import { CratesModule } from './crates.module.ts'
import { BoxesModule } from './boxes.module.ts'
import { PlainModule } from './plain.module.ts'
const routes: Routes = [
  { path: 'admin', module: UsersModule, children: [{ path: '/stock/', module: CratesModule }, BoxesModule] },
]
@Module({ imports: [UsersModule, PlainModule, RouterModule.register(routes)] })
export class AppModule {}
// RouterModule.register([{ path: 'said', module: PlainModule }])
`,
  })
  const viewer = await servedInTest(project.place)

  const { body } = await viewer.get('/api/routes')
  const entry = await viewer.get('/api/entrypoints?routes=10')

  const urls = [
    'GET /admin/Boxes',
    'GET /admin/Boxes/:id',
    'GET /admin/stock/Crates',
    'GET /admin/stock/Crates/:id',
    'GET /Plain',
    'GET /Plain/:id',
    'GET /admin/Users',
    'GET /admin/Users/:id',
  ]
  const told = (rows: readonly { method: string; url: string }[]): string[] =>
    rows.map(({ method, url }) => `${method} ${url}`)
  expect(told(body.entries)).toEqual(urls)
  expect(told(entry.body.routes.items)).toEqual(urls)
})

test('search filters by language and by name', async ({ expect }) => {
  const project = await indexedInTest({
    'a.ts': 'export function find() {}\nexport function other() {}\n',
    'b.py': 'def find():\n    return 1\n',
  })
  const viewer = await servedInTest(project.place)
  const files = async (query: string): Promise<string[]> => {
    const { body } = await viewer.get(`/api/search?q=${encodeURIComponent(query)}`)
    return body.results.items.map((one: { file: string; name: string }) => `${one.file} ${one.name}`)
  }

  expect(await files('find lang:python')).toEqual(['b.py find'])
  expect(await files('language:PYTHON kind:function')).toEqual(['b.py find'])
  expect(await files('kind:function name:oth')).toEqual(['a.ts other'])
  expect(await files('kind:function lang:python lang:typescript name:find')).toEqual(['a.ts find', 'b.py find'])
})

test('a path that stops in a symbol it calls shows lines of the symbol it shows', async ({ expect }) => {
  const project = await indexedInTest({
    'a.ts':
      "import { helper } from './b.ts'\nexport function start(): void {\n  helper('x')\n}\nexport function end(): void {}\n",
    'b.ts': `${'// a line\n'.repeat(40)}const table: Record<string, () => void> = {}\nexport function helper(key: string): void {\n  table[key]?.()\n}\n`,
  })
  const viewer = await servedInTest(project.place)
  const { flows } = (await viewer.get('/api/flow?from=start&to=end')).body
  expect(flows[0].boundary).toMatchObject({ node: { name: 'helper' }, sites: [{ line: 43 }] })
  expect(flows[0].hops[0].source).toMatchObject({ file: 'a.ts', from: 1, to: 5 })
})
