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
