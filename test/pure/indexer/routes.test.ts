import { describe, test } from 'vitest'
import { linkSources, noSettings } from '../../support/link-sources.ts'

function routes(sources: Record<string, string>, dependencies: string[] = []): string[] {
  const settings = {
    ...noSettings,
    packages: [{ folder: '', name: 'p', exports: undefined, imports: undefined, main: '', dependencies }],
  }
  return linkSources(sources, settings)
    .filter((edge) => edge.kind === 'references' && edge.resolution === 'framework')
    .map((edge) => `${edge.from.split('#')[1]} -> ${edge.to}`)
}

test('React Router elements, nested ones under their parent', ({ expect }) => {
  const app = `import { Route, Routes } from 'react-router-dom'
import { Home } from './home.tsx'
function User() { return <p /> }
export const App = () => (
  <Routes>
    <Route path="/" element={<Home />} />
    <Route path="users" element={<User />}>
      <Route path=":id" Component={User} />
      <Route index element={<Home />} />
    </Route>
  </Routes>
)
`
  expect(routes({ 'app.tsx': app, 'home.tsx': 'export function Home() { return <p /> }\n' })).toEqual([
    'app.tsx:::/ -> home.tsx#Home',
    'app.tsx:::/users -> app.tsx#User',
    'app.tsx:::/users/:id -> app.tsx#User',
    'app.tsx:::/users -> home.tsx#Home',
  ])
})

test('React Router tables', ({ expect }) => {
  const app = `import { createBrowserRouter } from 'react-router'
import Page from './page.jsx'
export const router = createBrowserRouter([
  { path: '/', element: <Page />, children: [{ path: 'deep', Component: Page }] },
  { path: '/late', lazy: () => import('./page.jsx') },
])
`
  expect(routes({ 'app.jsx': app, 'page.jsx': 'export default function Page() { return <p /> }\n' })).toEqual([
    'app.jsx:::/ -> page.jsx#Page',
    'app.jsx:::/deep -> page.jsx#Page',
    'app.jsx:::/late -> page.jsx#Page',
  ])
})

test('Next.js pages, only where the project uses Next.js', ({ expect }) => {
  const sources = {
    'pages/index.tsx': 'export default function Index() { return <p /> }\n',
    'pages/posts/[id].tsx': 'const Post = () => <p />\nexport default Post\n',
    'pages/_app.tsx': 'export default function App() { return <p /> }\n',
    'app/(shop)/cart/page.tsx': 'export default function Cart() { return <p /> }\n',
    'pages/helper.ts': 'export const helper = 1\n',
  }

  expect(routes(sources, ['next']).sort()).toEqual([
    'app/(shop)/cart/page.tsx:::/cart -> app/(shop)/cart/page.tsx#Cart',
    'pages/index.tsx:::/ -> pages/index.tsx#Index',
    'pages/posts/[id].tsx:::/posts/:id -> pages/posts/[id].tsx#Post',
  ])
  expect(routes(sources)).toEqual([])
})

test('Vue Router tables, with lazy pages and children', ({ expect }) => {
  const router = `import { createRouter } from 'vue-router'
import { Home } from './home.ts'
const routes = [
  { path: '/', component: Home, children: [{ path: 'inner', component: () => import('./page.ts') }] },
]
export default createRouter({ history: null, routes })
`
  expect(
    routes({
      'router.ts': router,
      'home.ts': 'export const Home = {}\n',
      'page.ts': 'export default { name: "page" }\n',
    }),
  ).toEqual(['router.ts:::/ -> home.ts#Home', 'router.ts:::/inner -> page.ts#default'])
})

test('NestJS controllers', ({ expect }) => {
  const controller = `import { Controller, Get, Post } from '@nestjs/common'
@Controller('users')
export class UsersController {
  @Get(':id')
  find() {}
  @Post()
  create() {}
  helper() {}
}
`
  expect(routes({ 'users.controller.ts': controller })).toEqual([
    'users.controller.ts::GET:/users/:id -> users.controller.ts#UsersController::find',
    'users.controller.ts::POST:/users -> users.controller.ts#UsersController::create',
  ])
})

describe('other routers are not covered', () => {
  test.for<[string, Record<string, string>]>([
    [
      'Express',
      { 'app.js': "import express from 'express'\nconst app = express()\nfunction show() {}\napp.get('/x', show)\n" },
    ],
    [
      'a Route of another package',
      {
        'app.tsx':
          'import { Route } from \'other\'\nfunction Page() { return <p /> }\nexport const a = <Route path="/x" element={<Page />} />\n',
      },
    ],
    [
      'a Controller of another package',
      { 'a.ts': "import { Controller, Get } from 'other'\n@Controller('x')\nclass A { @Get() a() {} }\n" },
    ],
  ])('%s', ([, sources], { expect }) => {
    expect(routes(sources)).toEqual([])
  })
})
