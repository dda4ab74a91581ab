/** Macros of C and C++ that one file defines and others write. */
import { beforeAll, test } from 'vitest'
import { type FileMacros, fileMacros, ProjectMacros } from '../../../local/indexer/core/project-macros.ts'
import { extractFile, prepareLanguages } from '../../../local/indexer/extract/extract-file.ts'
import { linkSources } from '../../support/link-sources.ts'

beforeAll(() => prepareLanguages(['cpp']))

/** Each file as it is read beside the others. */
function read(sources: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const files = Object.entries(sources).map(([path, text]): [string, string, FileMacros] => [
    path,
    text,
    fileMacros(path, text),
  ])
  const macros = new ProjectMacros(files.map(([, , own]) => own))
  return Object.fromEntries(files.map(([path, text, own]) => [path, macros.applied(text, own)]))
}

const macros = `#ifndef WHARF_MACROS_H
#define WHARF_MACROS_H
#ifndef WHARF_BEGIN
#  define WHARF_BEGIN    \\
    namespace wharf {    \\
    inline namespace v2 { // the version
#  define WHARF_END } /* v2 */ }
#endif
#define QUAY_BEGIN(part) namespace quay { namespace part {
#define QUAY_END }}
#ifdef WHARF_SHARED
#  define WHARF_API __attribute__((visibility("default")))
#else
#  define WHARF_API
#endif
#define WHARF_INLINE WHARF_API inline
#define WHARF_NON_NULL(...) __attribute__((nonnull(__VA_ARGS__)))
#define WHARF_SIZE 12
#define WHARF_TRACE(text)
#endif
`

test('what a macro opens stands where another file writes it, and what says nothing is blank', ({ expect }) => {
  const crane = `#include "macros.h"
#define WHARF_LOCAL
WHARF_BEGIN // here
WHARF_INLINE int lift();
  WHARF_API int a = WHARF_SIZE; // WHARF_API
const char *name = "WHARF_API";
WHARF_NON_NULL(1, (2)) void drop(int *);
WHARF_TRACE("lifted")
WHARF_END;
QUAY_BEGIN(inner)
QUAY_END
int WHARF_BEGIN;
`
  expect(read({ 'macros.h': macros, 'crane.cc': crane })['crane.cc']).toBe(`#include "macros.h"
#define WHARF_LOCAL
namespace wharf { inline namespace v2 {
             int lift();
            int a = WHARF_SIZE; // WHARF_API
const char *name = "WHARF_API";
                       void drop(int *);
WHARF_TRACE("lifted")
}}
namespace quay { namespace inner {
}}
int WHARF_BEGIN;
`)
})

test('what is two things, opened without an end, or defined in a file that nobody includes, is left as it is', ({
  expect,
}) => {
  const sources = {
    'macros.h': macros,
    'other.h':
      '#define WHARF_API 3\n#define QUAY_BEGIN(part) namespace port {\n#define ROPE ROPES\n#define ROPES ROPE\n',
    'alone.cc': '#define ONLY_HERE\nONLY_HERE int a();\n',
    'open.cc': 'WHARF_BEGIN\nWHARF_BEGIN\nWHARF_END\n',
    'shut.cc': 'WHARF_END\nWHARF_BEGIN\n',
    'crane.cc': 'WHARF_API int lift();\nONLY_HERE int drop();\nQUAY_BEGIN(a)\nQUAY_END\nWHARF_INLINE ROPES void f();\n',
  }
  const found = read(sources)
  expect(found['crane.cc']).toBe(sources['crane.cc'].replace('ROPES', '     '))
  expect(found['open.cc']).toBe(sources['open.cc'])
  expect(found['shut.cc']).toBe(sources['shut.cc'])
  expect(found['alone.cc']).toBe('#define ONLY_HERE\n          int a();\n')
})

test('names in a namespace that a macro opens are found by its name, in all files that open it', ({ expect }) => {
  const edges = linkSources({
    'macros.h': macros,
    'crane.h': `#include "macros.h"
WHARF_BEGIN
WHARF_API int lift(int);
namespace detail { inline int weigh(int by) { return by; } }
inline int lift(int by) { return detail::weigh(by); }
WHARF_END
`,
    'winch.h': '#include "macros.h"\nWHARF_BEGIN\ninline int wind() { return 1; }\nWHARF_END\n',
    'yard.cc': `#include "crane.h"
#include "winch.h"
int run() { return wharf::lift(1) + ::wharf::wind() + wharf::detail::weigh(2); }
`,
  })
  const from = (path: string) =>
    edges.flatMap((one) => (one.kind === 'calls' && one.from.startsWith(path) ? `${one.to} ${one.confidence}` : []))
  expect(from('yard.cc').sort()).toEqual([
    'crane.h#wharf::detail::weigh 0.95',
    'crane.h#wharf::lift 0.95',
    'winch.h#wharf::wind 0.95',
  ])
  expect(from('crane.h')).toEqual(['crane.h#wharf::detail::weigh 0.95'])
})

test('of several of a name in a namespace what the file includes is meant, and where that is several, one of them', ({
  expect,
}) => {
  const edges = linkSources({
    'one.h': 'namespace port { inline int ship() { return 1; } }\n',
    'two.h': 'namespace port { inline int ship(int of) { return of; } }\n',
    'all.h': '#include "one.h"\n#include "two.h"\n',
    'a.cc': '#include "one.h"\nint a() { return port::ship(); }\n',
    'b.cc': '#include <some/all.h>\n#include "all.h"\nint b() { return port::ship(); }\n',
  })
  const calls = edges.filter((one) => one.kind === 'calls').map((one) => `${one.from} ${one.to} ${one.confidence}`)
  expect(calls.sort()).toEqual([
    'a.cc#a one.h#port::ship 0.95',
    'b.cc#b one.h#port::ship 0.55',
    'b.cc#b two.h#port::ship 0.55',
  ])
})

test('namespaces are opened by one path, and what is in an inline one is in the one around it', ({ expect }) => {
  const { symbols } = extractFile('a.hpp', 'namespace a::b { inline namespace v1 { inline void f() {} } }\n')
  expect(symbols.slice(1).map((one) => `${one.kind} ${one.qualifiedName}`)).toEqual([
    'namespace a',
    'namespace a::b',
    'function a::b::f',
  ])
})

test.for([
  ['beginnings without an end', '#define OPEN_IT namespace a {\n', 'OPEN_IT\n'.repeat(100_000)],
  ['beginnings and ends', '#define OPEN_IT namespace a {\n#define SHUT_IT }\n', 'OPEN_IT\nSHUT_IT\n'.repeat(60_000)],
  ['a thousand namespaces', `#define OPEN_IT ${'namespace a {'.repeat(1000)}\n`, 'OPEN_IT\n'.repeat(100_000)],
  ['a definition without an end', '#define OPEN_IT \\\n', '#define OPEN_IT \\\n'.repeat(60_000)],
  ['open brackets', '#define GIVE_IT(x) __attribute__((x))\n', 'GIVE_IT(('.repeat(100_000)],
  ['signs of the preprocessor in one line', '#define GIVE_IT\n', '#'.repeat(1_000_000)],
  [
    'macros that stand for one another',
    Array.from({ length: 20_000 }, (_, at) => `#define MAC${at} MAC${at + 1}`).join('\n'),
    'MAC1\n',
  ],
] as const)('%s are read in a time that grows with the text', { timeout: 20_000 }, ([, header, text], { expect }) => {
  const before = process.cpuUsage()
  const found = read({ 'a.h': header, 'b.cc': text })
  const { user } = process.cpuUsage(before)
  expect(found['b.cc']?.split('\n').length).toBe(text.split('\n').length)
  expect(user / 1000).toBeLessThan(1000)
})
