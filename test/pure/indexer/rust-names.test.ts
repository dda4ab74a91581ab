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

const paths = {
  'src/lib.rs': `pub trait Make { fn make() -> Self; fn show(&self); }
pub struct Rope<T>(T);
impl<T> Rope<T> { pub fn new() -> Rope<T> { todo!() } pub fn cut(&self) {} }
impl Make for Rope<u8> { fn make() -> Self { Rope(1) } fn show(&self) {} }
pub type Line = Rope<u8>;
pub enum Err { Err }
pub struct Worn;
impl std::str::FromStr for Worn {
    type Err = u8;
    fn from_str(text: &str) -> Result<Self, <Self as std::str::FromStr>::Err> { Ok(Worn) }
}
pub fn open<T: Make>() { <T as Make>::make(); }
pub fn of() { <Rope<u8> as Make>::make(); }
pub fn given() { Rope::<u8>::new().cut(); }
pub fn plain() { <Rope<u8>>::new(); }
pub fn alias() { Line::new(); }
`,
}

test.for([
  ['fn open', ['lib.rs#Make::make']],
  ['fn of()', ['lib.rs#Rope::make']],
  ['fn given', ['lib.rs#Rope::cut', 'lib.rs#Rope::new']],
  ['fn plain', ['lib.rs#Rope::new']],
  ['fn alias', ['lib.rs#Rope::new']],
] as const)('a path through a type leads to what the type or the trait has: %s', ([text, found], { expect }) => {
  expect(leads(paths, 'src/lib.rs', text)).toEqual(found)
})

const patterns = {
  'src/lib.rs': `pub struct Knot { size: u8 }
impl Knot { pub fn pull(&self) {} }
pub struct Cord { end: Knot, ends: Vec<(u8, Knot)>, tip: Option<(Knot, Worn)> }
pub struct Worn;
impl Worn { pub fn mend(&self) {} }
pub enum Way { Tied { by: Knot }, Loose(u8, Worn) }
pub fn parts(cord: Cord) { let Cord { end, .. } = cord; end.pull(); }
pub fn renamed(cord: Cord) { let Cord { end: last, .. } = cord; last.pull(); }
pub fn inner(cord: &Cord) { if let Some(&(ref knot, ref worn)) = cord.tip.as_ref() { knot.pull(); worn.mend(); } }
pub fn skipped(cord: &Cord) { for (_, knot) in &cord.ends { knot.pull(); } }
pub fn handed(cord: &Cord) { cord.ends.iter().for_each(|(_, knot)| knot.pull()); }
pub fn taken(&(_, ref knot): &(u8, Knot)) { knot.pull(); }
pub fn matched(way: &Way) {
    match way {
        Way::Tied { by } => by.pull(),
        Way::Loose(_, worn) => worn.mend(),
    }
}
pub fn either(way: Result<Knot, Worn>) {
    match way { Ok(one) | Err(one) => one.pull() }
}
`,
}

test.for([
  ['fn parts', ['lib.rs#Knot::pull']],
  ['fn renamed', ['lib.rs#Knot::pull']],
  ['fn inner', ['lib.rs#Knot::pull', 'lib.rs#Worn::mend']],
  ['fn skipped', ['lib.rs#Knot::pull']],
  ['fn handed', ['lib.rs#Knot::pull']],
  ['fn taken', ['lib.rs#Knot::pull']],
  ['by.pull()', ['lib.rs#Knot::pull']],
  ['=> worn.mend()', ['lib.rs#Worn::mend']],
  ['Ok(one)', []],
] as const)('a pattern gives each name what stands in its place: %s', ([text, found], { expect }) => {
  expect(leads(patterns, 'src/lib.rs', text)).toEqual(found)
})

const bounds = {
  'src/lib.rs': `pub trait Base { fn base(&self); }
pub trait Edge { fn target(&self); }
pub trait Graph: Base {
    type Edge: Edge + Clone;
    type Edges: Iterator<Item = Self::Edge>;
    fn edges(&self) -> Self::Edges;
    fn first(&self) -> Self::Edge;
}
pub trait Named { fn shown(&self); }
pub struct Holder<'a, G>(&'a G);
impl<'a, G> Named for &'a Holder<'a, G> where G: Named + Graph {
    fn shown(&self) { self.0.first(); }
}
pub type Same<T> = T;
pub fn above<G: Graph>(graph: &G) { graph.base(); }
pub fn second<G: Clone + Named>(one: &G) where G: Graph { one.shown(); one.base(); }
pub fn linked<G: Graph>(graph: &G) { graph.first().target(); }
pub fn looped<G: Graph>(graph: &G) { for edge in graph.edges() { edge.target(); } }
pub fn same(one: &Same<Mark>) { one.mark(); }
pub struct Mark;
impl Mark { pub fn mark(&self) {} }
pub fn each<F: Fn(&Mark)>(with: F) {}
pub fn whole<F>(with: F) where for<'b> F: FnMut(u8, &'b Mark) {}
pub fn calls() { each(|one| one.mark()); }
pub fn later() { whole(|_, one| one.mark()); }
impl Named for std::net::IpAddr { fn shown(&self) { self.shown(); self.is_ipv4(); } }
`,
}

test.for([
  ['fn above', ['lib.rs#Base::base']],
  ['fn second', ['lib.rs#Base::base', 'lib.rs#Named::shown']],
  ['self.0.first()', ['lib.rs#Graph::first']],
  ['fn linked', ['lib.rs#Edge::target', 'lib.rs#Graph::first']],
  ['fn looped', ['lib.rs#Edge::target', 'lib.rs#Graph::edges']],
  ['fn same', ['lib.rs#Mark::mark']],
  ['fn calls', ['lib.rs#Mark::mark', 'lib.rs#each']],
  ['fn later', ['lib.rs#Mark::mark', 'lib.rs#whole']],
  ['impl Named for std', ['lib.rs#Named::shown?']],
] as const)('what is open has all that it is bound to have: %s', ([text, found], { expect }) => {
  expect(leads(bounds, 'src/lib.rs', text)).toEqual(found)
})

const handed = {
  'src/lib.rs': `use std::collections::BTreeMap;
use std::ops::{Deref, Index};
pub struct Item { at: u8 }
impl Item { pub fn hold(&self) {} pub fn at(&self) -> u8 { 1 } pub fn same(&self) -> Item { Item { at: 1 } } }
pub struct Items(Vec<Item>);
impl Iterator for Items { type Item = Item; fn next(&mut self) -> Option<Item> { None } }
pub struct Pointer;
impl Deref for Pointer { type Target = Item; fn deref(&self) -> &Item { todo!() } }
pub struct Table { rows: Vec<Item> }
impl Index<u8> for Table { type Output = Item; fn index(&self, at: u8) -> &Item { &self.rows[0] } }
impl Table { pub fn rows(&self) -> u8 { 1 } }
trait Rows { fn rows(&self) -> u8; }
impl Rows for Table { fn rows(&self) -> u8 { 2 } }
pub fn chained(list: &[Item]) { list.iter().skip(1).take_while(|one| one.at() > 1).any(|one| one.at() > 2); }
pub fn second(list: &[Item]) { list.iter().fold(0, |sum, one| sum + one.at()); }
pub fn two(list: &mut Vec<Item>) { list.sort_by(|left, right| left.at().cmp(&right.at())); }
pub fn mapped(one: Option<Item>) { one.map(|it| it.same()).map_or(0, |it| it.at()); }
pub fn taken(map: &BTreeMap<u8, Item>) { map.values().for_each(|one| one.hold()); }
pub fn looped(items: Items) { for one in items { one.hold(); } }
pub fn own(items: Items) { items.filter(|one| one.at() > 1).for_each(|one| one.hold()); }
pub fn through(one: Pointer) { one.hold(); }
pub fn placed(table: &Table) { table[1].hold(); }
pub fn field(table: &Table) { table.rows.iter().for_each(|one| one.hold()); }
pub fn unknown(list: &[Item]) { list.iter().zip(1..2).for_each(|one| one.hold()); }
`,
}

test.for([
  ['fn chained', ['lib.rs#Item::at', 'lib.rs#Item::at']],
  ['fn second', ['lib.rs#Item::at']],
  ['fn two', ['lib.rs#Item::at', 'lib.rs#Item::at']],
  ['fn mapped', ['lib.rs#Item::at', 'lib.rs#Item::same']],
  ['fn taken', ['lib.rs#Item::hold']],
  ['fn looped', ['lib.rs#Item::hold']],
  ['fn own', ['lib.rs#Item::at', 'lib.rs#Item::hold']],
  ['fn through', ['lib.rs#Item::hold']],
  ['fn placed', ['lib.rs#Item::hold']],
  ['fn field', ['lib.rs#Item::hold']],
  ['fn unknown', []],
] as const)('the standard library hands on what it holds: %s', ([text, found], { expect }) => {
  expect(leads(handed, 'src/lib.rs', text)).toEqual(found)
})

const bare = {
  'src/lib.rs': `fn is_space(one: u8) -> bool { one == 1 }
fn raw(one: u8) {}
parse!(space() -> &'a str, {
    take(is_space).map(|one| {
        raw(one)
    })
});
trait Seen { fn seen(&self); }
impl Seen for Mark { fn seen(&self) {} }
struct Mark;
struct Form<V> { kept: V }
impl Form<u8> { fn all(&self, other: &Unknown) { other.seen(); } }
#[cfg(unix)]
enum Stack { One }
#[cfg(unix)]
impl Stack { fn park(&self) {} }
#[cfg(not(unix))]
struct Stack(Mark);
#[cfg(not(unix))]
impl Stack { fn park(&self) { self.0.seen(); } }
`,
}

test.for([
  ['raw(one)', 'calls', ['lib.rs#raw']],
  ['take(is_space)', 'references', ['lib.rs#is_space']],
  ['self.0.seen()', 'calls', ['lib.rs#Mark::seen']],
] as const)(
  'brackets in a macro are read where it is no call, and each type has what stands behind it: %s',
  ([text, kind, found], { expect }) => {
    expect(leads(bare, 'src/lib.rs', text, kind)).toEqual(found)
  },
)

test('comments before what a macro is given are read once, however they may be taken', ({ expect }) => {
  const text = (inner: string): string => `m! { ${inner} x }\nfn f() {}\nfn g() { f(); }\n`
  for (const inner of ['/'.repeat(60_000), '// a\n'.repeat(9_000), '/* */ '.repeat(9_000)]) {
    const sources = { 'src/lib.rs': text(`${inner}\n`) }
    expect(leads(sources, 'src/lib.rs', 'fn g()')).toEqual(['lib.rs#f'])
  }
})
