/** One line of the protocol: RFC 2812, 2.3.1, with the tags of IRCv3 left out. */
export interface IrcLine {
  /** Who says it; empty for the server we are at. */
  readonly nick: string
  readonly command: string
  readonly parameters: readonly string[]
}

export function readIrcLine(raw: string): IrcLine {
  let rest = raw
  if (rest.startsWith('@')) rest = afterBlank(rest)
  let nick = ''
  if (rest.startsWith(':')) {
    nick = /^:([^ !@]*)/.exec(rest)?.[1] ?? ''
    rest = afterBlank(rest)
  }
  const last = rest.indexOf(' :')
  const words = (last < 0 ? rest : rest.slice(0, last)).split(' ').filter((word) => word !== '')
  const [command = '', ...parameters] = words
  if (last >= 0) parameters.push(rest.slice(last + 2))
  return { nick, command: command.toUpperCase(), parameters }
}

function afterBlank(text: string): string {
  const at = text.indexOf(' ')
  return at < 0 ? '' : text.slice(at + 1).trimStart()
}
