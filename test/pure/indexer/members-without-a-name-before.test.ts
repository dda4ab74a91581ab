/** What a bare name means that stands for a member of something, or for what another file of the package declares. */
import { beforeAll, test } from 'vitest'
import { prepareLanguages } from '../../../local/indexer/extract/extract-file.ts'
import { linkSources } from '../../support/link-sources.ts'

beforeAll(() => prepareLanguages(['csharp', 'go', 'java']))

/** What is said of the names of a line, but for the types there. */
function linked(sources: Readonly<Record<string, string>>, file: string, line: string): string[] {
  const at = (sources[file] ?? '').split('\n').findIndex((one) => one.includes(line)) + 1
  return linkSources(sources)
    .filter((one) => one.from.startsWith(`${file}#`) && one.line === at && !/#\w+$/.test(one.to))
    .map((one) => `${one.kind} ${one.to.replace(/^.*#/, '')}`)
}

const csharp = {
  'a.cs': `namespace A;
public class Size { public int Wide { get; set; } public Size Inner { get; set; } public void Go() { } }
public class Desk { public Size Size { get; set; } public Size Other { get; set; } }
public interface ICleared { void Clear(); }
public class Pile : Outside<int>, ICleared { }
public class Heap : ICleared { public void Clear() { } }
public class Room
{
  public Size Size { get; set; }
  Desk _desk { get; }
  void Makes() { var it = new Desk { Size = null }; }
  void MakesBare() { Desk it = new() { Other = null }; }
  void MakesInside() { var it = new Desk { Size = { Inner = null } }; }
  void MakesUntyped() { var it = new { Size = 1 }; }
  void Changes(Desk desk) { var it = desk with { Size = null }; }
  void Asks(Desk desk) { var it = desk?.Size; }
  void AsksOn(Desk desk) { var it = desk?.Size?.Inner.Wide; }
  void Looks(object it) { var found = it is Desk { Size: null }; }
  void Reads() { _desk = null; }
  void Clears(Pile pile) { pile.Clear(); }
  void ClearsOwn(Heap heap) { heap.Clear(); }
}
`,
}

test.for([
  ['what an object is made with is of that object', 'void Makes()', ['references Desk::Size']],
  ['so it is where the type stands before', 'void MakesBare', ['references Desk::Other']],
  ['what is made inside says not of what', 'void MakesInside', ['references Desk::Size']],
  ['what is made without a type has members of nobody’s', 'void MakesUntyped', []],
  ['what is changed is of what is changed', 'void Changes', ['references Desk::Size']],
  ['what is asked for if it is there is of what is asked', 'void Asks(', ['references Desk::Size']],
  [
    'and so is what is asked of that',
    'void AsksOn',
    ['references Size::Wide', 'references Desk::Size', 'references Size::Inner'],
  ],
  ['a pattern looks at members of its type', 'void Looks', ['references Desk::Size']],
  ['a property is one, whatever it begins with', 'void Reads', ['references Room::_desk']],
  ['what a class does not write it has from above and not from an interface', 'void Clears(', []],
  ['what it writes is meant', 'void ClearsOwn', ['calls Heap::Clear']],
] as const)('C#: %s', ([, line, expected], { expect }) => {
  expect(linked(csharp, 'a.cs', line)).toEqual(expected)
})

const go = {
  'a.go': `package p
func (c *Command) Mark(name string) { Mark(c, name) }
func Mark(c *Command, name string) {}
func Run() {}
func one() { use(Command{Run: quiet}) }
func several() { use([]Command{{Run: quiet}}) }
func outer() { use(elsewhere.Command{Run: quiet}) }
func listed() { use(Kinds{first: 1}) }
func result() (quiet int, err error) { use(quiet); return }
func loop(all []int) { for quiet := range all { use(quiet) } }
func chosen(it any) { switch quiet := it.(type) { case int, string: use(quiet) } }
`,
  'b.go': `package p
type Command struct { Run func() }
type Kinds map[string]int
const first = "1"
func quiet() {}
func use(it any) {}
`,
}

/** The same with what stands at the top of a file. */
function named(line: string): string[] {
  const at = go['a.go'].split('\n').findIndex((one) => one.includes(line)) + 1
  return linkSources(go)
    .filter((one) => one.from.startsWith('a.go#') && one.line === at && !/#(use|Command|Kinds)$/.test(one.to))
    .map((one) => `${one.kind} ${one.to.replace(/^.*#/, '')}`)
}

test.for([
  ['a bare name is no method', 'func (c *Command)', ['calls Mark']],
  ['a value may be a function of another file', 'func one', ['references Command::Run', 'references quiet']],
  ['so may one of a list', 'func several', ['references Command::Run', 'references quiet']],
  ['a field of a type from elsewhere is nothing of the package', 'func outer', ['references quiet']],
  ['a key of a map is a value', 'func listed', ['references first']],
  ['a result that has a name is a variable', 'func result', []],
  ['so is the first name of a loop', 'func loop', []],
  ['so is a name that is of one of several types', 'func chosen', []],
] as const)('Go: %s', ([, line, expected], { expect }) => {
  expect(named(line)).toEqual(expected)
})

test('Java: what is called is a method, also where a field has its name', ({ expect }) => {
  const text = `class A { private B make = null; private C make() { return null; } void run() { make().go(); } }
class B { void go() { } }
class C { void go() { } }
`
  expect(
    linkSources({ 'A.java': text }).filter((one) => one.to.endsWith('::go') && one.kind === 'calls'),
  ).toMatchObject([{ to: 'A.java#C::go' }])
})
