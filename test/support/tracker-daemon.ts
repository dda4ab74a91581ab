/** A real tracker on loopback, which knows the torrents of one test and nothing else. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DaemonProcess, until } from './daemon-process.ts'
import { freePort } from './free-port.ts'
import type { MadeTorrent } from './make-torrent.ts'

export interface TrackerUnderTest {
  /** Waits until somebody who has the torrent, or somebody who wants it, has announced himself. */
  hears(infoHash: string, who: 'complete' | 'incomplete'): Promise<void>
  dispose(): Promise<void>
}

/** The address is part of the torrents it serves, so its port is chosen first. */
export async function chooseTracker(): Promise<{ readonly port: number; readonly announce: string }> {
  const port = await freePort()
  return { port, announce: `http://127.0.0.1:${port}/announce` }
}

export async function startTracker(
  program: string,
  port: number,
  torrents: readonly MadeTorrent[],
): Promise<TrackerUnderTest> {
  const folder = await mkdtemp(path.join(tmpdir(), 'wharf-tracker-'))
  // Started by root it reads its list as nobody.
  await chmod(folder, 0o755)
  // Debian's build serves the torrents of a list only.
  await writeFile(path.join(folder, 'torrents'), `${torrents.map(({ infoHash }) => infoHash).join('\n')}\n`)
  const ports = ['-p', String(port), '-P', String(port)]
  const daemon = new DaemonProcess(program, ['-i', '127.0.0.1', ...ports, '-d', folder, '-w', 'torrents'])
  await daemon.ready(`http://127.0.0.1:${port}/stats`)
  // The list is read in the background, and who is refused once comes back late.
  for (const { infoHash } of torrents) {
    await until('the tracker to know its torrents', async () => {
      const said = await announceAs(port, infoHash, 'started')
      if (said.includes('failure')) return undefined
      await announceAs(port, infoHash, 'stopped')
      return true
    })
  }
  return {
    async hears(infoHash, who) {
      const asked = `http://127.0.0.1:${port}/scrape?info_hash=${escaped(infoHash)}`
      await until(`the tracker to hear of one that is ${who}`, async () =>
        new RegExp(`:${who}i[1-9]`).test(await (await fetch(asked)).text()) ? true : undefined,
      )
    },
    async dispose() {
      await daemon.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function announceAs(port: number, infoHash: string, event: string): Promise<string> {
  const rest = `peer_id=-XX0001-abcdefghijkl&port=9&uploaded=0&downloaded=0&left=1&compact=1&event=${event}`
  return (await fetch(`http://127.0.0.1:${port}/announce?info_hash=${escaped(infoHash)}&${rest}`)).text()
}

function escaped(infoHash: string): string {
  return infoHash.replace(/../g, '%$&')
}
