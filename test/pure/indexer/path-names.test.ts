import { test } from 'vitest'
import { folderNames, ModuleNames, packageNames } from '../../../local/indexer/resolve/path-names.ts'

test.for<[string, string[], string[], string[], string[]]>([
  ['a module', ['pack/new.py'], ['pack/a.py'], ['pack/a.py', 'pack/new.py'], ['new']],
  ['a stub', ['pack/new.pyi'], ['pack/a.py'], ['pack/a.py', 'pack/new.pyi'], ['new']],
  ['a package', ['pack/__init__.py'], ['pack/a.py'], ['pack/__init__.py', 'pack/a.py'], ['pack']],
  ['folders that are new', ['far/deep/x.py'], ['a.py'], ['a.py', 'far/deep/x.py'], ['deep', 'far', 'x']],
  ['folders that are gone', ['far/x.py'], ['a.py', 'far/x.py'], ['a.py'], ['far', 'x']],
])('Python finds %s by name', ([, moved, before, after, names], { expect }) => {
  expect([...folderNames(moved, before, after)].sort()).toEqual(names)
})

test.for<[string[], string[], string[]]>([
  [['org.shop'], ['org.shop'], []],
  [['org.shop.cart'], ['org.shop'], ['cart']],
  [['org.shop'], ['org.shop.cart'], []],
  [['net.other'], ['org.shop'], ['net', 'other']],
  [['App\\Http'], ['App\\Models'], ['Http']],
  [['org.shop'], [], ['org', 'shop']],
])('files of %j beside those of %j bring the package names %j', ([moved, staying, names], { expect }) => {
  expect([...packageNames(moved, staying)].sort()).toEqual(names)
})

test('a module of Rust is found by its name, and by words for what is around where something is inside it', ({
  expect,
}) => {
  const named = (moved: string, ...others: string[]): string[] =>
    [...new ModuleNames([moved], [moved, ...others]).names].sort()

  expect(named('src/cart.rs', 'src/lib.rs')).toEqual(['cart'])
  expect(named('src/cart.rs', 'src/cart/line.rs')).toEqual(['cart', 'crate', 'self', 'super'])
  expect(named('src/cart/mod.rs')).toEqual(['cart'])
  expect(named('src/lib.rs')).toEqual(['crate', 'self', 'src', 'super'])
  expect(new ModuleNames(['src/cart.rs'], ['src/cart.rs']).isNamedIn('crate::cart::Line')).toBe(true)
  expect(new ModuleNames(['src/cart.rs'], ['src/cart.rs']).isNamedIn('crate::cartridge')).toBe(false)
})

test('of two files that are one module of Rust, one hides the other', ({ expect }) => {
  const all = ['src/cart.rs', 'src/cart/mod.rs', 'src/lib.rs']

  expect(new ModuleNames(['src/cart.rs'], all).isHidden('src/cart.rs')).toBe(true)
  expect(new ModuleNames(['src/lib.rs'], all).isHidden('src/lib.rs')).toBe(false)
})
