import { beforeAll, test } from 'vitest'
import { prepareLanguages } from '../../../local/indexer/extract/extract-file.ts'
import { linkSources } from '../../support/link-sources.ts'

beforeAll(() => prepareLanguages(['java', 'csharp', 'php']))

/** A pattern names what it finds anew: what the old name is declared to be stays what it is, in both branches. */
test.for([
  [
    'Java',
    'a.java',
    `class Post { void trim() {} }
class Parcel extends Post { void trim() {} }
class Desk {
  void take(Post post) {
    if (post instanceof Parcel parcel) { parcel.trim(); }
    else { post.trim(); }
  }
}`,
    ['a.java#Parcel::trim', 'a.java#Post::trim'],
  ],
  [
    'C#',
    'a.cs',
    `class Post { public void Trim() {} }
class Parcel : Post { public new void Trim() {} }
class Desk {
  void Take(Post post) {
    if (post is Parcel parcel) { parcel.Trim(); }
    else { post.Trim(); }
  }
}`,
    ['a.cs#Parcel::Trim', 'a.cs#Post::Trim'],
  ],
] as const)('a pattern of $0 says nothing of the branch beside it', ([, file, text, targets], { expect }) => {
  const calls = linkSources({ [file]: text }).filter((edge) => edge.kind === 'calls')

  expect(calls.map((edge) => edge.to)).toEqual(targets)
})

test('one of two classes of PHP stays one of two where a branch rules the other out', ({ expect }) => {
  const text = `<?php
class Letter { function trim() {} }
class Parcel { function trim() {} }
function take(Letter|Parcel $post) {
  if ($post instanceof Parcel) { return; }
  $post->trim();
}`
  const calls = linkSources({ 'a.php': text }).filter((edge) => edge.kind === 'calls')

  expect(calls).toMatchObject([
    { to: 'a.php#Letter::trim', confidence: 0.55 },
    { to: 'a.php#Parcel::trim', confidence: 0.55 },
  ])
})

test('a name that many conditions say something of is followed to the end', ({ expect }) => {
  const classes = Array.from({ length: 60 }, (_, i) => `class C${i} { run() {} }`).join('\n')
  const conditions = Array.from({ length: 60 }, (_, i) => `if (one instanceof C${i}) return`).join('\n')
  const text = `${classes}\nfunction take(one: C0 | C1 | C59) {\n${conditions.replace(/if \(one instanceof C1\) return\n/, '')}\none.run()\n}`
  const calls = linkSources({ 'a.ts': text }).filter((edge) => edge.kind === 'calls')

  // The last conditions are beyond what is kept of one name, so that the last class is not ruled out.
  expect(calls).toMatchObject([
    { to: 'a.ts#C1::run', confidence: 0.55 },
    { to: 'a.ts#C59::run', confidence: 0.55 },
  ])
})
