/** Member names that the language's own library carries: a call of one on an unknown value is never bound to the project. */
const scriptPrototypes: readonly object[] = [
  Object.prototype,
  Function.prototype,
  Array.prototype,
  String.prototype,
  Number.prototype,
  RegExp.prototype,
  Date.prototype,
  Promise.prototype,
  Map.prototype,
  Set.prototype,
  WeakMap.prototype,
  Error.prototype,
  Symbol.prototype,
  Uint8Array.prototype,
  Object.getPrototypeOf(Uint8Array.prototype) as object,
  Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object,
  Request.prototype,
  Response.prototype,
  Headers.prototype,
  URL.prototype,
  URLSearchParams.prototype,
  EventTarget.prototype,
  AbortController.prototype,
  ReadableStream.prototype,
  WritableStream.prototype,
]

const browserMembers = [
  'appendChild', 'removeChild', 'setAttribute', 'getAttribute', 'querySelector', 'querySelectorAll', 'getElementById',
  'createElement', 'preventDefault', 'stopPropagation', 'focus', 'blur', 'click', 'write', 'end', 'close', 'open', 'on',
  'once', 'off', 'emit', 'pipe', 'send', 'read', 'log', 'warn', 'error', 'info', 'debug', 'toBe', 'toEqual', 'start', 'stop', 'next',
]
const otherMembers: Readonly<Record<string, readonly string[]>> = {
  python: ['append', 'extend', 'insert', 'remove', 'pop', 'clear', 'index', 'count', 'sort', 'reverse', 'copy', 'get', 'items', 'keys', 'values', 'update', 'setdefault', 'add', 'discard', 'union', 'join', 'split', 'strip', 'lstrip', 'rstrip', 'replace', 'format', 'encode', 'decode', 'lower', 'upper', 'title', 'startswith', 'endswith', 'find', 'read', 'write', 'close', 'open', 'readline', 'readlines', 'flush', 'seek', 'info', 'debug', 'warning', 'error', 'exception', 'send', 'throw', 'group', 'groups', 'match', 'search', 'sub', 'run', 'start', 'wait', 'set', 'put', 'acquire', 'release'],
  go: ['Error', 'String', 'Close', 'Read', 'Write', 'Len', 'Less', 'Swap', 'Lock', 'Unlock', 'RLock', 'RUnlock', 'Add', 'Done', 'Wait', 'Get', 'Set', 'Do', 'Next', 'Scan', 'Err', 'Printf', 'Println', 'Fatal', 'Fatalf', 'Errorf', 'Run', 'Helper', 'Background', 'Value'],
  java: ['toString', 'equals', 'hashCode', 'getClass', 'get', 'set', 'put', 'add', 'remove', 'size', 'isEmpty', 'contains', 'containsKey', 'length', 'charAt', 'substring', 'indexOf', 'split', 'trim', 'append', 'close', 'read', 'write', 'run', 'call', 'stream', 'map', 'filter', 'collect', 'forEach', 'iterator', 'next', 'hasNext', 'start', 'join', 'name', 'values', 'valueOf', 'compareTo', 'clear', 'format', 'println', 'print', 'printf', 'accept', 'apply', 'test', 'orElse', 'of'],
}

const tables = new Map<string, ReadonlySet<string>>()

export function standardMembers(family: string): ReadonlySet<string> {
  const known = tables.get(family)
  if (known !== undefined) return known
  const names = family === 'script' ? [...scriptPrototypes.flatMap((one) => Object.getOwnPropertyNames(one)), ...browserMembers] : (otherMembers[family] ?? Object.values(otherMembers).flat())
  const table = new Set(names)
  tables.set(family, table)
  return table
}
