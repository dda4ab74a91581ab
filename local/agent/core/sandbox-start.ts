/** How a command is started in the sandbox that is at work here. */
import { bubblewrapArguments, type Mount } from './sandbox.ts'
import { seatbeltProfile } from './seatbelt.ts'

export type Sandbox =
  | {
      readonly kind: 'bubblewrap'
      /** Absolute path of the program. */
      readonly program: string
      readonly version: string
      readonly hasUserNamespaces: boolean
    }
  | { readonly kind: 'seatbelt'; readonly program: string }

export interface StartPlan {
  readonly mounts: readonly Mount[]
  readonly workdir: string
  readonly privateFolder: string
  readonly environment: Readonly<Record<string, string>>
  readonly network?: HostWay
}

/** How a command inside comes to the hosts that were granted: a relay on a port of its loopback, to the socket of a proxy. */
export interface HostWay {
  readonly socketPath: string
  readonly port: number
  /** The program that runs the relay, and the relay. */
  readonly node: string
  readonly relay: string
}

export interface SandboxStart {
  readonly program: string
  /** Between the program and the command. */
  readonly args: readonly string[]
  /** Read by the program from its fifth descriptor, out of sight of other processes. */
  readonly setup: string
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  /** What the command's shell starts first, and waits for a line of. Empty where no host was granted. */
  readonly relay: readonly string[]
  /** Whether a signal from outside reaches what was started. */
  readonly hearsSignals: boolean
}

const inside = '/run/svc'

/** What of a start with bubblewrap is the same for all commands; the rest is told by its setup. */
export function untoldStart({ program }: Extract<Sandbox, { kind: 'bubblewrap' }>) {
  return { program, args: ['--args', '4', '--'], cwd: '/', environment: {} } as const
}

export function sandboxStart(sandbox: Sandbox, plan: StartPlan): SandboxStart {
  const { network, privateFolder, workdir } = plan
  const environment = { ...plan.environment, ...(network === undefined ? {} : proxyVariables(network.port)) }
  if (sandbox.kind === 'seatbelt') {
    const brought =
      network === undefined ? [] : [network.node, network.relay].map((at): Mount => ({ kind: 'read', at }))
    const profile = seatbeltProfile({ ...plan, mounts: [...plan.mounts, ...brought] })
    return {
      program: sandbox.program,
      args: ['-p', profile],
      setup: '',
      cwd: workdir,
      environment: { ...environment, HOME: `${privateFolder}/home`, TMPDIR: `${privateFolder}/tmp` },
      relay: network === undefined ? [] : relayWords(network.node, network.relay, network.socketPath, network.port),
      hearsSignals: true,
    }
  }
  const brought: Mount[] =
    network === undefined
      ? []
      : [
          { kind: 'read', at: `${inside}/node`, from: network.node },
          { kind: 'read', at: `${inside}/relay.mjs`, from: network.relay },
          { kind: 'read', at: `${inside}/proxy`, from: network.socketPath },
        ]
  const setup = bubblewrapArguments([...plan.mounts, ...brought], workdir, environment, sandbox.hasUserNamespaces)
  return {
    ...untoldStart(sandbox),
    setup: `${setup.join('\0')}\0`,
    relay:
      network === undefined ? [] : relayWords(`${inside}/node`, `${inside}/relay.mjs`, `${inside}/proxy`, network.port),
    hearsSignals: false,
  }
}

const relayWords = (node: string, relay: string, socketPath: string, port: number) => [
  node,
  relay,
  socketPath,
  String(port),
]

function proxyVariables(port: number): Record<string, string> {
  const address = `http://127.0.0.1:${port}`
  return {
    ...Object.fromEntries(['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'].map((name) => [name, address])),
    NODE_USE_ENV_PROXY: '1',
  }
}
