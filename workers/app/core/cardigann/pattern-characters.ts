/** Sets of UTF-16 code units, as patterns name them. */
export type CharacterTest = (code: number) => boolean

/** Asked once for a code: most texts are ASCII, and a category is a look into a large table. */
function remembered(test: CharacterTest): CharacterTest {
  const known = new Int8Array(0x10000)
  return (code) => {
    const answer = known[code] ?? 0
    if (answer !== 0) return answer === 1
    const isIn = test(code)
    known[code] = isIn ? 1 : -1
    return isIn
  }
}

const categories = new Map<string, CharacterTest>()

/** `L`, `Lu`, `Nd` and so on, or a block by its name. */
export function categoryTest(name: string): CharacterTest | undefined {
  const known = categories.get(name)
  if (known !== undefined) return known
  const block = blocks[name]
  if (block !== undefined) return inRanges(block)
  const expression = generalCategories.has(name) ? new RegExp(`^\\p{${name}}$`, 'u') : undefined
  if (expression === undefined) return undefined
  const test = remembered((code) => expression.test(String.fromCharCode(code)))
  categories.set(name, test)
  return test
}

export function inRanges(ranges: readonly (readonly [number, number])[]): CharacterTest {
  return (code) => {
    for (const [from, to] of ranges) if (code >= from && code <= to) return true
    return false
  }
}

export function negated(test: CharacterTest): CharacterTest {
  return (code) => !test(code)
}

export const wordTest = remembered((code) => /^[\p{L}\p{Mn}\p{Nd}\p{Pc}]$/u.test(String.fromCharCode(code)))
export const spaceTest: CharacterTest = (code) =>
  (code >= 0x09 && code <= 0x0d) || code === 0x20 || (code >= 0x85 && /^[\s\u0085]$/.test(String.fromCharCode(code)))

const generalCategories = new Set(
  'L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Cs Co Cn'.split(' '),
)

/** The blocks of the Unicode standard that texts of trackers are written in, below 0x10000. */
const blocks: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  IsBasicLatin: [[0x0000, 0x007f]],
  'IsLatin-1Supplement': [[0x0080, 0x00ff]],
  'IsLatinExtended-A': [[0x0100, 0x017f]],
  'IsLatinExtended-B': [[0x0180, 0x024f]],
  IsIPAExtensions: [[0x0250, 0x02af]],
  IsCombiningDiacriticalMarks: [[0x0300, 0x036f]],
  IsGreek: [[0x0370, 0x03ff]],
  IsGreekandCoptic: [[0x0370, 0x03ff]],
  IsCyrillic: [[0x0400, 0x04ff]],
  IsCyrillicSupplement: [[0x0500, 0x052f]],
  IsArmenian: [[0x0530, 0x058f]],
  IsHebrew: [[0x0590, 0x05ff]],
  IsArabic: [[0x0600, 0x06ff]],
  IsDevanagari: [[0x0900, 0x097f]],
  IsThai: [[0x0e00, 0x0e7f]],
  IsGeorgian: [[0x10a0, 0x10ff]],
  IsHangulJamo: [[0x1100, 0x11ff]],
  IsGeneralPunctuation: [[0x2000, 0x206f]],
  IsCurrencySymbols: [[0x20a0, 0x20cf]],
  IsArrows: [[0x2190, 0x21ff]],
  IsMathematicalOperators: [[0x2200, 0x22ff]],
  IsBoxDrawing: [[0x2500, 0x257f]],
  IsGeometricShapes: [[0x25a0, 0x25ff]],
  IsMiscellaneousSymbols: [[0x2600, 0x26ff]],
  IsDingbats: [[0x2700, 0x27bf]],
  IsCJKSymbolsandPunctuation: [[0x3000, 0x303f]],
  IsHiragana: [[0x3040, 0x309f]],
  IsKatakana: [[0x30a0, 0x30ff]],
  IsBopomofo: [[0x3100, 0x312f]],
  IsCJKUnifiedIdeographsExtensionA: [[0x3400, 0x4dbf]],
  IsCJKUnifiedIdeographs: [[0x4e00, 0x9fff]],
  IsHangulSyllables: [[0xac00, 0xd7af]],
  IsCJKCompatibilityIdeographs: [[0xf900, 0xfaff]],
  IsHalfwidthandFullwidthForms: [[0xff00, 0xffef]],
}
