/** Files that are made to end, stall or fill whatever reads them, one or more in each language of the index. */

export interface ParserBomb {
  readonly name: string
  /** Its name decides the language. */
  readonly file: string
  readonly text: () => string
  /** Runs in the short form too. */
  readonly isShort?: boolean
}

/** As large as a file of the index may be. */
const bytesMax = 1024 * 1024
const deep = 20_000

const nested = (open: string, inside: string, close: string, times = deep): string =>
  `${open.repeat(times)}${inside}${close.repeat(times)}`
const counted = (times: number, line: (i: number) => string): string =>
  Array.from({ length: times }, (_, i) => line(i)).join('')

export const parserBombs: readonly ParserBomb[] = [
  { name: 'lists in lists', file: 'a.ts', text: () => `const a = ${nested('[', '', ']')}`, isShort: true },
  { name: 'a chain of 200,000 calls', file: 'a.ts', text: () => `const a = x${'.a()'.repeat(200_000)}`, isShort: true },
  { name: 'a chain of 400,000 members', file: 'a.js', text: () => `const a = x${'.a'.repeat(400_000)}` },
  { name: 'signs before signs', file: 'a.ts', text: () => `const a = ${'!'.repeat(500_000)}1` },
  { name: 'a sum of 300,000', file: 'a.ts', text: () => `const a = ${'a+'.repeat(300_000)}a` },
  { name: 'functions that answer functions', file: 'a.ts', text: () => `const a = ${'a=>'.repeat(100_000)}1` },
  {
    name: 'one else after another',
    file: 'a.ts',
    text: () => `if(a){}${'else if(a){}'.repeat(60_000)}`,
    isShort: true,
  },
  { name: 'types of types', file: 'a.ts', text: () => `type X=${nested('A<', 'A', '>', 100_000)}` },
  { name: 'keys of keys', file: 'a.ts', text: () => `type X=${'keyof '.repeat(100_000)}A` },
  {
    name: 'open types that double in one another',
    file: 'a.ts',
    text: () => `function f<T0${counted(40, (i) => `, T${i + 1} extends [T${i}, T${i}]`)}>(x: T40) { return x.a() }`,
    isShort: true,
  },
  {
    name: 'types given to one another for ever',
    file: 'a.ts',
    text: () =>
      `${counted(14, (i) => `export type T${i}<A> = T${(i + 1) % 14}<A[]> | T${(i + 3) % 14}<Set<A>>\n`)}${counted(2000, (i) => `export const r${i} = (x: T0<${i}>) => x.missing()\n`)}`,
    isShort: true,
  },
  {
    name: 'a type made of itself three ways, and a function that asks itself for each',
    file: 'a.ts',
    text: () => `type V = number | V[] | Map<string, V> | Set<V>
export function walk(v: V): V {
  if (typeof v === 'number') return v
  if (Array.isArray(v)) return v.map((one) => walk(one))
  if (v instanceof Map) return new Map([...v].map(([key, one]) => [key, walk(one)]))
  return new Set([...v].map((one) => walk(one)))
}
`,
    isShort: true,
  },
  {
    name: 'the same with answers that nobody wrote down',
    file: 'b.ts',
    text: () => `type V = number | V[] | Map<string, V> | Set<V>
function walk(v: V) {
  if (Array.isArray(v)) return [...v, ...v.map(walk), ...v.flatMap(walk)]
  if (v instanceof Map) return new Map([...v, ...[...v].map(([key, one]) => [key, walk(one)])])
  if (v instanceof Set) return new Set([...v, ...[...v].map(walk)])
  return walk([v, walk(v), walk([walk(v)])])
}
walk(walk(walk(1))).get('a').map(walk).missing()
`,
    isShort: true,
  },
  { name: 'a line of 900,000 letters', file: 'a.js', text: () => `const x = "${'y'.repeat(900_000)}"` },
  { name: 'a call with 450,000 arguments', file: 'a.js', text: () => `x(${'a,'.repeat(450_000)}a)` },
  { name: '170,000 calls in a line', file: 'a.ts', text: () => 'a.b();'.repeat(170_000), isShort: true },
  { name: '28,000 functions', file: 'a.ts', text: () => counted(28_000, (i) => `export function f${i}(){g${i}()}\n`) },
  { name: 'elements in elements', file: 'a.tsx', text: () => `const a = ${'<a>'.repeat(100_000)}`, isShort: true },
  { name: 'texts in texts', file: 'a.ts', text: () => `const a = ${'`${'.repeat(100_000)}` },
  { name: 'labels of labels', file: 'a.jsx', text: () => `${'a:'.repeat(100_000)}1` },
  { name: 'brackets in brackets', file: 'a.py', text: () => `x = ${nested('(', '1', ')')}` },
  {
    name: 'blocks in blocks',
    file: 'a.py',
    text: () => `${counted(1000, (i) => `${' '.repeat(i)}if a:\n`)}${' '.repeat(1000)}b()\n`,
  },
  { name: 'a chain of 150,000 calls', file: 'a.py', text: () => `x = a${'.b()'.repeat(150_000)}`, isShort: true },
  {
    name: 'a name that doubles in every line',
    file: 'a.py',
    text: () => `def f(x):\n${'  x = (x, x) if x else [x, x]\n'.repeat(200)}  return x.run()\n`,
    isShort: true,
  },
  { name: '40,000 functions', file: 'a.py', text: () => counted(40_000, (i) => `def f${i}(): g${i}()\n`) },
  { name: 'what no grammar knows', file: 'a.py', text: () => '\t(\n [ : =\n'.repeat(60_000) },
  { name: 'blocks in blocks', file: 'a.go', text: () => `package a\nfunc f() ${nested('{', '', '}')}`, isShort: true },
  {
    name: 'a list that doubles in every line',
    file: 'a.go',
    text: () => `package a\nfunc f(x0 X) {\n${counted(200, (i) => `  x${i + 1} := []X{x${i}, x${i}}\n`)}}\n`,
  },
  { name: 'what no grammar knows', file: 'a.go', text: () => 'func ( ) [ ] { } := '.repeat(40_000), isShort: true },
  {
    name: 'macros in macros',
    file: 'a.rs',
    text: () => `fn f() { ${nested('vec![', '', ']', 50_000)}; }`,
    isShort: true,
  },
  {
    name: 'two macros in one another',
    file: 'a.rs',
    text: () => `\nfn f() { ${nested('vec![println!(', 'a.b()', ')]', 9000)}; }`,
  },
  { name: 'what no grammar knows', file: 'a.rs', text: () => "fn f() { '".repeat(80_000) },
  {
    name: 'a chain of 200,000 calls',
    file: 'A.java',
    text: () => `class A { void f() { a${'.b()'.repeat(200_000)}; } }`,
  },
  { name: 'what no grammar knows', file: 'A.java', text: () => 'class A<B<C<? extends '.repeat(30_000), isShort: true },
  {
    name: 'types of types',
    file: 'A.cs',
    text: () => `class A { ${nested('List<', 'int', '>', 50_000)} x; }`,
    isShort: true,
  },
  { name: 'what no grammar knows', file: 'A.cs', text: () => `class A { ${'= => < > ? : '.repeat(70_000)}` },
  { name: 'a sum of 300,000', file: 'a.c', text: () => `int x = ${'a+'.repeat(300_000)}1;`, isShort: true },
  { name: 'brackets in brackets', file: 'a.c', text: () => `int x = ${nested('(', '1', ')')};` },
  { name: 'conditions without an end', file: 'a.c', text: () => '#if A\n'.repeat(80_000) },
  { name: '50,000 headers', file: 'a.c', text: () => '#include "a.h"\n'.repeat(50_000) },
  { name: 'comments without an end', file: 'a.c', text: () => '/*'.repeat(400_000) },
  {
    name: 'templates of templates',
    file: 'a.cpp',
    text: () => `${nested('std::vector<', 'int', '>', 60_000)} x;`,
    isShort: true,
  },
  { name: 'what no grammar knows', file: 'a.cpp', text: () => '<:>{(['.repeat(150_000) },
  { name: 'conditions in conditions', file: 'a.rb', text: () => nested('if a\n', '', 'end\n', 100_000), isShort: true },
  { name: 'a text of 300,000 lines without an end', file: 'a.rb', text: () => `x = <<~A\n${'y\n'.repeat(300_000)}` },
  {
    name: 'a name that doubles in every line',
    file: 'a.rb',
    text: () => `def f(x)\n${'  x = x || [x, x]\n'.repeat(200)}  x.run\nend\n`,
  },
  { name: 'what no grammar knows', file: 'a.rb', text: () => '%w( #{ "'.repeat(80_000) },
  { name: 'lists in lists', file: 'a.php', text: () => `<?php $a = ${nested('[', '', ']')};`, isShort: true },
  { name: '150,000 texts in a row', file: 'a.php', text: () => `<?php $a = ${'$b . '.repeat(150_000)}$c;` },
  { name: 'what no grammar knows', file: 'a.php', text: () => '<?php <<<A ${ "'.repeat(50_000) },
  { name: '60,000 scripts without an end', file: 'a.vue', text: () => '<script>'.repeat(60_000), isShort: true },
  { name: '60,000 styles without an end', file: 'a.svelte', text: () => '<style>'.repeat(60_000) },
  {
    name: '60,000 uses of one component',
    file: 'a.vue',
    text: () => `<script>import A from './a.vue'</script>\n${'<A :a="A">\n'.repeat(60_000)}`,
  },
  { name: 'markup that opens and opens', file: 'a.vue', text: () => `<template>${'{{ a('.repeat(100_000)}</template>` },
  {
    name: 'a quotation mark without an end',
    file: 'a.svelte',
    text: () => `<a on:b="${'{'.repeat(500_000)}`,
    isShort: true,
  },
].map((bomb) => ({ ...bomb, text: () => bomb.text().slice(0, bytesMax) }))
