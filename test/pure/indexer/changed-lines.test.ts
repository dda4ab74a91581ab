import { test } from 'vitest'
import { parseDiff, removedLines } from '../../../local/indexer/files/changed-lines.ts'

test('a diff is read as lines of the new side, whatever its lines say', ({ expect }) => {
  const diff = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -3 +3,3 @@ export function a() {
--- a/old text
+++ b/new text
+
+@@ -1 +1 @@
@@ -9,2 +10,0 @@
-gone
-gone too
diff --git a/gone.ts b/gone.ts
--- a/gone.ts
+++ /dev/null
@@ -1 +0,0 @@
-x
\\ No newline at end of file
diff --git "a/q\\"uote.ts" "b/q\\"uote.ts"
--- "a/q\\"uote.ts"
+++ "b/q\\"uote.ts"
@@ -1 +1 @@
-x
\\ No newline at end of file
+y
\\ No newline at end of file
`

  expect(parseDiff(diff)).toEqual([
    { path: 'src/a.ts', lines: [3, 5], gaps: [10] },
    { path: 'gone.ts', lines: [], gaps: [0] },
    { path: 'q"uote.ts', lines: [1], gaps: [] },
  ])
  expect([...removedLines(diff)]).toEqual([
    ['src/a.ts', ['-- a/old text', 'gone', 'gone too']],
    ['gone.ts', ['x']],
    ['q"uote.ts', ['x']],
  ])
})
