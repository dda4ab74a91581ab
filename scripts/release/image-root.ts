/**
 * The root file system of the image: Node, the libraries it is linked to, the package, and nothing else. No shell, no
 * package manager, nobody to become.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pinnedNodeOf, unpackService } from './shipped-tree.ts'

/** Nobody of the host has it, and orchestrators ask for a number. */
export const imageUser = 10_001

export function makeImageRoot(root: string, packed: string, folder: string): void {
  const place = (name: string) => {
    const target = path.join(folder, name)
    mkdirSync(path.dirname(target), { recursive: true })
    return target
  }
  unpackService(packed, place('opt/wharf'))
  const node = pinnedNodeOf(root)
  copyFileSync(node, place('opt/wharf/node'))
  chmodSync(place('opt/wharf/node'), 0o755)
  for (const library of librariesOf(node)) {
    copyFileSync(realpathSync(library), place(library))
    chmodSync(place(library), 0o755)
    const owner = ownerOf(library)
    const terms = `/usr/share/doc/${owner}/copyright`
    if (!existsSync(terms))
      throw new Error(`The licence of ${library} is not on this machine: build the image on Debian`)
    cpSync(terms, place(terms), { dereference: true })
  }
  writeFileSync(place('etc/passwd'), `wharf:x:${imageUser}:${imageUser}::/data:/nowhere\n`)
  writeFileSync(place('etc/group'), `wharf:x:${imageUser}:\n`)
  writeFileSync(place('etc/nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files dns\n')
  // The last four are where an engine mounts its own, also below a root that it must not write to.
  for (const name of ['data', 'tmp', 'dev', 'proc', 'run', 'sys']) mkdirSync(place(name), { recursive: true })
}

/** As the loader of this machine finds them; the loader itself is one. */
function librariesOf(program: string): readonly string[] {
  const said = execFileSync('ldd', [program], { encoding: 'utf8' })
  if (said.includes('not found')) throw new Error(`A library is missing here: ${said}`)
  return [...said.matchAll(/(?:=> |^\s+)(\/\S+) \(0x/gm)].map(([, file = '']) => file)
}

function ownerOf(library: string): string {
  // On systems with merged folders the package may know the file by either name.
  const names = [library, realpathSync(library), library.replace(/^\/usr/, ''), `/usr${library}`]
  for (const name of names) {
    try {
      const said = execFileSync('dpkg', ['--search', name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      const owner = said.split(':')[0]
      if (owner !== undefined && owner !== '') return owner
    } catch {}
  }
  throw new Error(`No Debian package owns ${library}: build the image on Debian`)
}
