/**
 * One file that is the whole service, for a Linux without Node and without a package manager: a few lines for the shell, and
 * behind them what is unpacked at the first start.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'

export interface ExecutableFacts {
  readonly version: string
  readonly madeAtUnix: number
}

/** Of the tree: a Node and `bin/`, as `installWhole` lays them. */
export function writeExecutable(tree: string, file: string, node: string, facts: ExecutableFacts): string {
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${facts.madeAtUnix}`]
  const packed = execFileSync(
    'tar',
    ['--create', ...same, '--use-compress-program=gzip -9n', '--directory', tree, '.'],
    {
      maxBuffer: 2 ** 30,
    },
  )
  const digest = createHash('sha256').update(packed).digest('hex').slice(0, 16)
  const head = starter(`${facts.version}-${digest}`, node)
  writeFileSync(file, Buffer.concat([Buffer.from(head), packed]))
  chmodSync(file, 0o755)
  return file
}

/**
 * Unpacked beside its place and moved there, so that of two first starts one is first, and one that was cut off left nothing.
 * What lies there is run, so nobody else may write there. Like the programs of a package it is named: a link that is called
 * `svc` or `indexer` is that program.
 */
function starter(name: string, node: string): string {
  const lines = `#!/bin/sh
set -eu
mask=$(umask)
umask 077
base=\${XDG_CACHE_HOME:-\${HOME:?is not set}/.cache}/wharf/programs
mkdir -p "$base"
case $(ls -ldn "$base") in
  "drwx------"*" $(id -u) "*) ;;
  *) echo "$base belongs to others or can be written by others" >&2; exit 1 ;;
esac
place=$base/${name}
if [ ! -d "$place" ]; then
  fresh=$(mktemp -d "$base/new.XXXXXX")
  trap 'rm -rf "$fresh"' EXIT
  tail -n +LINES "$0" | tar -xmzf - -C "$fresh"
  mv -T "$fresh" "$place" 2>/dev/null || [ -d "$place" ]
  rm -rf "$fresh"
  trap - EXIT
fi
umask "$mask"
case \${0##*/} in
  svc|indexer) program=\${0##*/} ;;
  *) program=wharf ;;
esac
exec "$place/${node}" "$place/bin/$program.mjs" "$@"
exit 1
`
  return lines.replace('LINES', String(lines.split('\n').length))
}
