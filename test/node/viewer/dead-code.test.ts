import { test } from 'vitest'
import { indexedInTest, servedInTest } from '../../support/viewer-in-test.ts'

/** In each language: `keep` is public, `gone` is private and unused, `used` is private and used. */
const sources: Record<string, string> = {
  'a.ts': 'export function keep() {\n  return used()\n}\nfunction used() {}\nfunction gone_ts() {}\n',
  'b.py': 'def keep():\n    return _used()\n\n\ndef _used():\n    return 1\n\n\ndef _gone_py():\n    return 2\n',
  'c.py': '__all__ = ["keep_c"]\n\n\ndef keep_c():\n    return 1\n\n\ndef gone_all():\n    return 2\n',
  'd.go': 'package d\n\nfunc Keep() { used() }\n\nfunc used() {}\n\nfunc goneGo() {}\n',
  'e.rs': 'pub fn keep() {\n    used();\n}\n\nfn used() {}\n\nfn gone_rs() {}\n',
  'F.java':
    'public class F {\n  public void keep() {\n    used();\n  }\n  private void used() {}\n  private void goneJava() {}\n}\n',
  'main.ts': "import { keep } from './a.ts'\nkeep()\n",
  'main.py': 'import b\nimport c\n\nb.keep()\nc.keep_c()\n',
}

test("dead code follows each language's own rule of what is public", async ({ expect }) => {
  const project = await indexedInTest(sources)
  const viewer = await servedInTest(project.place)

  const { body } = await viewer.get('/api/deadcode')

  expect(body.rows.items.map((one: { name: string }) => one.name).sort()).toEqual(
    ['goneGo', 'goneJava', 'gone_all', 'gone_py', 'gone_rs', 'gone_ts']
      .map((name) => (name === 'gone_py' ? '_gone_py' : name))
      .sort(),
  )
  expect(body.candidates).toBe(body.rows.total + body.excludedTotal)
})

test('a symbol mentioned where it could be used is not called dead', async ({ expect }) => {
  const project = await indexedInTest({
    'a.ts': "export const table = { handler: 'late' }\nfunction late() {}\nfunction truly() {}\n",
    'main.ts': "import { table } from './a.ts'\nconsole.log(table)\n",
  })
  const viewer = await servedInTest(project.place)

  const { body } = await viewer.get('/api/deadcode')

  expect(body.rows.items.map((one: { name: string }) => one.name)).toEqual(['truly'])
  expect(body.excluded).toContainEqual({ reason: 'mentioned', count: 1, label: expect.any(String) })
})

/** Each names what nothing is known to reach, and how it is used all the same. */
const aliveInFact: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  [
    'a test of Rust',
    {
      'src/lib.rs':
        'pub fn keep() {}\n\n#[test]\nfn checks_it() {}\n\n#[tokio::test]\n// why\nasync fn waits_for_it() {}\n',
    },
    'checks_it waits_for_it',
  ],
  [
    'a handler of Java under an annotation',
    {
      'A.java':
        'class A {\n  @GetMapping("/x")\n  private String shown() { return ""; }\n\n  @EventListener private void heard() {}\n}\n',
    },
    'shown heard',
  ],
  ['a fact of C#', { 'A.cs': 'internal class A {\n  [Fact]\n  private void Holds() {}\n}\n' }, 'Holds'],
  [
    'a hook of PHP that a table names in text',
    {
      'a.php': '<?php\nclass A {\n  private function booted() {}\n}\n',
      'b.php': "<?php\n$hooks = ['booted'];\n",
    },
    'booted',
  ],
  [
    'what a template calls, which is no source',
    { 'a.rb': 'class A\n  def title_shown\n  end\nend\n', 'b.html.erb': '<%= a.title_shown %>\n' },
    'title_shown',
  ],
  [
    'what settings name',
    {
      'a.rb': 'class A\n  def fill_cache\n  end\n\n  def fill_all!\n  end\nend\n',
      'config/jobs.yml': "command: 'A.fill_cache'\nlater: 'A.fill_all!'\n",
    },
    'fill_cache fill_all!',
  ],
  [
    'a method whose name is put together',
    {
      'a.py':
        "class A:\n    def run(self, key):\n        getattr(self, '_on_set_' + key)()\n\n    def _on_set_speed(self):\n        pass\n",
      'b.php': '<?php\nclass B {\n  function go($t) { $this->{"block$t"}(); }\n  private function blockTable() {}\n}\n',
    },
    '_on_set_speed blockTable',
  ],
  [
    'a method of PHP whose name is put together without spaces',
    {
      'a.php':
        "<?php\nclass A {\n  function go($t) { return $this->{'make'.ucfirst($t).'Box'}(); }\n  private function makeTinBox() {}\n}\n",
    },
    'makeTinBox',
  ],
  [
    'what Rust asks for where a trait is implemented for a type of another file',
    {
      'src/lib.rs': 'pub mod far;\npub struct Crate;\n',
      'src/far.rs':
        'use crate::Crate;\nimpl Weigh\n    for Crate\n{\n    type Unit = u8;\n    fn weighed(&self) {}\n}\nimpl From<u8> for Crate { fn from(x: u8) -> Self { Crate } }\n',
    },
    'Unit weighed from',
  ],
  [
    'what a module of elsewhere is given',
    {
      'a.ts':
        "export const x = 1\ndeclare module 'far' {\n  interface FarMap {\n    x: number\n  }\n}\ndeclare global {\n  interface Window {\n    x: number\n  }\n}\n",
    },
    'FarMap Window',
  ],
  [
    'a constructor that keeps everybody from making one',
    { 'A.java': 'class A {\n  private A() {}\n  static int one() { return 1; }\n}\n' },
    'A',
  ],
  [
    'what is static in a file of C that another one takes in',
    { 'a.c': 'static int taken(void) { return 1; }\n', 'b.c': '#include "a.c"\n#define PICK taken\n' },
    'taken',
  ],
  [
    'a destructor and an operator of C++',
    { 'a.cc': 'class A {\n public:\n  ~A() {}\n  bool operator==(const A& o) { return true; }\n};\n' },
    '~A operator==',
  ],
  [
    'a class of a framework, by its place',
    {
      'app/management/commands/load.py':
        'from django.core.management.base import BaseCommand\n\n\nclass Command(BaseCommand):\n    def handle(self):\n        pass\n',
    },
    'Command handle',
  ],
  [
    'a class whose member carries an attribute',
    {
      'src/A.php':
        "<?php\nuse Symfony\\Component\\Routing\\Attribute\\Route;\nclass A {\n  #[Route('/x')]\n  public function show() {}\n}\n",
    },
    'A show',
  ],
  [
    'a class whose members alone are used',
    {
      'A.cs': 'public static class Doubling { public static int Twice(this int n) { return n * 2; } }\n',
      'B.cs': 'public class B { public int Go() { return 2.Twice(); } }\n',
    },
    'Doubling Twice',
  ],
  [
    'what Laravel calls by name or place',
    {
      'routes/web.php':
        "<?php\nuse Illuminate\\Support\\Facades\\Route;\nuse App\\Http\\Controllers\\CrateController;\nRoute::get('/crates', [CrateController::class, 'listed']);\nRoute::get('/dock', 'DockController@moored');\n",
      'app/Http/Controllers/CrateController.php':
        '<?php\nnamespace App\\Http\\Controllers;\nclass CrateController extends Controller {\n  public function listed() {}\n}\n',
      'app/Http/Controllers/DockController.php':
        '<?php\nnamespace App\\Http\\Controllers;\nclass DockController extends Controller {\n  public function moored() {}\n}\n',
      'app/Models/Crate.php':
        '<?php\nnamespace App\\Models;\nuse Illuminate\\Database\\Eloquent\\Model;\nclass Crate extends Model {\n  public function scopeHeavy($query) {}\n  public function getWeightTextAttribute() {}\n}\n',
      'app/Listeners/CountCrates.php':
        '<?php\nnamespace App\\Listeners;\nuse App\\Events\\CrateLanded;\nclass CountCrates {\n  public function handle(CrateLanded $event) {}\n}\n',
      'app/Policies/CratePolicy.php':
        '<?php\nnamespace App\\Policies;\nuse App\\Models\\User;\nclass CratePolicy {\n  public function restore(User $user) {}\n}\n',
      'app/Console/Commands/Sweep.php':
        '<?php\nnamespace App\\Console\\Commands;\nuse Illuminate\\Console\\Command;\nclass Sweep extends Command {\n  public function handle() {}\n}\n',
      'database/factories/CrateFactory.php':
        '<?php\nnamespace Database\\Factories;\nuse Illuminate\\Database\\Eloquent\\Factories\\Factory;\nclass CrateFactory extends Factory {\n  public function definition() {}\n}\n',
    },
    'CrateController listed DockController moored Crate scopeHeavy getWeightTextAttribute CountCrates handle CratePolicy restore Sweep CrateFactory definition',
  ],
  [
    'a controller under a decorator, with its members',
    {
      'src/crates.ts':
        "import { Controller, Get } from '@nestjs/common'\n@Controller('crates')\nclass Crates {\n  @Get()\n  listed() {}\n}\n",
      'Crates.java':
        '@Controller\nclass CratesPage {\n  @RequestMapping("/crates")\n  String listedPage() { return ""; }\n}\n',
    },
    'Crates listed CratesPage listedPage',
  ],
]

test.for(aliveInFact)('%s is not called dead', async ([, files, names], { expect }) => {
  const project = await indexedInTest(files)
  const viewer = await servedInTest(project.place)

  const { body } = await viewer.get('/api/deadcode?exported=1')
  const dead = body.rows.items.map((one: { name: string }) => one.name)

  expect(dead.filter((one: string) => names.split(' ').includes(one))).toEqual([])
  expect(body.excludedTotal).toBeGreaterThan(0)
})

test('a function of Go that another file of its package hands on is used, without a doubt', async ({ expect }) => {
  const project = await indexedInTest({
    'a.go': 'package a\n\nfunc late(x int) int { return x }\n\nfunc gone(x int) int { return x }\n',
    'b.go': 'package a\n\nvar table = map[string]interface{}{"late": late}\n',
  })
  const viewer = await servedInTest(project.place)

  const { body } = await viewer.get('/api/deadcode')

  expect(body.rows.items.map((one: { name: string }) => one.name)).toEqual(['gone'])
  expect(body.excludedTotal).toBe(0)
})

test('a name that a language keeps to a file or folder is dead, whatever has that name elsewhere', async ({
  expect,
}) => {
  const project = await indexedInTest({
    ...sources,
    'other/names.ts':
      'export function gone_ts() {}\nexport function gone_rs() {}\nexport function goneGo() {}\nexport function goneJava() {}\nexport function gone_c() {}\n',
    'other/main.ts':
      "import { gone_ts, gone_rs, goneGo, goneJava, gone_c } from './names.ts'\ngone_ts()\ngone_rs()\ngoneGo()\ngoneJava()\ngone_c()\nunknown.gone_ts()\n",
    'g.c': 'static int gone_c(void) { return 1; }\nint keep_c(void) { return 2; }\n',
    'h.php': '<?php\nclass Base {\n  protected function forHeirs() {}\n  private function gonePhp() {}\n}\n',
  })
  const viewer = await servedInTest(project.place)

  const { body } = await viewer.get('/api/deadcode')

  const dead = body.rows.items.map((one: { name: string }) => one.name)
  expect(dead).toEqual(expect.arrayContaining(['gone_ts', 'gone_rs', 'goneGo', 'goneJava', 'gone_c', 'gonePhp']))
  expect(dead).not.toContain('forHeirs')
})

test('an attribute that calls nothing keeps nothing alive', async ({ expect }) => {
  const project = await indexedInTest({ 'src/lib.rs': 'pub fn keep() {}\n\n#[inline]\n#[must_use]\nfn gone_rs() {}\n' })
  const viewer = await servedInTest(project.place)

  const { body } = await viewer.get('/api/deadcode')

  expect(body.rows.items.map((one: { name: string }) => one.name)).toEqual(['gone_rs'])
})
