/** One small library in eight languages: a function, who uses it, what tries it, and a file that nobody needs any more. */

export interface LibraryState {
  /** The name of the function. */
  readonly name: string
  /** It answers its lower bound for what is above the upper one. */
  readonly isBroken: boolean
  /** There is a share beside it, and a test of that. */
  readonly hasShare: boolean
}

export interface Language {
  readonly name: string
  /** Text by path. */
  readonly files: (state: LibraryState) => Readonly<Record<string, string>>
  readonly source: string
  readonly unused: string
  /** Whether this machine can run its tests, and the command that runs them in the folder. */
  readonly needs: string
  readonly test: string
}

const when = (condition: boolean, text: string) => (condition ? text : '')
const readme = (title: string, unused: string) =>
  `# ${title}\n\nKeeps a value on its dial.\n\n- ${unused}: the old way\n- tests beside it\n`

export const languages: readonly Language[] = [
  {
    name: 'typescript',
    source: 'src/dial.ts',
    unused: 'src/old.ts',
    needs: 'node --experimental-strip-types -e 0 > /dev/null 2>&1',
    test: 'node --experimental-strip-types --no-warnings test/dial.test.ts',
    files: ({ name, isBroken, hasShare }) => ({
      'README.md': readme('dial', 'src/old.ts'),
      'src/old.ts': 'export const old = 1\n',
      'src/dial.ts': `/** Holds a value between two bounds. */
export function ${name}(value: number, low: number, high: number): number {
  if (value < low) return low
  if (value > high) return ${isBroken ? 'low' : 'high'}
  return value
}
${when(
  hasShare,
  `
export function share(value: number, high: number): number {
  return ${name}(value, 0, high) / high
}
`,
)}`,
      'src/needle.ts': `import { ${name} } from './dial.ts'

export const needle = (value: number): number => ${name}(value, 0, 100)
`,
      'test/dial.test.ts': `import assert from 'node:assert/strict'
import { ${name}${when(hasShare, ', share')} } from '../src/dial.ts'
import { needle } from '../src/needle.ts'

assert.equal(${name}(-1, 0, 10), 0)
assert.equal(needle(120), 100)
${when(hasShare, 'assert.equal(share(5, 10), 0.5)\n')}`,
    }),
  },
  {
    name: 'javascript',
    source: 'lib/dial.cjs',
    unused: 'lib/old.cjs',
    needs: 'command -v node > /dev/null',
    test: 'node test.cjs',
    files: ({ name, isBroken, hasShare }) => ({
      'README.md': readme('dial', 'lib/old.cjs'),
      'lib/old.cjs': 'exports.old = 1\n',
      'lib/dial.cjs': `exports.${name} = function ${name}(value, low, high) {
  if (value < low) return low
  if (value > high) return ${isBroken ? 'low' : 'high'}
  return value
}
${when(
  hasShare,
  `
exports.share = (value, high) => exports.${name}(value, 0, high) / high
`,
)}`,
      'lib/needle.cjs': `const { ${name} } = require('./dial.cjs')

exports.needle = (value) => ${name}(value, 0, 100)
`,
      'test.cjs': `const assert = require('node:assert')
const dial = require('./lib/dial.cjs')
const { needle } = require('./lib/needle.cjs')

assert.equal(dial.${name}(-1, 0, 10), 0)
assert.equal(needle(120), 100)
${when(hasShare, 'assert.equal(dial.share(5, 10), 0.5)\n')}`,
    }),
  },
  {
    name: 'python',
    source: 'dial/bounds.py',
    unused: 'dial/old.py',
    needs: 'command -v python3 > /dev/null',
    test: 'python3 -B -m unittest -q test_dial',
    files: ({ name, isBroken, hasShare }) => ({
      'README.md': readme('dial', 'dial/old.py'),
      'dial/__init__.py': '',
      'dial/old.py': 'OLD = 1\n',
      'dial/bounds.py': `"""Holds a value between two bounds."""


def ${name}(value, low, high):
    if value < low:
        return low
    if value > high:
        return ${isBroken ? 'low' : 'high'}
    return value
${when(
  hasShare,
  `

def share(value, high):
    return ${name}(value, 0, high) / high
`,
)}`,
      'dial/needle.py': `from .bounds import ${name}


def needle(value):
    return ${name}(value, 0, 100)
`,
      'test_dial.py': `import unittest

from dial import bounds, needle


class Dial(unittest.TestCase):
    def test_bounds(self):
        self.assertEqual(bounds.${name}(-1, 0, 10), 0)
        self.assertEqual(needle.needle(120), 100)
${when(hasShare, '        self.assertEqual(bounds.share(5, 10), 0.5)\n')}`,
    }),
  },
  {
    name: 'go',
    source: 'dial.go',
    unused: 'old.go',
    needs: 'command -v go > /dev/null',
    test: 'GOCACHE="$TMPDIR/go" go test ./...',
    files: ({ name, isBroken, hasShare }) => ({
      'README.md': readme('dial', 'old.go'),
      'go.mod': 'module example.test/dial\n\ngo 1.21\n',
      'old.go': 'package dial\n\nconst old = 1\n',
      'dial.go': `package dial

// ${name} holds a value between two bounds.
func ${name}(value, low, high int) int {
\tif value < low {
\t\treturn low
\t}
\tif value > high {
\t\treturn ${isBroken ? 'low' : 'high'}
\t}
\treturn value
}
${when(
  hasShare,
  `
func share(value, high int) float64 {
\treturn float64(${name}(value, 0, high)) / float64(high)
}
`,
)}`,
      'needle.go': `package dial

func needle(value int) int { return ${name}(value, 0, 100) }
`,
      'dial_test.go': `package dial

import "testing"

func TestDial(t *testing.T) {
\tif ${name}(-1, 0, 10) != 0 || needle(120) != 100 {
\t\tt.Fail()
\t}
${when(hasShare, '\tif share(5, 10) != 0.5 {\n\t\tt.Fail()\n\t}\n')}}
`,
    }),
  },
  {
    name: 'rust',
    source: 'src/dial.rs',
    unused: 'src/old.rs',
    needs: 'command -v rustc > /dev/null',
    test: 'rustc --test --edition 2021 -o "$TMPDIR/dial" src/lib.rs && "$TMPDIR/dial" -q',
    files: ({ name, isBroken, hasShare }) => ({
      'README.md': readme('dial', 'src/old.rs'),
      'src/old.rs': 'pub const OLD: i64 = 1;\n',
      'src/lib.rs': 'pub mod dial;\npub mod needle;\n',
      'src/dial.rs': `/// Holds a value between two bounds.
pub fn ${name}(value: i64, low: i64, high: i64) -> i64 {
    if value < low {
        return low;
    }
    if value > high {
        return ${isBroken ? 'low' : 'high'};
    }
    value
}
${when(
  hasShare,
  `
pub fn share(value: i64, high: i64) -> f64 {
    ${name}(value, 0, high) as f64 / high as f64
}
`,
)}
#[test]
fn bounds() {
    assert_eq!(${name}(-1, 0, 10), 0);
    assert_eq!(crate::needle::needle(120), 100);
${when(hasShare, '    assert_eq!(share(5, 10), 0.5);\n')}}
`,
      'src/needle.rs': `use crate::dial::${name};

pub fn needle(value: i64) -> i64 {
    ${name}(value, 0, 100)
}
`,
    }),
  },
  {
    name: 'java',
    source: 'src/Dial.java',
    unused: 'src/Old.java',
    needs: 'command -v javac > /dev/null',
    test: 'javac -d "$TMPDIR/out" src/*.java && java -cp "$TMPDIR/out" DialTest',
    files: ({ name, isBroken, hasShare }) => ({
      'README.md': readme('dial', 'src/Old.java'),
      'src/Old.java': 'class Old {}\n',
      'src/Dial.java': `/** Holds a value between two bounds. */
class Dial {
    static int ${name}(int value, int low, int high) {
        if (value < low) return low;
        if (value > high) return ${isBroken ? 'low' : 'high'};
        return value;
    }
${when(
  hasShare,
  `
    static double share(int value, int high) {
        return ${name}(value, 0, high) / (double) high;
    }
`,
)}}
`,
      'src/Needle.java': `class Needle {
    static int of(int value) {
        return Dial.${name}(value, 0, 100);
    }
}
`,
      'src/DialTest.java': `class DialTest {
    public static void main(String[] arguments) {
        if (Dial.${name}(-1, 0, 10) != 0) throw new AssertionError();
        if (Needle.of(120) != 100) throw new AssertionError();
${when(hasShare, '        if (Dial.share(5, 10) != 0.5) throw new AssertionError();\n')}    }
}
`,
    }),
  },
  {
    name: 'c',
    source: 'dial.c',
    unused: 'old.c',
    needs: 'command -v cc > /dev/null',
    test: 'cc -o "$TMPDIR/dial" dial.c needle.c test.c && "$TMPDIR/dial"',
    files: ({ name, isBroken, hasShare }) => ({
      'README.md': readme('dial', 'old.c'),
      'old.c': 'int old = 1;\n',
      'dial.h': `int ${name}(int value, int low, int high);\n${when(hasShare, 'double share(int value, int high);\n')}`,
      'dial.c': `#include "dial.h"

int ${name}(int value, int low, int high) {
  if (value < low) return low;
  if (value > high) return ${isBroken ? 'low' : 'high'};
  return value;
}
${when(
  hasShare,
  `
double share(int value, int high) { return ${name}(value, 0, high) / (double)high; }
`,
)}`,
      'needle.c': `#include "dial.h"

int needle(int value) { return ${name}(value, 0, 100); }
`,
      'test.c': `#include "dial.h"

int needle(int value);

int main(void) {
  if (${name}(-1, 0, 10) != 0 || needle(120) != 100) return 1;
${when(hasShare, '  if (share(5, 10) != 0.5) return 1;\n')}  return 0;
}
`,
    }),
  },
  {
    name: 'shell',
    source: 'dial.sh',
    unused: 'old.sh',
    needs: 'command -v bash > /dev/null',
    test: 'bash test.sh',
    files: ({ name, isBroken, hasShare }) => ({
      'README.md': readme('dial', 'old.sh'),
      'old.sh': 'old=1\n',
      'dial.sh': `# Holds a value between two bounds.
${name}() {
  if (($1 < $2)); then echo "$2"; return; fi
  if (($1 > $3)); then echo "$${isBroken ? 2 : 3}"; return; fi
  echo "$1"
}
${when(
  hasShare,
  `
share() {
  echo $((100 * $(${name} "$1" 0 "$2") / $2))
}
`,
)}`,
      'needle.sh': `. ./dial.sh

needle() { ${name} "$1" 0 100; }
`,
      'test.sh': `set -e
. ./needle.sh
[ "$(${name} -1 0 10)" = 0 ]
[ "$(needle 120)" = 100 ]
${when(hasShare, '[ "$(share 5 10)" = 50 ]\n')}`,
    }),
  },
]
