/** Rows of comma-separated text as RFC 4180 has it; a row begins anywhere, and bare quotes inside a field are kept. */
export function readCsv(text: string, rowsMax: number): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let field = ''
  let isQuoted = false
  const endField = () => {
    row.push(field)
    field = ''
  }
  const endRow = () => {
    endField()
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  const whole = text.startsWith('\uFEFF') ? text.slice(1) : text
  for (let at = 0; at < whole.length && rows.length < rowsMax; at += 1) {
    const sign = whole.charAt(at)
    if (isQuoted) {
      if (sign !== '"') field += sign
      else if (whole.charAt(at + 1) === '"') {
        field += '"'
        at += 1
      } else isQuoted = false
    } else if (sign === '"' && field === '') isQuoted = true
    else if (sign === ',') endField()
    else if (sign === '\n') endRow()
    else if (sign !== '\r') field += sign
  }
  if (rows.length < rowsMax) endRow()
  return rows
}
