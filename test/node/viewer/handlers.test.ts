import { test } from 'vitest'
import { indexedInTest, servedInTest } from '../../support/viewer-in-test.ts'

interface Row {
  readonly method: string | null
  readonly url: string
  readonly handler: { readonly qualifiedName: string } | null
  readonly inline: boolean
  readonly certain: boolean
}

/** Each: a framework, files of a project that uses it, and what it hands where. A star: a function without a name. */
const projects: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[]])[] = [
  [
    'express',
    {
      'a.ts':
        "import { Router } from 'express'\nimport { list } from './b.ts'\nconst router = Router()\nrouter.get('/books', list)\nrouter.route('/books/:id').put(list)\n// router.get('/gone', list)\nrouter.post('/books', (request, reply) => list())\ncache.get('/no', list)\n",
      'b.ts': 'export function list() {}\n',
      'a.test.ts': "import express from 'express'\nconst app = express()\napp.get('/test', () => 1)\n",
    },
    ['GET /books list', 'PUT /books/:id list', 'POST /books *'],
  ],
  [
    'fastify',
    {
      'a.js':
        "import Fastify from 'fastify'\nfunction show() {}\nconst app = Fastify()\napp.get('/show', show)\napp.route({ method: 'PUT', url: '/all', handler: show })\n",
    },
    ['GET /show show', 'PUT /all show'],
  ],
  [
    'koa',
    {
      'a.js':
        "import Router from '@koa/router'\nfunction show() {}\nconst router = new Router()\nrouter.del('/a', show)\n",
    },
    ['DELETE /a show'],
  ],
  [
    'hono',
    {
      'a.ts':
        "import { Hono } from 'hono'\nconst show = () => 1\nconst app = new Hono()\napp.get('/a/:id', show).all('/b', show)\n",
    },
    ['GET /a/:id show'],
  ],
  [
    'flask',
    {
      'a.py':
        'from flask import Flask\n\n"""\n@app.get("/said")\ndef said(): pass\n"""\napp = Flask(__name__)\n\n\n@app.route("/books", methods=["POST"])\ndef add():\n    return 1\n\n\n@app.get("/books")\n@cached\ndef show():\n    return 2\n',
    },
    ['POST /books add', 'GET /books show'],
  ],
  [
    'fastapi',
    {
      'a.py':
        'from fastapi import APIRouter\n\nrouter = APIRouter()\n\n\n@router.delete(\n    "/books/{id}",\n    status_code=204,\n)\nasync def remove(id: int):\n    pass\n',
    },
    ['DELETE /books/{id} remove'],
  ],
  [
    'django',
    {
      'shop/urls.py':
        'from django.urls import include, path\nfrom shop import views\n\nurlpatterns = [\n    path("books/", views.books),\n    path("shelf/", views.Shelf.as_view()),\n    path("more/", include("more.urls")),\n]\n',
      'shop/views.py': 'class Shelf:\n    def get(self, request):\n        pass\n\n\ndef books(request):\n    pass\n',
      'shop/__init__.py': '',
    },
    ['* /books books', '* /shelf Shelf'],
  ],
  [
    'gin',
    {
      'go.mod': 'module shop\n',
      'a.go':
        'package main\n\nimport "github.com/gin-gonic/gin"\n\nfunc show(c *gin.Context) {}\n\nfunc main() {\n\tr := gin.Default()\n\tr.GET("/books/:id", show)\n\tr.POST("/books", func(c *gin.Context) {})\n}\n',
    },
    ['GET /books/:id show', 'POST /books main*'],
  ],
  [
    'echo',
    {
      'a.go':
        'package main\n\nimport "github.com/labstack/echo/v4"\n\nfunc show(c echo.Context) error { return nil }\n\nfunc main() {\n\te := echo.New()\n\te.PUT("/books", show)\n}\n',
    },
    ['PUT /books show'],
  ],
  [
    'chi',
    {
      'a.go':
        'package main\n\nimport "github.com/go-chi/chi/v5"\n\nfunc show() {}\n\nfunc main() {\n\tr := chi.NewRouter()\n\tr.Get("/books", show)\n}\n',
    },
    ['GET /books show'],
  ],
  [
    'net/http',
    {
      'a.go':
        'package main\n\nimport "net/http"\n\nfunc show(w http.ResponseWriter, r *http.Request) {}\n\nfunc main() {\n\thttp.HandleFunc("GET /books", show)\n\thttp.HandleFunc("/all", show)\n}\n',
    },
    ['GET /books show', '* /all show'],
  ],
  [
    'spring',
    {
      'A.java':
        'import org.springframework.web.bind.annotation.*;\n\n@RestController\n@RequestMapping("/books")\npublic class A {\n  @GetMapping("/{id}")\n  public String show() { return ""; }\n\n  @PostMapping\n  public void add() {}\n}\n',
    },
    ['GET /books/{id} A::show', 'POST /books A::add'],
  ],
  [
    'jax-rs',
    {
      'A.java':
        'import jakarta.ws.rs.*;\n\n@Path("books")\npublic class A {\n  @GET\n  @Path("{id}")\n  public String show() { return ""; }\n}\n',
    },
    ['GET /books/{id} A::show'],
  ],
  [
    'aspnet',
    {
      'A.cs':
        'using Microsoft.AspNetCore.Mvc;\n\n[ApiController]\n[Route("api/[controller]")]\npublic class BooksController {\n  [HttpGet("{id}")]\n  public string Show(int id) { return ""; }\n}\n',
    },
    ['GET /api/Books/{id} BooksController::Show'],
  ],
  [
    'axum',
    {
      'src/main.rs':
        'use axum::{routing::get, Router};\n\nasync fn list() {}\nasync fn add() {}\n\nfn main() {\n    let app: Router = Router::new().route("/books", get(list).post(add));\n}\n\nmod tests {\n    fn works() {\n        let app = Router::new().route("/test", get(list));\n    }\n}\n',
    },
    ['GET /books list', 'POST /books add'],
  ],
  [
    'actix-web',
    { 'src/main.rs': 'use actix_web::get;\n\n#[get("/books")]\nasync fn list() {}\n' },
    ['GET /books list'],
  ],
  [
    'rocket',
    { 'src/main.rs': 'use rocket::post;\n\n#[post("/books", format = "json")]\n#[allow(unused)]\nfn add() {}\n' },
    ['POST /books add'],
  ],
  [
    'laravel',
    {
      'routes/web.php':
        "<?php\nuse App\\Http\\Controllers\\BookController;\nRoute::get('/books', [BookController::class, 'index']);\nRoute::post('/books', 'BookController@store');\nRoute::get('/', function () { return 1; });\n",
      'app/Http/Controllers/BookController.php':
        '<?php\nnamespace App\\Http\\Controllers;\nclass BookController {\n  public function index() {}\n  public function store() {}\n}\n',
    },
    ['GET /books BookController::index', 'POST /books BookController::store', 'GET / *'],
  ],
  [
    'symfony',
    {
      'src/A.php':
        "<?php\nnamespace App;\nuse Symfony\\Component\\Routing\\Attribute\\Route;\n#[Route('/books')]\nclass A {\n  #[Route('/{id}', methods: ['GET'])]\n  public function show() {}\n}\n",
    },
    ['GET /books/{id} A::show'],
  ],
  [
    'rails',
    {
      'config/routes.rb':
        "Rails.application.routes.draw do\n  root to: 'books#index'\n  get '/books/:id', to: 'books#show'\n  resources :books\nend\n",
      'app/controllers/books_controller.rb': 'class BooksController\n  def index\n  end\n\n  def show\n  end\nend\n',
    },
    ['GET / BooksController::index', 'GET /books/:id BooksController::show', '* /books BooksController'],
  ],
  ['sinatra', { 'a.rb': "require 'sinatra'\n\nget '/books' do\n  1\nend\n" }, ['GET /books *']],
]

test.for(projects)('%s: URLs and what answers them', async ([name, sources, wanted], { expect }) => {
  const project = await indexedInTest(sources)
  const viewer = await servedInTest(project.place)

  const { body } = await viewer.get('/api/handlers')

  const said = body.handlers.items.map(
    (one: Row) => `${one.method ?? '*'} ${one.url} ${one.handler?.qualifiedName ?? ''}${one.inline ? '*' : ''}`,
  )
  expect(said).toEqual(wanted)
  expect(body.frameworks).toMatchObject([{ name, handlers: wanted.length }])
  expect((await viewer.get('/api/handlers?limit=1')).body.handlers).toMatchObject({ shown: 1, total: wanted.length })
})

test('routes come from four frameworks, whatever else hands URLs', async ({ expect }) => {
  const project = await indexedInTest({
    'a.ts': projects[0]?.[1]['a.ts'] ?? '',
    'b.ts': projects[0]?.[1]['b.ts'] ?? '',
  })
  const viewer = await servedInTest(project.place)

  expect((await viewer.get('/api/routes')).body).toMatchObject({ routed: false, routeCount: 0 })
  expect((await viewer.get('/api/handlers')).body.handlers.total).toBe(3)
})

test.for(['0', '501', 'many'])('a limit of %s is refused', async (limit, { expect }) => {
  const project = await indexedInTest({ 'a.ts': 'export const a = 1\n' })
  const viewer = await servedInTest(project.place)

  expect((await viewer.get(`/api/handlers?limit=${limit}`)).body.code).toBe('bad-request')
  expect((await viewer.get('/api/handlers?limit=500')).body.handlers).toMatchObject({ total: 0 })
})
