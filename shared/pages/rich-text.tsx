/** What a model wrote: blocks and text nodes, never markup of its own. Each block reads in the direction of its letters. */
import { useMemo } from 'preact/hooks'
import { type Block, type Inline, readBlocks } from './text-blocks.ts'

function OneInline({ one }: { one: Inline }) {
  switch (one.kind) {
    case 'text':
      return <>{one.text}</>
    case 'code':
      return <code dir="auto">{one.text}</code>
    case 'strong':
      return (
        <b>
          <Inlines inlines={one.inlines} />
        </b>
      )
    case 'link':
      return (
        <a href={one.address} target="_blank" rel="noopener noreferrer" dir="ltr">
          {one.address}
        </a>
      )
  }
}

function Inlines({ inlines }: { inlines: readonly Inline[] }) {
  return (
    <>
      {inlines.map((one, at) => (
        <OneInline key={at} one={one} />
      ))}
    </>
  )
}

function OneBlock({ block }: { block: Block }) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p dir="auto">
          <Inlines inlines={block.inlines} />
        </p>
      )
    case 'heading':
      return (
        <p dir="auto" class="rt-h">
          <b>
            <Inlines inlines={block.inlines} />
          </b>
        </p>
      )
    case 'list':
      return (
        <ol>
          {block.items.map(({ depth, number, inlines }, at) => (
            <li key={at} dir="auto" class={`d${depth}${number === undefined ? ' dot' : ''}`} value={number}>
              <Inlines inlines={inlines} />
            </li>
          ))}
        </ol>
      )
    case 'code':
      return (
        <pre class="code argbox" dir="ltr">
          {block.text}
        </pre>
      )
    case 'table':
      return (
        <table class="mini">
          <thead>
            <tr>
              {block.head.map((cell, at) => (
                <th key={at} scope="col" dir="auto">
                  <Inlines inlines={cell} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {block.rows.map((row, at) => (
              <tr key={at}>
                {row.map((cell, column) => (
                  <td key={column} dir="auto">
                    <Inlines inlines={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )
  }
}

/** The same text is the same tree: nothing of it is looked at again while another text grows. */
export function RichText({ text }: { text: string }) {
  return useMemo(
    () => (
      <div class="prose">
        {readBlocks(text).map((block, at) => (
          <OneBlock key={at} block={block} />
        ))}
      </div>
    ),
    [text],
  )
}
