/** One call of a tool: a line that opens to what was asked and what came of it. */
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '#shared/pages/icon.tsx'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { briefArguments, resultCount, resultText, valueText } from '../model/tool-facts.ts'
import type { ToolLine, ToolState } from '../model/transcript.ts'

const marks: Readonly<Record<ToolState, readonly [IconName, string]>> = {
  runs: ['m-part', 'acc'],
  done: ['m-done', 'good'],
  failed: ['m-bad', 'bad'],
  ended: ['m-guess', 'faint'],
}

export function Arguments({ given }: { given: Readonly<Record<string, unknown>> }) {
  const { assistant: text, common } = words.value
  const rows = Object.entries(given)
  if (rows.length === 0) return <p class="faint">{text.noArguments}</p>
  const known: Readonly<Record<string, string>> = text.argumentNames
  return (
    <dl class="kv">
      {rows.map(([name, value]) => (
        <>
          <dt>{Object.hasOwn(known, name) ? known[name] : showUnseen(name)}</dt>
          <dd>
            <bdi>{value === true ? common.yes : value === false ? common.no : valueText(value)}</bdi>
          </dd>
        </>
      ))}
    </dl>
  )
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <>
      <p class="faint">{title}</p>
      {children}
    </>
  )
}

export function ToolCall({ line }: { line: ToolLine }) {
  const text = words.value.assistant
  const [mark, tone] = marks[line.state]
  const count = line.result === undefined || line.state !== 'done' ? undefined : resultCount(line.result)
  return (
    <details class={line.state === 'runs' ? 'tool live' : 'tool'}>
      <summary>
        <span class={tone}>
          <Icon name={mark} />
        </span>
        <code>{line.tool}</code>
        <span class="faint cut">
          <bdi>{briefArguments(line.arguments)}</bdi>
        </span>
        <span class="faint small end">
          {count === undefined ? text.toolStates[line.state] : text.items(grouped(count))}
        </span>
      </summary>
      <div class="tool-in small">
        <Part title={text.arguments}>
          <Arguments given={line.arguments} />
        </Part>
        {line.result === undefined ? null : (
          <Part title={text.result}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with keys */}
            <pre class="code argbox result" dir="auto" tabIndex={0}>
              {resultText(line.result)}
            </pre>
          </Part>
        )}
      </div>
    </details>
  )
}
