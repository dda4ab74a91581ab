/** The part of the changelog that is about one version; a version without one is not released. */
export function changesOf(changelog: string, version: string): string {
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')}(?:,.*)?$`, 'm')
  const found = heading.exec(changelog)
  if (found === null) throw new Error(`CHANGELOG.md has no section "## ${version}"`)
  const rest = changelog.slice(found.index + found[0].length)
  const end = /^## /m.exec(rest)
  return `# Wharf ${version}\n\n${rest.slice(0, end?.index).trim()}\n`
}
