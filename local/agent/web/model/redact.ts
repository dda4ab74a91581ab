/** Takes what looks like a secret out of a text that leaves. Better a word too many than a key. Pure. */
const mark = '[secret]'

const looks: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, mark],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${mark}`],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, mark],
  [/\b(?:sk|pk|rk|xox[a-z]|gh[a-z]|github_pat|glpat|whf|npm)[-_][\w*-]{8,}/gi, mark],
  [/\b(?:AIza|AKIA|ASIA)[\w-]{12,}/g, mark],
  // What a name says is secret, as in `DB_PASSWORD=…`, `"apiKey": "…"`, `token: …`.
  [
    /(\b[\w.-]*(?:password|passwd|passphrase|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credential|authorization|cookie)["'\]]*\s*[:=]\s*)(?:"(?:[^"\\\n]|\\.)+"|'(?:[^'\\\n]|\\.)+'|[^\s"',;)}\]]+)/gi,
    `$1${mark}`,
  ],
  [/(\b[a-z][\w+.-]*:\/\/)[^\s/@:]+:[^\s/@]+@/gi, `$1${mark}@`],
]

export function redactText(text: string): string {
  return looks.reduce((shown, [look, instead]) => shown.replace(look, instead), text)
}

/** Every text in a value, however deep. */
export function redactAll<T>(value: T): T {
  if (typeof value === 'string') return redactText(value) as T
  if (Array.isArray(value)) return value.map(redactAll) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      secretName.test(name) && typeof one === 'string' ? mark : redactAll(one),
    ]),
  ) as T
}

const secretName = /password|passphrase|secret|api[-_]?key|access[-_]?token|authorization|cookie/i
