/** Macros alone in a line or before a declaration, which a grammar of C++ takes for types. */
import { beforeAll, test } from 'vitest'
import { extractFile, prepareLanguages } from '../../../local/indexer/extract/extract-file.ts'
import { linkSources } from '../../support/link-sources.ts'

beforeAll(() => prepareLanguages(['cpp']))

const header = `#ifndef WHARF_H
#define WHARF_H
WHARF_BEGIN_NAMESPACE
namespace inner {
struct first { int wide; };
WHARF_BEGIN_EXPORT

// A crane of the wharf.
template <typename T> class crane {
 public:
  WHARF_HIDDEN
  int lift() { return 1; }
};
WHARF_END_EXPORT
WHARF_EXPORT template <typename T> class winch {
 public:
  WHARF_CONSTEXPR explicit winch(T of) {}
  WHARF_API void wind() {}
};
class buoy {
  int ring() { crane<int> it; return it.lift(); }
};
enum class mast { MAIN_MAST,
  FORE_MAST // in front
  // and no more
};
enum class deck {
  LAST_DECK
};
SIZE_TYPE
count() { return 0; }
}
WHARF_END_NAMESPACE
#endif
`

test('what follows a macro alone in its line is what it says it is', ({ expect }) => {
  const { symbols } = extractFile('wharf.hpp', header)
  expect(symbols.slice(1).map((one) => `${one.kind} ${one.qualifiedName}`)).toEqual([
    'namespace inner',
    'struct inner::first',
    'field inner::first::wide',
    'class inner::crane',
    'method inner::crane::lift',
    'class inner::winch',
    'method inner::winch::winch',
    'method inner::winch::wind',
    'class inner::buoy',
    'method inner::buoy::ring',
    'enum inner::mast',
    'enum_member inner::mast::MAIN_MAST',
    'enum_member inner::mast::FORE_MAST',
    'enum inner::deck',
    'enum_member inner::deck::LAST_DECK',
    'function inner::count',
  ])
})

test('so its members are found', ({ expect }) => {
  const edges = linkSources({ 'wharf.hpp': header }).filter((one) => one.kind === 'calls')
  expect(edges.map((one) => `${one.from} ${one.to}`)).toEqual([
    'wharf.hpp#inner::buoy::ring wharf.hpp#inner::crane::lift',
  ])
})
