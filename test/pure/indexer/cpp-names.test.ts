/** What names of C++ mean where conditions, templates and macros stand around them. */
import { beforeAll, test } from 'vitest'
import { extractFile, prepareLanguages } from '../../../local/indexer/extract/extract-file.ts'
import { linkSources } from '../../support/link-sources.ts'

beforeAll(() => prepareLanguages(['cpp']))

/** What stands below `from` leads to, with how sure that is. */
function callsOf(sources: Readonly<Record<string, string>>, from: string): string[] {
  const own = linkSources(sources).filter((one) => one.kind === 'calls' && one.from.startsWith(from))
  return own.map((one) => `${one.to} ${one.confidence}`).sort()
}

test('what a grammar stumbles over leaves what stands around it what it is', ({ expect }) => {
  const { symbols, errors } = extractFile(
    'crane.hpp',
    `namespace wharf {
template <typename T, WHARF_ENABLE_IF(!is_rope<T>::value && (sizeof(T) > 4)),
          typename U = crate<T>>
inline int lift(T of) { return 1; }
class crane {
  enum : unsigned { rope_size = 1, hook_size };
  bool fits(int by) { if (unsigned(by) < unsigned(most())) return true; return long(by) < 3; }
  void drop() {
    WHARF_TRY { wind(); }
    WHARF_CATCH(...) {}
  }
  int most() { return 4; }
};
inline int sink() { return 2; }
}
`,
  )
  expect(errors).toEqual([])
  expect(
    symbols.slice(1).flatMap((one) => (one.kind === 'enum_member' ? [] : `${one.kind} ${one.qualifiedName}`)),
  ).toEqual([
    'namespace wharf',
    'function wharf::lift',
    'class wharf::crane',
    'method wharf::crane::fits',
    'method wharf::crane::drop',
    'method wharf::crane::most',
    'function wharf::sink',
  ])
})

test('what a function gives behind an arrow is what its call gives, and is read', ({ expect }) => {
  const yard = `class rope { public: int pull() { return 1; } };
class crane { public: rope line() { return rope(); } };
auto made() -> crane { return crane(); }
auto pulled(crane& by) -> decltype(by.line()) { return by.line(); }
int run() { return made().line().pull(); }
`
  expect(callsOf({ 'yard.cpp': yard }, 'yard.cpp#run')).toEqual([
    'yard.cpp#crane::line 0.9',
    'yard.cpp#made 1',
    'yard.cpp#rope::pull 0.9',
  ])
  expect(callsOf({ 'yard.cpp': yard }, 'yard.cpp#pulled')).toEqual([
    'yard.cpp#crane::line 0.9',
    'yard.cpp#crane::line 0.9',
  ])
})

test('what another name of a type has is what the type has', ({ expect }) => {
  const sources = {
    'crane.hpp':
      'template <typename T> class result { public: static result ok() { return result(); } };\nusing lifted = result<int>;\n',
    'yard.cpp': '#include "crane.hpp"\nvoid run() { lifted::ok(); }\n',
  }
  expect(callsOf(sources, 'yard.cpp')).toEqual(['crane.hpp#result::ok 0.9'])
})

test('a friend that a class defines stands beside the class', ({ expect }) => {
  const sources = {
    'crane.hpp': `namespace wharf {
class crane {
  friend int weigh(const crane& one) { return 1; }
};
}
`,
    'yard.cpp': '#include "crane.hpp"\nint run(wharf::crane& one) { return wharf::weigh(one); }\n',
  }
  expect(callsOf(sources, 'yard.cpp')).toEqual(['crane.hpp#wharf::weigh 0.95'])
})

test('a function is looked for where what it is given stands, if nothing nearer has its name', ({ expect }) => {
  const sources = {
    'paint.hpp': `namespace paint {
enum class colour { red };
inline colour mix(int of) { return colour::red; }
inline int on(colour of) { return 1; }
}
`,
    'yard.cpp': `#include "paint.hpp"
int off(int of) { return 1; }
int run() { return on(paint::colour::red) + on(paint::mix(2)) + off(paint::mix(3)); }
`,
  }
  expect(callsOf(sources, 'yard.cpp')).toEqual([
    'paint.hpp#paint::mix 0.95',
    'paint.hpp#paint::mix 0.95',
    'paint.hpp#paint::on 0.95',
    'paint.hpp#paint::on 0.95',
    'yard.cpp#off 1',
  ])
})

test('what is declared for several conditions, or besides by a file that is included, is one of several', ({
  expect,
}) => {
  const sources = {
    'day.hpp': `namespace port {
#ifdef PORT_OLD
using day = old::day;
#else
class day { public: day(int of) {} };
#endif
using old::hour;
inline int hour(int of) { return 1; }
inline int open() { return 1; }
}
`,
    'yard.cpp': `#include "day.hpp"
namespace port {
int open(int of) { return 2; }
int run() { return open(1); }
int rest(day of) { return hour(1); }
}
`,
  }
  expect(callsOf(sources, 'yard.cpp#port::run')).toEqual(['day.hpp#port::open 0.55', 'yard.cpp#port::open 0.55'])
  const told = linkSources({ 'day.hpp': `${sources['day.hpp']}int far(port::day of) { return port::hour(3); }\n` })
  const types = told.filter((one) => one.to === 'day.hpp#port::day' && one.kind === 'references')
  expect(types.map((one) => one.confidence)).toEqual([0.55, 0.55])
  const near = {
    'day.hpp': sources['day.hpp'].replace('inline int open', 'inline int late() { return hour(2); }\ninline int open'),
  }
  expect(callsOf(near, 'day.hpp#port::late')).toEqual(['day.hpp#port::hour 0.5'])
})

test('what a macro is given, and looks like a call of the function around, is not certain', ({ expect }) => {
  const sources = {
    'file.cpp': `class file { public: int close(int of) { return RETRY_CALL(close(of)); } int shut(int of) { return close(of); } };
int open(int of) { return RETRY_CALL(open(of)) + open(of); }
`,
  }
  expect(callsOf(sources, 'file.cpp#file::shut')).toEqual(['file.cpp#file::close 1'])
  expect(callsOf(sources, 'file.cpp#file::close')).toEqual(['file.cpp#file::close 0.5'])
  expect(callsOf(sources, 'file.cpp#open')).toEqual(['file.cpp#open 0.5', 'file.cpp#open 1'])
})

test('what a source file has that includes nothing of it is not certain elsewhere', ({ expect }) => {
  const sources = {
    'sea.cpp': 'int read(int of) { return of; }\nint sail() { return 1; }\n',
    'sea.hpp': 'int sail();\n',
    'port.cpp': '#include "sea.hpp"\nint a() { return sail(); }\n',
    'far.cpp': 'int b() { return read(1); }\n',
  }
  expect(callsOf(sources, 'port.cpp')).toEqual(['sea.cpp#sail 0.95'])
  expect(callsOf(sources, 'far.cpp')).toEqual(['sea.cpp#read 0.5'])
})
