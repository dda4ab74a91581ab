/** The Debian package: everything below /usr/lib/wharf, with its own Node, a unit, and one file of settings. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { installWhole } from './shipped-tree.ts'

export interface DebianFacts {
  readonly version: string
  readonly maintainer: string
  readonly madeAtUnix: number
}

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }
const programs = ['wharf', 'svc', 'indexer'] as const

export function writeDebianPackage(
  root: string,
  packed: string,
  work: string,
  folder: string,
  facts: DebianFacts,
): string {
  const architecture = architectures[process.arch] ?? process.arch
  const tree = path.join(work, 'debian')
  const put = (name: string, text: string | Buffer, mode = 0o644) => {
    mkdirSync(path.dirname(path.join(tree, name)), { recursive: true })
    writeFileSync(path.join(tree, name), text)
    chmodSync(path.join(tree, name), mode)
  }
  mkdirSync(path.join(tree, 'usr/lib'), { recursive: true })
  installWhole(packed, path.join(tree, 'usr/lib/wharf'), path.join(work, 'installing'))
  leaveOut(path.join(tree, 'usr/lib/wharf'))
  const node = `/usr/lib/wharf/node_modules/node-linux-${process.arch}/bin/node`
  for (const name of programs) {
    put(`usr/bin/${name}`, `#!/bin/sh\nexec ${node} /usr/lib/wharf/bin/${name}.mjs "$@"\n`, 0o755)
    put(`usr/share/man/man1/${name}.1.gz`, gzipSync(manualPage(name, facts), { level: 9 }))
  }
  const packaging = (name: string) => readFileSync(path.join(root, 'packaging', name), 'utf8')
  put('lib/systemd/system/wharf.service', packaging('wharf.service'))
  put('etc/wharf/wharf.toml', packaging('wharf.toml'))
  const docs = 'usr/share/doc/wharf'
  put(`${docs}/copyright`, copyright(root))
  put(`${docs}/changelog.gz`, gzipSync(changelog(facts), { level: 9 }))
  put(`${docs}/NEWS.gz`, gzipSync(readFileSync(path.join(root, 'CHANGELOG.md')), { level: 9 }))
  put('DEBIAN/conffiles', '/etc/wharf/wharf.toml\n')
  put(
    'DEBIAN/postinst',
    script(['configure'], 'deb-systemd-helper enable wharf.service >/dev/null || true', 'restart'),
    0o755,
  )
  put('DEBIAN/prerm', script(['remove'], ':', 'stop'), 0o755)
  put('DEBIAN/postrm', script(['purge'], 'deb-systemd-helper purge wharf.service >/dev/null || true', undefined), 0o755)
  put('DEBIAN/control', control(facts, architecture, kibibytesOf(tree)))
  for (const folderOf of foldersIn(tree)) chmodSync(folderOf, 0o755)
  const file = path.join(folder, `wharf_${facts.version}_${architecture}.deb`)
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', tree, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(facts.madeAtUnix) },
  })
  return file
}

/** What the packages bring for those who build them. */
function leaveOut(tree: string): void {
  for (const entry of readdirSync(tree, { recursive: true, withFileTypes: true })) {
    const place = path.join(entry.parentPath, entry.name)
    if (!entry.isFile()) continue
    if (/\.(d\.[mc]?ts|map|c|cc|h|gypi?)$/.test(entry.name) || entry.name === '.package-lock.json') rmSync(place)
    else chmodSync(place, isProgram(place) ? 0o755 : 0o644)
  }
}

/** By what it begins with: packages set the bit as they like. Scripts are started by the Node beside them. */
function isProgram(place: string): boolean {
  const start = readFileSync(place).subarray(0, 4)
  return start.toString('latin1', 1) === 'ELF' && !place.endsWith('.node')
}

function changelog({ version, maintainer, madeAtUnix }: DebianFacts): string {
  const date = new Date(madeAtUnix * 1000).toUTCString().replace('GMT', '+0000')
  return `wharf (${version}) unstable; urgency=medium\n\n  * What is new is in NEWS.gz.\n\n -- ${maintainer}  ${date}\n`
}

function control({ version, maintainer }: DebianFacts, architecture: string, size: number): string {
  return `Package: wharf
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${size}
Depends: libc6 (>= 2.28), libgcc-s1 (>= 3.4), libstdc++6 (>= 8)
Recommends: git
Suggests: bubblewrap
Section: net
Priority: optional
Description: one place for downloaders, sites and models
 A service with a page: it watches torrents on several downloaders and
 sites, and offers language models behind one gateway.
 .
 Beside it come two programs for whoever writes software: svc, an agent
 server, and indexer, an index of a project's code.
`
}

/** The unit is known to the system's manager where there is one, and left alone in a root where there is none. */
function script(when: readonly string[], first: string, action: 'restart' | 'stop' | undefined): string {
  const tell = action === undefined ? ':' : `deb-systemd-invoke ${action} wharf.service >/dev/null || true`
  return `#!/bin/sh
set -e
case "$1" in
  ${when.join('|')})
    if command -v deb-systemd-helper >/dev/null; then
      ${first}
    fi
    if [ -d /run/systemd/system ]; then
      systemctl --system daemon-reload >/dev/null || true
      ${tell}
    fi
    ;;
esac
`
}

function manualPage(name: string, { version }: DebianFacts): string {
  const about = {
    wharf: 'one place for downloaders, sites and models',
    svc: 'agent server',
    indexer: 'index of a project',
  }
  const title = name.toUpperCase()
  return `.TH ${title} 1 "" "wharf ${version}"
.SH NAME
${name} \\- ${about[name as keyof typeof about]}
.SH SYNOPSIS
.B ${name}
[\\fIoptions\\fR]
.SH DESCRIPTION
.B ${name} \\-\\-help
lists what it takes.
.SH FILES
.I /etc/wharf/wharf.toml
settings of the service
.br
.I /var/lib/wharf
everything that the service keeps
`
}

/** Whose it is, and the terms of all that is inside: the package's own, what is bundled, and what lies beside. */
function copyright(root: string): string {
  const notice = readFileSync(path.join(root, 'NOTICE'), 'utf8')
  const apache = 'On Debian systems the text of the Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0.'
  return `${notice.trim()}\n\nLicence: Apache-2.0. ${apache}\n\nThe terms of all that is inside of its programs are in /usr/lib/wharf/dist/programs/LICENSES.txt; packages below\n/usr/lib/wharf/node_modules carry their own.\n`
}

function foldersIn(tree: string): readonly string[] {
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name))
}

function kibibytesOf(tree: string): number {
  const bytes = readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0)
  return Math.ceil(bytes / 1024)
}
