/** Names that a function without a name, or a pattern, gives are nobody else's. */
import { beforeAll, test } from 'vitest'
import { prepareLanguages } from '../../../local/indexer/extract/extract-file.ts'
import { linkSources } from '../../support/link-sources.ts'

beforeAll(() => prepareLanguages(['php', 'go', 'rust']))

const edgesOf = (file: string, lines: readonly string[]): string[] =>
  linkSources({ [file]: lines.join('\n') }).map(({ line, to, kind }) => `${line} ${kind} ${to}`)

test('what a closure of PHP names is no variable of the file, nor of the next closure', ({ expect }) => {
  const edges = edgesOf('a.php', [
    '<?php',
    '$kept = 1;',
    "test('one', function () { $made = make(); $made->go(); });",
    "test('two', function () use ($kept) { $made = find(); $made->go(); $kept->go(); });",
    'function make() { return new Ship(); }',
  ])
  expect(edges).toEqual([
    '2 references a.php#$kept',
    '3 calls a.php#make',
    '4 references a.php#$kept',
    '4 references a.php#$kept',
  ])
})

test('what a function in a value of Go names is not known to the package', ({ expect }) => {
  const edges = edgesOf('a.go', [
    'package a',
    'var command = &Command{Run: func() {',
    '\titem := load()',
    '\titem.Go()',
    '}}',
    'func load() int { return 1 }',
    'func use() { item.Go() }',
  ])
  expect(edges).toContain('3 calls a.go#load')
  expect(edges.filter((one) => one.includes('item'))).toEqual([])
})

test('a name that a pattern of Rust gives is not the function of that name', ({ expect }) => {
  const edges = edgesOf('a.rs', [
    'pub fn get() {}',
    'pub struct Way { get: u8, other: u8 }',
    'impl Way {',
    '    fn all(self) {',
    '        let Self { get, mut other, .. } = self;',
    '        call(get, other);',
    '        list.map(|(get, one)| call(get, one));',
    '        match list { Way { get: other, .. } => call(other), Some(Way { get, .. }) => call(get), _ => {} }',
    '    }',
    '}',
    'fn given(Way { get, .. }: Way) { call(get); }',
    'fn plain() { call(get); get(); }',
  ])
  expect(edges.filter((one) => one.endsWith('#get'))).toEqual(['12 references a.rs#get', '12 calls a.rs#get'])
})
