/** The side of a connection that is read from here, whichever library opened it. */
interface Peer<Data> {
  on(event: 'message', listener: (data: Data) => void): unknown
  pause(): void
  resume(): void
  terminate(): void
}

/**
 * Hands a peer's messages on one at a time, in order, and reads no further while one is taken. A message that cannot be
 * taken ends the connection: what comes after it would be taken in another state than its sender believes.
 */
export function takeInTurn<Data>(peer: Peer<Data>, take: (data: Data) => void | Promise<void>): void {
  let taking = Promise.resolve()
  peer.on('message', (data) => {
    peer.pause()
    taking = taking
      .then(() => take(data))
      .then(
        () => peer.resume(),
        () => peer.terminate(),
      )
  })
}
