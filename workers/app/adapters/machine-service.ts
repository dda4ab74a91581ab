import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { BackupFault, BackupShelf, KeptBackup, MachineReport } from '../core/operating/machine.ts'
import type { MachineService } from '../ports/operating.ts'

/** What a binding to the host is, as far as it is used. */
interface HostBinding {
  fetch(address: string, init?: RequestInit): Promise<Response>
}

/** Our own host, in the same version: what it says is taken as it is. */
export function createMachineService(host: HostBinding | undefined): MachineService {
  const ask = async (of: HostBinding, method: string, path: string): Promise<Response> => {
    const answer = await of.fetch(`http://host.invalid${path}`, { method })
    if (answer.status >= 500) throw new Error(`the host answered ${answer.status} when it was asked for ${path}`)
    return answer
  }
  const read = async <T>(path: string): Promise<T | undefined> =>
    host === undefined ? undefined : (await ask(host, 'GET', path)).json<T>()
  const act = async <T>(path: string): Promise<Result<T, BackupFault>> => {
    if (host === undefined) return failWith({ kind: 'none' })
    const answer = await ask(host, 'POST', path)
    return answer.ok ? succeed(await answer.json<T>()) : failWith(await answer.json<BackupFault>())
  }
  return {
    report: () => read<MachineReport>('/report'),
    backups: () => read<BackupShelf>('/backups'),
    makeBackup: () => act<KeptBackup>('/backups'),
    readBack: (name) => act<NonNullable<KeptBackup['readBack']>>(`/backups/${encodeURIComponent(name)}`),

    joinChannels: async () => host !== undefined && (await ask(host, 'POST', '/announces')).ok,

    async openBackup(name) {
      if (host === undefined) return undefined
      const answer = await ask(host, 'GET', `/backups/${encodeURIComponent(name)}`)
      if (answer.body === null || !answer.ok) {
        await answer.body?.cancel()
        return undefined
      }
      return { bytes: Number(answer.headers.get('content-length')), content: answer.body }
    },
  }
}
