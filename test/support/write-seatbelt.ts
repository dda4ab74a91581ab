import { writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Puts the stand-in for sandbox-exec into a folder, and says where. A leak is a filter that it allows to be read against its
 * profile; `{base}` in it is the folder around the project.
 */
export async function writeSeatbelt(folder: string, leak?: string): Promise<string> {
  const program = path.join(folder, 'sandbox-exec')
  const standIn = path.join(import.meta.dirname, 'seatbelt-stand-in.ts')
  const profile =
    leak === undefined
      ? '"$2"'
      : `"$2(allow file-read* (${leak.replaceAll('"', '\\"').replace('{base}', '$(dirname "$PWD")')}))"`
  await writeFile(
    program,
    `#!/bin/sh\nflag=$1; profile=${profile}; shift 2\nexec ${process.execPath} ${standIn} "$flag" "$profile" "$@"\n`,
    { mode: 0o755 },
  )
  return program
}
