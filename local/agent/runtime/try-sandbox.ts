/**
 * A sandbox is believed once it has stopped real commands on this machine: one shell tries what a command of the model must
 * not be able to do, and what it must. What it did is looked up outside, not taken from its words.
 */
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startProgram } from '../../starter/start-program.ts'
import { type StartedProgram, signalGroup } from '../../starter/started-program.ts'
import { plainEnvironment, planMounts, systemFolders } from '../core/sandbox.ts'
import { type Sandbox, sandboxStart } from '../core/sandbox-start.ts'
import { macSystemFolders } from '../core/seatbelt.ts'
import { sandboxProbeMs, sandboxTrialBytesMax } from '../limits.ts'
import { spawnEnclosed } from './spawn-enclosed.ts'

const systemPath = '/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin'

/** What does not depend on where anything is comes as positional arguments, so that no path is read as shell. */
const script = `
echo fine > made; echo fine > "$TMPDIR/made"; echo fine > "$HOME/made"
outside=$1 port=$2 peer=$3
echo planted > "$outside/planted"; echo planted >> "$outside/secret"
cat "$outside/secret" .env deep/.env
mv deep moved && cat moved/.env
cp .env copied; ln .env linked; ln -s .env pointed; cat copied linked pointed
echo planted > kept/hook; rm -rf kept; mv kept away; mkdir -p kept && echo planted > kept/hook
cat "/proc/$peer/environ"; ps eww -p "$peer"
kill -TERM "$peer"
exec 5<>"/dev/tcp/127.0.0.1/$port" && echo hello >&5
exit 0
`

const canary = (what: string) => `canary-${what}-${Math.random().toString(36).slice(2)}`

/** What a command could do that it must not, or could not do that it must; undefined where the boundary held. */
export async function trySandbox(sandbox: Sandbox, msMax = sandboxProbeMs): Promise<string | undefined> {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'svc-trial-')))
  const at = (...names: string[]) => path.join(base, ...names)
  const project = at('project')
  const secrets = { outside: canary('outside'), project: canary('project'), deep: canary('deep'), peer: canary('peer') }
  let heard = 0
  const listener = createServer((socket) => {
    heard += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  const peer = startProgram('sleep', ['60'], {
    cwd: '/',
    env: { PATH: systemPath, SECRET: secrets.peer },
    stdio: ['ignore', 'ignore', 'ignore'],
    detached: false,
  })
  let isPeerThere = true
  const peerStarts = new Promise<void>((resolve) => {
    peer.on('spawn', resolve)
    for (const end of ['error', 'exit']) {
      peer.on(end, () => {
        isPeerThere = false
        resolve()
      })
    }
  })
  try {
    await once(listener, 'listening')
    for (const folder of [
      ['project', 'deep'],
      ['project', 'kept'],
      ['outside'],
      ['private', 'tmp'],
      ['private', 'home'],
    ]) {
      await mkdir(at(...folder), { recursive: true })
    }
    await writeFile(at('outside', 'secret'), secrets.outside)
    await writeFile(at('project', '.env'), secrets.project)
    await writeFile(at('project', 'deep', '.env'), secrets.deep)
    await writeFile(at('project', 'kept', 'hook'), 'kept')
    const start = sandboxStart(sandbox, {
      mounts: planMounts({
        project,
        workdir: project,
        home: at('home'),
        privateFolder: at('private'),
        readable: sandbox.kind === 'seatbelt' ? macSystemFolders : systemFolders,
        links: [],
        kept: [at('project', 'kept')],
        pinned: [],
        hidden: ['.env', 'deep/.env'].map((name) => ({ path: path.join(project, name), isFolder: false })),
        grantedReads: [],
        grantedWrites: [],
      }),
      workdir: project,
      privateFolder: at('private'),
      environment: { ...plainEnvironment({ PATH: systemPath, LANG: 'C' }, []), HOME: at('home') },
    })
    await peerStarts
    const { port } = listener.address() as AddressInfo
    const words = ['bash', '-c', script, 'bash', at('outside'), String(port), String(peer.pid)]
    const { said } = await hearOut(spawnEnclosed(start, words), msMax)

    const text = (...names: string[]) => readFile(at(...names), 'utf8').catch(() => '')
    for (const place of [
      ['project', 'made'],
      ['private', 'tmp', 'made'],
      ['private', 'home', 'made'],
    ]) {
      if ((await text(...place)) === 'fine\n') continue
      const [first] = said.trim().split('\n')
      return `no command can be run in it (${first === '' ? 'it said nothing' : first})`
    }
    for (const [what, secret] of Object.entries(secrets)) {
      if (said.includes(secret)) return `it shows ${shownAs[what as keyof typeof secrets]}`
    }
    if ((await text('outside', 'secret')) !== secrets.outside || (await text('outside', 'planted')) !== '') {
      return 'it lets a command write outside of the project'
    }
    if ((await text('project', 'kept', 'hook')) !== 'kept') return 'it lets a command change what is protected'
    if (heard > 0) return 'it lets a command reach the network'
    if (!isPeerThere) return 'it lets a command end other processes'
    return undefined
  } finally {
    listener.close()
    peer.kill('SIGKILL')
    await rm(base, { recursive: true, force: true })
  }
}

const shownAs = {
  outside: 'files outside of the project',
  project: 'what the rules keep from being read',
  deep: 'what the rules keep from being read, once its folder is moved',
  peer: 'the variables of other processes',
}

/** Both streams to the end of a program that leads a group, as much as is kept of them, and whether it ended well. */
export async function hearOut(child: StartedProgram, msMax: number): Promise<{ isDone: boolean; said: string }> {
  let said = ''
  const take = (chunk: Buffer) => {
    if (said.length < sandboxTrialBytesMax) said += chunk.toString()
  }
  child.stdout?.on('data', take)
  child.stderr?.on('data', take)
  child.stdio[3]?.on('error', () => undefined)
  const timer = setTimeout(() => {
    // The group: a shell that hangs keeps the pipes open.
    signalGroup(child, 'SIGKILL')
  }, msMax)
  const isDone = await new Promise<boolean>((resolve) => {
    child.on('close', (code) => resolve(code === 0))
    child.on('error', (error) => {
      said += error.message
      resolve(false)
    })
  })
  clearTimeout(timer)
  return { isDone, said }
}
