import type { MachineReport } from '../core/operating/machine.ts'
import type { MachineDesk } from '../ports.ts'

/** What a binding to the host is, as far as it is used. */
interface HostBinding {
  fetch(address: string, init?: RequestInit): Promise<Response>
}

/** Our own host, in the same version: what it says is taken as it is. */
export function createMachineDesk(host: HostBinding | undefined): MachineDesk {
  return {
    async report() {
      if (host === undefined) return undefined
      const answer = await host.fetch('http://host.invalid/report')
      if (!answer.ok) throw new Error(`the host answered ${answer.status} when it was asked for its report`)
      return answer.json<MachineReport>()
    },
  }
}
