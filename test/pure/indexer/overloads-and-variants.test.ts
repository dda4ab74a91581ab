/** What of several things of one name is meant: in C# by what it is called with and given, in Rust by where it stands. */
import { beforeAll, test } from 'vitest'
import { prepareLanguages } from '../../../local/indexer/extract/extract-file.ts'
import { linkSources } from '../../support/link-sources.ts'

beforeAll(() => prepareLanguages(['csharp', 'rust']))

/** What the line is linked to, by kind and target. */
function linked(file: string, text: string, line: string): string[] {
  const lines = text.split('\n')
  const at = lines.findIndex((one) => one.includes(line)) + 1
  return linkSources({ [file]: text })
    .filter((one) => one.line === at)
    .map((one) => `${one.kind} ${one.to.replace(`${file}#`, '')}${one.confidence < 0.7 ? '?' : ''}`)
}

const csharp = `namespace A;
public class Desk { public void Close(bool now) { } public void Use(int mode) { } public int Size { get; } }
public class Low { public void Shut() { } }
public class High : Low { public void Shut(bool now) { } }
public class Box { }
public class Box<T> { public T Value { get; } }
public static class More {
  public static void Close(this Desk desk) { }
  public static void Use(this Desk desk, Action<Low> what) { }
  public static void Wait(this Desk desk, int ms, Action<Low> what) { }
  public static T Get<T>(this Desk desk) { return default; }
  public static void Put(this Desk desk, int what) { }
  public static void Put(this Low low, int what) { }
}
public class Room {
  public Low Low { get; }
  void Shuts(High high) { high.Shut(); }
  void Closes(Desk desk) { desk.Close(); }
  void Uses(Desk desk) { desk.Use(it => { }); }
  void Waits(Desk desk) { desk.Wait(1, it => it.Shut()); }
  void Gets(Desk desk) { desk.Get<Box<Low>>().Value.Shut(); }
  void Puts(Desk desk) { desk.Put(1); }
  void Makes() { new Box(); }
  void MakesOfType() { new Box<int>(); }
  void Takes(Low low) { }
}
`

test.for([
  ['a method above takes as many as are given', 'void Shuts', 'calls Low::Shut'],
  ['a method for another type takes as many as are given', 'void Closes', 'calls More::Close'],
  ['a function without a name is no number', 'void Uses', 'calls More::Use'],
  ['what a method for another type hands on is at the place behind the object', 'void Waits', 'calls Low::Shut'],
  ['a method for several types is found by each of them', 'void Puts', 'calls More::Put'],
  ['a method gives what the types it is given make of its result', 'void Gets', 'calls Low::Shut'],
] as const)('C#: %s', ([, line, expected], { expect }) => {
  expect(linked('a.cs', csharp, line).filter((one) => one.endsWith(expected.slice(expected.indexOf('::'))))).toContain(
    expected,
  )
})

test('C#: where a type stands no property of that name is meant', ({ expect }) => {
  const found = linked('a.cs', csharp, 'void Takes')
  expect(found).toContain('references Low')
  expect(found).not.toContain('references Room::Low')
})

test('C#: types of one name in several files are told apart by how many types they are given', ({ expect }) => {
  const edges = linkSources({
    'box.cs': 'namespace A;\npublic class Box { }\n',
    'boxes.cs': 'namespace A;\npublic class Box<T> { }\n',
    'use.cs': 'namespace A;\npublic class Use {\n  Box Plain;\n  Box<int> Open;\n}\n',
  })
  const to = (line: number): string[] =>
    edges.filter((one) => one.from.startsWith('use.cs') && one.line === line).map((one) => one.to)
  expect(to(3)).toEqual(['box.cs#Box'])
  expect(to(4)).toEqual(['boxes.cs#Box'])
})

const rust = `pub struct Inner;
impl Inner { pub fn hit(&self) {} }
pub enum Kind { One(Inner), None }
pub struct Wrap(Inner);
pub trait Bound { fn bound(&self); }
pub struct Other;
impl Other { pub fn bound(&self) {} pub fn hit(&self) {} }
pub struct Set<I> { items: Vec<I> }
impl<I: Bound> Set<I> {
    pub fn all(&self) { self.items[0].bound(); }
}
pub fn max(a: usize) -> usize { a }
trait Max { fn max(&self) -> usize; }
impl Max for usize {
    fn max(&self) -> usize { max(*self) }
}
pub fn takes(kind: Kind) {
    match kind {
        Kind::One(ref one) => one.hit(),
        Kind::None => {}
    }
}
pub fn unwraps(wrap: Wrap) {
    wrap.0.hit()
}
pub fn two() {
    #[cfg(unix)]
    fn imp() {}
    #[cfg(not(unix))]
    fn imp() {}
    imp()
}
`

test.for([
  ['a variant has what it is made of', 'Kind::One(ref one)', 'calls Inner::hit'],
  ['a struct has what it is made of', 'wrap.0.hit()', 'calls Inner::hit'],
  ['the types of an implementation are bound there', 'pub fn all', 'calls Bound::bound'],
  ['a method given to a type from elsewhere is no name of the module', 'fn max(&self) -> usize {', 'calls max'],
] as const)('Rust: %s', ([, line, expected], { expect }) => {
  expect(linked('src/lib.rs', rust, line).filter((one) => one.startsWith('calls'))).toEqual([expected])
})

test('Rust: of functions of one name in one place none is certain', ({ expect }) => {
  expect(new Set(linked('src/lib.rs', rust, '    imp()'))).toEqual(new Set(['calls two::imp?']))
})
