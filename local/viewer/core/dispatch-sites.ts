/** Places in a body where the target is chosen at run time: there the static graph stops. */
import type { FlowAnswer } from '../contract/wire.ts'

type WireSite = NonNullable<FlowAnswer['flows'][number]['boundary']>['sites'][number]
/** `key`: a literal that names the target, where one is written. */
export type DispatchSite = Pick<WireSite, 'form' | 'label' | 'snippet' | 'line' | 'key'>

interface Pattern {
  readonly form: DispatchSite['form']
  readonly label: string
  readonly languages: ReadonlySet<string>
  readonly pattern: RegExp
}

const script = new Set(['typescript', 'tsx', 'javascript', 'jsx', 'vue', 'svelte'])
const patterns: readonly Pattern[] = [
  {
    form: 'dynamic-import',
    label: 'loads a module chosen at run time',
    languages: script,
    pattern: /\b(?:import|require)\(\s*(?!['"])/,
  },
  {
    form: 'proxy-reflect',
    label: 'goes through a proxy or reflection',
    languages: script,
    pattern: /\bnew Proxy\(|\bReflect\.(?:apply|get|construct)\(/,
  },
  {
    form: 'typed-bus',
    label: 'is sent as an event; who listens is decided at run time',
    languages: script,
    pattern: /\.(?:emit|dispatch|publish|trigger|dispatchEvent)\(\s*(?:['"`]([\w:.-]+)['"`])?/,
  },
  {
    form: 'computed-call',
    label: 'calls a member whose name is computed',
    languages: script,
    pattern: /[\w$)\]]\[(?:['"]([\w$]+)['"]|[^\]'"]+)\]\??\.?\(/,
  },
  {
    form: 'reflection',
    label: 'looks the target up by name',
    languages: new Set(['python']),
    pattern: /\bgetattr\(\s*[\w.]+\s*,\s*(?:['"](\w+)['"]|f?[\w'"{])/,
  },
  {
    form: 'var-key-dispatch',
    label: 'calls what a table holds under a key',
    languages: new Set(['python', 'go']),
    pattern: /\w\[(?:['"](\w+)['"]|\w+)\]\(/,
  },
  {
    form: 'ruby-send',
    label: 'sends a message by name',
    languages: new Set(['ruby']),
    pattern: /\.(?:public_send|send|__send__)\(?\s*:?['"]?(\w+)?/,
  },
  {
    form: 'php-dynamic',
    label: 'calls a function by name',
    languages: new Set(['php']),
    pattern: /\bcall_user_func(?:_array)?\(|->\$\w+\(|\$\w+\(/,
  },
  {
    form: 'reflection',
    label: 'goes through reflection',
    languages: new Set(['java', 'csharp', 'go']),
    pattern: /\.invoke\(|\bMethodByName\(\s*(?:"(\w+)")?|\.GetMethod\(\s*(?:"(\w+)")?/,
  },
]

export function dispatchSites(text: string, firstLine: number, language: string, sitesMax: number): DispatchSite[] {
  const found: DispatchSite[] = []
  text.split('\n').forEach((line, index) => {
    if (found.length >= sitesMax || /^\s*(\/\/|#|\*)/.test(line)) return
    for (const one of patterns) {
      if (!one.languages.has(language)) continue
      const match = one.pattern.exec(line)
      if (match === null) continue
      found.push({
        form: one.form,
        label: one.label,
        snippet: line.trim().slice(0, 200),
        line: firstLine + index,
        key: match[1] ?? match[2] ?? null,
      })
      return
    }
  })
  return found
}
