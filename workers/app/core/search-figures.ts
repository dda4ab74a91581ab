/** Figures of a result that a site may not tell. On the wire they have to be numbers, so a row names its zeros that say nothing. */

const searchFigures = ['size', 'seeders', 'leechers'] as const
export type SearchFigure = (typeof searchFigures)[number]

/** What a row may name as untold. Of a promotion `free` says nothing then. */
export const searchUntold = [...searchFigures, 'discount'] as const
export type SearchUntold = (typeof searchUntold)[number]

interface CountedRow extends Readonly<Record<SearchFigure, number>> {
  readonly unknown?: readonly SearchUntold[] | undefined
}

/** Undefined for what the site did not tell. */
export function toldFigure(row: CountedRow, figure: SearchFigure): number | undefined {
  return row.unknown?.includes(figure) === true ? undefined : row[figure]
}

/** All three as those who choose among results take them. */
export function toldFigures(row: CountedRow) {
  return {
    sizeBytes: toldFigure(row, 'size'),
    seeders: toldFigure(row, 'seeders'),
    leechers: toldFigure(row, 'leechers'),
  }
}
