/** Why a sign-in at a tool server does not come about. Words for a person: of others' texts only what was made harmless. */
import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'
import { type OwnerKeyFault, sayOwnerKeyFault } from './owner-key-fault.ts'

interface Host {
  readonly host: string
}
const sentences = {
  unknown: 'There is no tool server of that name',
  program: 'This tool server is a program of this machine: it has no sign-in',
  has_credentials: 'The configuration gives this tool server its credentials, in "headers"',
  not_asked: 'The tool server asks for no sign-in',
  unreachable: ({ host }: Host) => `${host} cannot be reached`,
  guarded: ({ host }: Host) =>
    `The sign-in leads to ${host}, which is not asked: only addresses of the internet over https are, and those of the tool server itself`,
  no_registration:
    'The sign-in takes no programs that it does not know: register one there, and name it in "oauth" of the tool server',
  refused: ({ words }: { readonly words: string }) => `The sign-in was refused: ${words}`,
  unusable: 'The sign-in does not speak the protocol as it should',
  not_waiting: 'No sign-in waits for that answer: begin it anew',
  wrong_answer: 'That is not the address to which this sign-in leads back',
  no_port: ({ port }: { readonly port: number }) =>
    `Port ${port} of this machine, to which the sign-in leads back, is taken`,
  unkept: ({ fault }: { readonly fault: OwnerKeyFault }) => sayOwnerKeyFault(fault),
}

export type SignInFault = FaultOf<typeof sentences>
export const saySignInFault = sayBy(sentences)
