import { test } from 'vitest'
import { mountDepthMax, mountsPerRouterMax } from '../../../local/viewer/limits.ts'
import { indexedInTest, servedInTest } from '../../support/viewer-in-test.ts'

interface Row {
  readonly method: string | null
  readonly url: string
  readonly whole: boolean
}

/** Each: a framework, files in which routers are put somewhere, and the URLs; a question mark: more may stand before it. */
const projects: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[]])[] = [
  [
    'express',
    {
      'app.ts':
        "import express from 'express'\nimport { books } from './books.ts'\nimport pages from './pages.ts'\nimport { admin } from './admin.ts'\nconst app = express()\napp.use(express.json())\napp.use('/api', guard, books)\napp.use('/v2', books)\nbooks.use('/:id/pages', pages)\napp.get('/', home)\nadmin(app)\nfunction home() {}\nfunction guard() {}\n",
      'books.ts':
        "import { Router } from 'express'\nexport const books = Router()\nbooks.get('/books', list)\nfunction list() {}\n",
      'pages.ts':
        "import { Router } from 'express'\nconst router = Router()\nrouter.get('/first', list)\nfunction list() {}\nexport default router\n",
      'admin.ts':
        "import type { Express } from 'express'\nexport function admin(app: Express) {\n  app.get('/admin', show)\n}\nfunction show() {}\n",
      'lost.ts':
        "import { Router } from 'express'\nexport const lostRouter = Router()\nlostRouter.get('/lost', show)\nfunction show() {}\n",
    },
    [
      'GET /admin',
      'GET /',
      'GET /api/books',
      'GET /v2/books',
      'GET ?/lost',
      'GET /api/:id/pages/first',
      'GET /v2/:id/pages/first',
    ],
  ],
  [
    'hono',
    {
      'app.ts':
        "import { Hono } from 'hono'\nimport { books } from './books.ts'\nimport { loans } from './loans.ts'\nconst app = new Hono().basePath('/api')\napp.route('/books', books).route('/loans', loans())\n",
      'books.ts':
        "import { Hono } from 'hono'\nexport const books = new Hono()\nbooks.get('/:id', show)\nfunction show() {}\n",
      'loans.ts':
        "import { Hono } from 'hono'\nexport function loans() {\n  const router = new Hono()\n  router.post('/all', show)\n  return router\n}\nfunction show() {}\n",
    },
    ['GET /api/books/:id', 'POST /api/loans/all'],
  ],
  [
    'fastify',
    {
      'app.js':
        "import Fastify from 'fastify'\nimport { books } from './books.js'\nconst app = Fastify()\napp.register(books, { prefix: '/v1' })\napp.register(async (server) => {\n  server.get('/inside', show)\n}, { prefix: '/v2' })\nfunction show() {}\n",
      'books.js':
        "import fp from 'fastify'\nexport async function books(server) {\n  server.get('/books', show)\n}\nfunction show() {}\n",
    },
    ['GET ?/inside', 'GET /v1/books'],
  ],
  [
    'koa',
    {
      'a.js':
        "import Router from '@koa/router'\nfunction show() {}\nconst router = new Router({ prefix: '/books' })\nrouter.get('/a', show)\nconst api = new Router()\napi.use('/api', router.routes())\napp.use(api.routes())\n",
    },
    ['GET /api/books/a'],
  ],
  [
    'flask',
    {
      'app.py':
        'from flask import Flask\nfrom books import books\nfrom pages import pages\n\napp = Flask(__name__)\napp.register_blueprint(books)\napp.register_blueprint(pages, url_prefix="/v2")\n',
      'books.py':
        'from flask import Blueprint\n\nbooks = Blueprint("books", __name__, url_prefix="/books")\n\n\n@books.get("/all")\ndef show():\n    return 1\n',
      'pages.py':
        'from flask import Blueprint\n\npages = Blueprint("pages", __name__, url_prefix="/gone")\n\n\n@pages.route("/all")\ndef show():\n    return 1\n',
    },
    ['GET /books/all', '* /v2/all'],
  ],
  [
    'fastapi',
    {
      'app.py':
        'from fastapi import FastAPI\nfrom routes import books\n\napp = FastAPI()\napp.include_router(\n    books.router,\n    prefix="/api",\n)\n',
      'routes/__init__.py': '',
      'routes/books.py':
        'from fastapi import APIRouter, Depends\n\nrouter = APIRouter(dependencies=[Depends(check)], prefix="/books")\n\n\n@router.get("/{id}")\nasync def show(id: int):\n    pass\n',
      'routes/lost.py':
        'from fastapi import APIRouter\n\nrouter = APIRouter()\n\n\n@router.get("/lost")\nasync def show():\n    pass\n',
    },
    ['GET /api/books/{id}', 'GET ?/lost'],
  ],
  [
    'django',
    {
      'shop/urls.py':
        'from django.urls import include, path\n\nurlpatterns = [\n    path("api/", include("books.urls")),\n    path("v2/", include(("books.urls", "books"))),\n]\n',
      'books/urls.py':
        'from django.urls import path, re_path\nfrom books import views\n\nurlpatterns = [path("books/", views.show), re_path(r"^old/$", views.show)]\n',
      'books/views.py': 'def show(request):\n    pass\n',
      'books/__init__.py': '',
    },
    ['* /api/books', '* /api/old/$', '* /v2/books', '* /v2/old/$'],
  ],
  [
    'gin',
    {
      'go.mod': 'module shop\n',
      'a.go':
        'package main\n\nimport "github.com/gin-gonic/gin"\n\nfunc show(c *gin.Context) {}\n\nfunc main() {\n\tr := gin.Default()\n\tapi := r.Group("/api")\n\t{\n\t\tv1 := api.Group("/v1")\n\t\tv1.GET("/books", show)\n\t\tpages(v1.Group("/pages"))\n\t\tloans(v1)\n\t}\n\tr.Group("/at").GET("/once", show)\n}\n',
      'b.go':
        'package main\n\nimport "github.com/gin-gonic/gin"\n\nfunc loans(r *gin.RouterGroup) {\n\tr.POST("/loans", show)\n}\n\nfunc Unused(r *gin.RouterGroup) {\n\tr.POST("/unused", show)\n}\n',
    },
    ['GET /api/v1/books', 'GET /at/once', 'POST /api/v1/loans', 'POST ?/unused'],
  ],
  [
    'chi',
    {
      'a.go':
        'package main\n\nimport "github.com/go-chi/chi/v5"\n\nfunc show() {}\n\nfunc main() {\n\tr := chi.NewRouter()\n\tr.Route("/api", func(r chi.Router) {\n\t\tr.Group(func(r chi.Router) {\n\t\t\tr.Get("/books", show)\n\t\t})\n\t})\n\tr.Mount("/admin", admin())\n\tr.Get("/", show)\n}\n\nfunc admin() chi.Router {\n\tr := chi.NewRouter()\n\tr.Get("/users", show)\n\treturn r\n}\n',
    },
    ['GET /api/books', 'GET /', 'GET /admin/users'],
  ],
  [
    'axum',
    {
      'src/main.rs':
        'use axum::{routing::get, Router};\n\nasync fn list() {}\n\nfn books() -> Router {\n    Router::new().route("/books", get(list))\n}\n\nfn main() {\n    let pages = Router::new().route("/pages", get(list));\n    let app = Router::new()\n        .nest("/api", books())\n        .nest("/v2", Router::new().route("/inside", get(list)))\n        .merge(pages);\n}\n',
    },
    ['GET /api/books', 'GET /pages', 'GET /v2/inside'],
  ],
  [
    'actix-web',
    {
      'src/main.rs':
        'use actix_web::{get, web, App};\n\n#[get("/books")]\nasync fn list() {}\n\nasync fn show() {}\n\nfn config(cfg: &mut web::ServiceConfig) {\n    cfg.service(web::resource("/pages").to(show));\n}\n\nfn main() {\n    App::new().service(\n        web::scope("/api")\n            .service(list)\n            .service(web::scope("/v1").configure(config)),\n    );\n}\n',
    },
    ['GET /api/books', '* /api/v1/pages'],
  ],
  [
    'rocket',
    {
      'src/main.rs':
        'use rocket::{get, post};\n\n#[get("/one")]\nfn one() {}\n\n#[post("/two")]\nfn two() {}\n\nfn main() {\n    rocket::build().mount("/api", routes![one, two]);\n}\n',
    },
    ['GET /api/one', 'POST /api/two'],
  ],
  [
    'laravel',
    {
      'routes/web.php':
        "<?php\nRoute::prefix('admin')->middleware(['auth'])->group(function () {\n  Route::get('/books', [BookController::class, 'index']);\n  Route::group(['middleware' => 'x', 'prefix' => 'deep'], function () {\n    Route::post('books', [BookController::class, 'index']);\n  });\n});\nRoute::get('/', [BookController::class, 'index']);\n",
      'routes/api.php': "<?php\nRoute::get('/books', [BookController::class, 'index']);\n",
      'app/Http/Controllers/BookController.php': '<?php\nclass BookController {\n  public function index() {}\n}\n',
    },
    ['GET /api/books', 'GET /admin/books', 'POST /admin/deep/books', 'GET /'],
  ],
  [
    'rails',
    {
      'config/routes.rb':
        "Rails.application.routes.draw do\n  namespace :admin do\n    scope '/v1', module: 'one' do\n      get 'books', to: 'books#show'\n    end\n  end\n  resources :books do\n    get 'pages', to: 'books#show'\n  end\n  get '/all', to: 'books#show'\nend\n",
      'app/controllers/books_controller.rb': 'class BooksController\n  def show\n  end\nend\n',
    },
    ['GET /admin/v1/books', '* /books', 'GET ?/books/pages', 'GET /all'],
  ],
  [
    'aspnet',
    {
      'A.cs':
        'using Microsoft.AspNetCore.Builder;\n\npublic class A {\n  public static void Map(WebApplication app) {\n    var api = app.MapGroup("/api");\n    api.MapGet("/books", Show);\n  }\n  static string Show() { return ""; }\n}\n',
    },
    ['GET ?/api/books'],
  ],
]

async function urlsOf(sources: Readonly<Record<string, string>>, limit = 100): Promise<string[]> {
  const project = await indexedInTest(sources)
  const viewer = await servedInTest(project.place)
  const { body } = await viewer.get(`/api/handlers?limit=${limit}`)
  return body.handlers.items.map((one: Row) => `${one.method ?? '*'} ${one.whole ? '' : '?'}${one.url}`)
}

test.for(projects)('%s: URLs are told with what is put before them', async ([, sources, wanted], { expect }) => {
  expect(await urlsOf(sources)).toEqual(wanted)
})

test.for([mountsPerRouterMax, mountsPerRouterMax + 1])(
  'a router that is put at %i places',
  async (places, { expect }) => {
    const put = Array.from({ length: places }, (_, at) => `app.use('/at${at}', books)\n`).join('')
    const urls = await urlsOf({
      'a.ts': `import express, { Router } from 'express'\nconst app = express()\nconst books = Router()\nbooks.get('/b', show)\n${put}function show() {}\n`,
    })

    const isTold = places <= mountsPerRouterMax
    expect(urls).toHaveLength(mountsPerRouterMax)
    expect(urls.every((one) => one.includes('?') !== isTold)).toBe(true)
  },
)

test('routers that are put below one another have no beginning', async ({ expect }) => {
  const urls = await urlsOf({
    'a.ts':
      "import { Router } from 'express'\nconst one = Router()\nconst two = Router()\none.use('/two', two)\ntwo.use('/one', one)\noneRouter.get('/lost', show)\nconst oneRouter = one\none.use(oneRouter)\nfunction show() {}\n",
  })

  expect(urls).toEqual([expect.stringContaining('?')])
})

test.for([
  [10, true],
  [mountDepthMax + 10, false],
] as const)('routers %i deep are told as far as that is known: %s', async ([depth, isWhole], { expect }) => {
  const made = Array.from({ length: depth }, (_, at) => `const r${at}Router = Router()\n`).join('')
  const put = Array.from({ length: depth - 1 }, (_, at) => `r${at}Router.use('/p', r${at + 1}Router)\n`).join('')
  const urls = await urlsOf({
    'a.ts': `import express, { Router } from 'express'\nconst app = express()\n${made}app.use('/api', r0Router)\n${put}r${depth - 1}Router.get('/b', show)\nfunction show() {}\n`,
  })

  expect(urls[0]?.includes('?')).toBe(!isWhole)
})
