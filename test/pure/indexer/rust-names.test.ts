/** What names of Rust lead to: in modules inside of files, in macros, by paths, and by what the standard library hands on. */
import { beforeAll, expect, test } from 'vitest'
import { uncertainBelow } from '../../../local/indexer/core/vocabulary.ts'
import { prepareLanguages } from '../../../local/indexer/extract/extract-file.ts'
import { linkSources } from '../../support/link-sources.ts'

beforeAll(() => prepareLanguages(['rust']))

/** What the text on a line of a file calls or names; with a question mark what is one of several. */
function leads(sources: Readonly<Record<string, string>>, file: string, text: string, kind = 'calls'): string[] {
  const lines = (sources[file] ?? '').split('\n')
  const line = lines.findIndex((one) => one.includes(text)) + 1
  expect(line).toBeGreaterThan(0)
  return linkSources(sources)
    .filter((one) => one.from.startsWith(file) && one.line === line && one.kind === kind)
    .map((one) => `${one.to.replace(/^src\//, '')}${one.confidence < uncertainBelow ? '?' : ''}`)
    .sort()
}

const inside = {
  'src/lib.rs': `mod rope;
pub mod knots {
    pub use crate::rope::{Hitch, tie};
    pub mod fancy { pub use super::Hitch as Turk; }
}
mod own {
    pub struct Hitch;
    impl Hitch { pub fn slip(&self) {} }
    pub fn made(one: &Hitch) { one.slip(); }
}
mod other {
    use super::own::Hitch;
    pub fn slips(one: &Hitch) { one.slip() }
}
pub fn works(one: &knots::Hitch) { one.hold(); }
pub fn winds(one: &knots::fancy::Turk) { one.hold(); /* fancy */ }
pub fn local() {
    use own::Hitch;
    fn of(one: &Hitch) { one.slip(); /* local */ }
}
`,
  'src/rope.rs': `pub struct Hitch;
impl Hitch { pub fn hold(&self) {} }
pub fn tie() {}
`,
  'src/deck.rs': `use crate::knots::{self, tie, Hitch};
pub fn all(one: &Hitch) { one.hold(); }
pub fn ties() { tie(); }
pub fn makes() { knots::tie(); /* path */ }
`,
}

test.for([
  ['src/deck.rs', 'one.hold()', ['rope.rs#Hitch::hold']],
  ['src/deck.rs', '{ tie()', ['rope.rs#tie']],
  ['src/deck.rs', 'knots::tie()', ['rope.rs#tie']],
  ['src/lib.rs', '&knots::Hitch', ['rope.rs#Hitch::hold']],
  ['src/lib.rs', '/* fancy */', ['rope.rs#Hitch::hold']],
  ['src/lib.rs', 'fn made', ['lib.rs#own::Hitch::slip']],
  ['src/lib.rs', 'fn slips', ['lib.rs#own::Hitch::slip']],
  ['src/lib.rs', '/* local */', ['lib.rs#own::Hitch::slip']],
] as const)('what a module or a function of a file imports is its own: %s, %s', ([file, text, found], { expect }) => {
  expect(leads(inside, file, text)).toEqual(found)
})

const conditions = {
  'src/lib.rs': `mod wide;
pub use wide::wrap;
#[cfg(unix)]
mod inner { pub struct Inner; impl Inner { pub fn get(&self) {} } }
#[cfg(not(unix))]
mod inner { pub struct Inner; impl Inner { pub fn get(&self) {} } }
use inner::Inner;
pub fn gets(one: &Inner) { one.get(); }
pub fn wraps() { crate::wrap(); }
pub struct Length { start: u32 }
impl Length { pub fn new() -> Length { Length { start: 1 } } }
pub struct Word { start: u32 }
impl Word { pub fn of(&self) -> u32 { Some(self).map(Word::start); 1 } }
`,
  'src/wide.rs': '#[cfg(unix)]\npub fn wrap() {}\n#[cfg(not(unix))]\npub fn wrap() {}\n',
  'src/alloc.rs': 'pub struct Layout;\n',
}

test.for([
  ['fn gets', 'calls', ['lib.rs#inner::Inner::get?', 'lib.rs#inner::Inner::get?']],
  ['fn gets', 'references', ['lib.rs#inner::Inner?', 'lib.rs#inner::Inner?']],
  ['fn wraps', 'calls', ['wide.rs#wrap?', 'wide.rs#wrap?']],
  ['map(Word::start)', 'references', ['lib.rs#Word']],
] as const)('what is written for several conditions is one of them: %s, %s', ([text, kind, found], { expect }) => {
  expect(leads(conditions, 'src/lib.rs', text, kind)).toEqual(found)
})

test('what is named comes before what is brought wholesale', ({ expect }) => {
  const sources = {
    'src/lib.rs': 'extern crate alloc;\nmod backport;\nuse backport::*;\nmod id;\n',
    'src/backport.rs': 'pub mod alloc { pub struct Layout; impl Layout { pub fn new() {} } }\n',
    'src/id.rs': 'use crate::alloc::Layout;\npub fn of() { Layout::new(); }\n',
  }
  expect(leads(sources, 'src/id.rs', 'Layout::new()')).toEqual([])
})

const macros = {
  'src/lib.rs': `macro_rules! made { ($($t:tt)*) => { $($t)* } }
made! {
    /// Documented.
    pub trait Walk: Sized {
        @section type
        type Step;
        @escape [type Step]
        fn walk(&self);
    }
}
made! { struct Path; impl Path { fn length(&self) {} } }
cfg_if! {
    if #[cfg(all(unix, not(test)))] {
        mod fast;
        use fast as imp;
    } else {
        mod slow;
        use slow as imp;
    }
}
pub fn walks<W: Walk>(one: &W) { one.walk(); }
pub fn measures(one: &Path) { one.length(); }
pub fn loads() { imp::load(); }
made! { not items at all }
lazy! { pub static ref NAME: u8 = 1; }
`,
  'src/fast.rs': 'pub fn load() {}\n',
  'src/slow.rs': 'pub fn load() {}\n',
}

test.for([
  ['fn walks', ['lib.rs#Walk::walk']],
  ['fn measures', ['lib.rs#Path::length']],
  ['fn loads', ['fast.rs#load?', 'slow.rs#load?']],
] as const)('items that a macro is given are of the file: %s', ([text, found], { expect }) => {
  expect(leads(macros, 'src/lib.rs', text)).toEqual(found)
})
