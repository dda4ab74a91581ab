/** Why a start is refused: what, where, and the way out. One line each, for a terminal. */

import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'
import type { MachineProblem } from '../../workers/app/core/operating/machine.ts'
import { inEnglish } from '../../workers/app/core/reason/english.ts'
import { type OwnerKeyFault, sayOwnerKeyFault } from '../agent/core/owner-key-fault.ts'
import { type ApplyFault, sayApplyFault } from '../configuration/apply.ts'
import { type PortFault, sayPortFault } from '../listen/loopback-port.ts'
import type { Damage } from './databases.ts'
import { diskProblem, isFull, spaceOn } from './disk.ts'

interface Cause {
  /** What the system said. */
  readonly cause: string
}

const sentences = {
  data_folder: ({ folder, cause }: { folder: string } & Cause) =>
    `The data folder ${folder} cannot be written (${cause}); choose another with --data`,
  disk_fails: ({ dataFolder }: { dataFolder: string }) =>
    `The disk that holds ${dataFolder} fails (input/output error); look at it before anything else, and copy the folder to another one`,
  disk_read_only: ({ dataFolder }: { dataFolder: string }) =>
    `The disk that holds ${dataFolder} is mounted read-only; mount it writable, or choose another folder with --data`,
  disk_unwritable: ({ dataFolder }: { dataFolder: string }) =>
    `The data folder ${dataFolder} cannot be written; mount its disk writable, or choose another with --data`,
  disk_full: ({ dataFolder, freeBytes }: { dataFolder: string; freeBytes: number }) =>
    `The disk that holds ${dataFolder} is full (${Math.floor(freeBytes / 1024 ** 2)} MiB are left); free some space on it and start again, or choose another folder with --data`,
  database_damaged: ({ file, why, dataFolder, backup }: DamagedDatabase) =>
    `The database ${file} is damaged (${why}). Put a backup back (npm run restore -- ${backup ?? 'FILE'} --data ${dataFolder}), or move this file away to start without what it holds`,
  running: ({ dataFolder, pid, address }: RunningHost) =>
    `Another wharf${pid === undefined ? '' : ` (pid ${pid})`} ${address === undefined ? 'is just starting' : `runs at ${address}`} on the data folder ${dataFolder}; stop it, or choose another with --data`,
  runtime_left: ({ pid }: { pid: number }) =>
    `The runtime of an earlier start (pid ${pid}) does not end; end it and start again`,
  port: ({ port, why }: { port: number; why: 'busy' | 'forbidden' }) =>
    `Port ${port} ${why === 'busy' ? 'is in use' : 'needs more rights'}; choose another with --port (0 takes any free one)`,
  network_port: ({ port, address, why }: { port: number; address: string; why: 'busy' | 'forbidden' }) =>
    `Port ${port} of ${address} ${why === 'busy' ? 'is in use' : 'needs more rights'}; choose another with --port`,
  no_such_address: ({ address }: { address: string }) => `--listen ${address}: this machine has no such address`,
  no_network_address: ({ address }: { address: string }) =>
    `--listen ${address}: this machine has no such address on a network`,
  name_needs_listen: '--local-name needs --listen: nobody of the network is let in otherwise',
  listen_needs_node: '--listen needs --runtime node',
  listen_needs_password:
    '--listen lets others on the network in: start without it, set the owner’s password, and start again with it; or name a file with the password by --owner-password-file',
  password_file_large: ({ file, bytesMax }: { file: string; bytesMax: number }) =>
    `--owner-password-file ${file} is larger than ${bytesMax} bytes`,
  password_file_unread: ({ file, cause }: { file: string } & Cause) =>
    `--owner-password-file ${file} cannot be read (${cause})`,
  /** `said`: what the service says of it, as on the page. */
  password_refused: ({ file, said }: { file: string; said: string }) =>
    `The password in ${file} was not taken: ${said}`,
  secrets_unread: ({ file }: { file: string }) => `${file} cannot be read; make it readable for you alone (mode 600)`,
  secrets_damaged: ({ file }: { file: string }) =>
    `${file} is damaged; restore it from a backup, or remove it and start with --new-master-key`,
  key_lost: ({ file }: { file: string }) =>
    `The master key is gone: ${file} is missing, but this data folder holds secrets sealed with it. Put the file back from a backup, or start with --new-master-key: it names all that has to be entered or paired again`,
  script_unnamed: ({ file }: { file: string }) => `${file} names no script: it needs name and main`,
  script_rule: ({ file, type }: { file: string; type: string }) =>
    `${file}: module rules of type ${type} are not hosted here`,
  script_unbuilt: ({ cause }: Cause) => `The Worker script does not build: ${cause}`,
  not_started: ({ cause }: Cause) => `The Worker runtime did not start: ${cause}`,
  data_newer: ({ steps }: { steps: readonly string[] }) =>
    `The data folder was used by a newer wharf (it knows ${steps.join(', ')}); start that one`,
  migration: ({ step, cause }: { step: string } & Cause) => `Migration ${step} failed: ${cause}`,
  no_backup: ({ step, cause }: { step: string } & Cause) =>
    `Before ${step} is applied a backup should be made, and it cannot be: ${cause}. Mend that, or start with --no-backups`,
  not_declared: ({ fault }: { fault: ApplyFault }) =>
    `What the configuration file declares was not applied: ${sayApplyFault(fault)}`,
  browser_key: ({ fault }: { fault: OwnerKeyFault }) => sayOwnerKeyFault(fault),
  tool_port: ({ tool, flag, fault }: { tool: string; flag: string; fault: PortFault }) =>
    `The ${tool}: ${sayPortFault(fault)}; move it with --${flag}`,
}

interface DamagedDatabase {
  readonly file: string
  readonly why: string
  readonly dataFolder: string
  /** The newest that may be put back. */
  readonly backup: string | undefined
}

interface RunningHost {
  readonly dataFolder: string
  readonly pid: number | undefined
  /** Undefined: it serves nobody yet. */
  readonly address: string | undefined
}

export type StartFault = FaultOf<typeof sentences>
export const sayStartFault = sayBy(sentences)

/** Undefined for a failure that has nothing to do with the disk. */
export function storageFault(error: unknown, dataFolder: string): StartFault | undefined {
  if (isFull(error)) return fullDisk(dataFolder)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'EROFS' && code !== 'EIO') return undefined
  return { kind: code === 'EIO' ? 'disk_fails' : 'disk_read_only', dataFolder }
}

/** What a start cannot do without. */
export function diskFault(dataFolder: string): StartFault | undefined {
  const problem = diskProblem(dataFolder)
  if (problem?.kind === 'machine.disk_full') return fullDisk(dataFolder)
  return problem?.kind === 'machine.disk_unwritable' ? { kind: 'disk_unwritable', dataFolder } : undefined
}

function fullDisk(dataFolder: string): StartFault {
  return { kind: 'disk_full', dataFolder, freeBytes: spaceOn(dataFolder).freeBytes }
}

/** Without these nothing can be served. */
export function damageFault(
  damages: readonly Damage[],
  dataFolder: string,
  newestBackup: string | undefined,
): StartFault | undefined {
  const damage = damages.find(({ kind, isReadable }) => kind !== 'object' && isReadable !== true)
  if (damage === undefined) return undefined
  return { kind: 'database_damaged', file: damage.file, why: damage.why, dataFolder, backup: newestBackup }
}

/** What a start goes on with. */
export function warnings(problems: readonly MachineProblem[]): string[] {
  return problems.map((problem) => inEnglish(problem))
}
