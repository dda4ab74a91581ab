/** Texts in YAML with something wrong in them. */
const faults = [
  '{{',
  '}}',
  ' }}{{ if .Keywords }}',
  '(',
  '[',
  '.*',
  '(a+)+',
  '\n',
  '\n  ',
  ':',
  '- ',
  '"',
  "'",
  '&a',
  '*a',
  '\u0000',
  '9'.repeat(40),
  '{',
  '|',
  '>',
  '#',
  '%',
  '\\',
]

export function withFault(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length)
  const lines = text.split('\n')
  switch (Math.floor(random() * 4)) {
    case 0:
      return text.slice(0, at) + (faults[Math.floor(random() * faults.length)] ?? '') + text.slice(at)
    case 1:
      return text.slice(0, at) + text.slice(at + 1 + Math.floor(random() * 20))
    case 2:
      lines.splice(Math.floor(random() * lines.length), 1)
      return lines.join('\n')
    default:
      lines.splice(Math.floor(random() * lines.length), 0, lines[Math.floor(random() * lines.length)] ?? '')
      return lines.join('\n')
  }
}
