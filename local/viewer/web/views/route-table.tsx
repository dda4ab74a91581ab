/** Addresses of the program with the symbol that answers each. */
import type { RoutesAnswer } from '../../contract/wire.ts'
import { KindWord, linkTo, Place } from '../components/symbol-link.tsx'
import { routesWords } from '../locales/words.ts'
import { href } from '../model/address.ts'

/** A row of the routes; or a URL that a framework hands to code, of which it may not be known what answers. */
export type UrlRow = Omit<RoutesAnswer['entries'][number], 'path'> & {
  readonly isGuess?: boolean
  /** What is put before the URL is not known. */
  readonly isEnd?: boolean
  /** A function without a name answers, inside of the symbol. */
  readonly isInside?: boolean
}

export function RouteTable({ rows }: { rows: readonly UrlRow[] }) {
  const text = routesWords.value
  return (
    <table class="routes" data-rows="routes">
      <thead>
        <tr>
          <th scope="col">{text.address}</th>
          <th scope="col">{text.handler}</th>
          <th scope="col" class="wide-only">
            {text.declared}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.routeId}>
            <td class="name">
              <span class="route-url">
                <span class="vb">{row.method ?? text.anyMethod}</span>
                <span class="mono cut" title={row.url}>
                  {row.isEnd === true ? <span class="faint">…</span> : null}
                  {row.url}
                </span>
                {row.isEnd === true ? (
                  <span class="tag guess" title={text.endAbout}>
                    {text.end}
                  </span>
                ) : null}
              </span>
            </td>
            <td class="handler">
              {row.handler === '' ? (
                <span class="faint small">{row.isInside === true ? text.unnamed : text.unknownHandler}</span>
              ) : (
                <a href={linkTo(row.handlerId ?? row.routeId)} data-row>
                  <KindWord kind={row.handlerKind} />
                  <span class="mono cut">{row.handler}</span>
                  {row.isInside === true ? <span class="faint small">{text.inside}</span> : null}
                  {row.isGuess === true ? <span class="tag guess">{text.guessed}</span> : null}
                  <Place file={row.file} line={row.line} />
                </a>
              )}
            </td>
            <td class="declared wide-only">
              <a href={href('file', row.routeFile, { line: row.routeLine })}>
                <Place file={row.routeFile} line={row.routeLine} />
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
