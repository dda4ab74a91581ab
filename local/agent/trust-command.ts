/** `svc trust`: the owner says that the configuration files of a project, as they are now, may do what his own may. */
import { configFileBytesMax } from './limits.ts'
import { projectFiles } from './runtime/configuration.ts'
import { readText } from './runtime/text-file.ts'
import { contentHash, readTrustedFiles, trustListOf, writeTrustedFiles } from './runtime/trusted-files.ts'

export interface TrustRequest {
  readonly directory: string
  readonly dataDir: string
  /** Takes it back instead. */
  readonly isRevoked: boolean
}

/** Lines for the terminal: each file with what it says, so that it can be read before it is used. */
export async function trustProject({ directory, dataDir, isRevoked }: TrustRequest): Promise<string[]> {
  const list = trustListOf(dataDir)
  const trusted: Record<string, string> = { ...(await readTrustedFiles(list)) }
  const lines: string[] = []
  for (const file of await projectFiles(directory)) {
    const read = await readText(file, configFileBytesMax)
    if (!read.ok || read.value === undefined) {
      delete trusted[file]
      continue
    }
    const hash = contentHash(read.value)
    const wasTrusted = trusted[file] === hash
    if (isRevoked) delete trusted[file]
    else trusted[file] = hash
    lines.push(`${file}: ${isRevoked ? 'not trusted' : wasTrusted ? 'trusted already' : 'trusted as it is now'}`)
    if (!isRevoked && !wasTrusted) lines.push(printable(read.value))
  }
  if (lines.length === 0) return [`No configuration file in ${directory} or above it`]
  await writeTrustedFiles(list, trusted)
  return isRevoked ? lines : [...lines, 'A change to a file takes its trust away.']
}

/** A file shown in a terminal must not move the cursor: what it says is what is seen. */
function printable(text: string): string {
  return text.replace(/[^\P{C}\n\t]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).trimEnd()
}
