/** Some lines that cost a compiler of TypeScript minutes: each of them is every choice of elements from a list, as a type. */
const lists = Array.from({ length: 20 }, (_, n) => Array.from({ length: 15 }, (__, at) => 100 * n + at))

export const compilerBomb = [
  'type Choices<T> = T extends [infer One, ...infer Others] ? [One, ...Choices<Others>] | Choices<Others> : []',
  'declare function choices<const T extends unknown[]>(list: T): Choices<T>',
  ...lists.map((list) => `choices([${list.join(', ')}]).length.toFixed()`),
  '',
].join('\n')
