/** Lines that the terminal client answers itself. All others that begin with a slash are commands of the project. */
export const clientCommands = {
  new: 'Begins another session in this folder',
  sessions: 'Shows the sessions of this folder, to go on in one',
  model: 'Chooses the model: /model [PROVIDER/MODEL]',
  agent: 'Chooses who works: /agent [NAME]',
  changes: 'Shows what this session changed in the files',
  withdraw: 'Takes back a prompt that still waits',
  compact: 'Summarises the conversation to save room',
  help: 'Says which keys and commands there are',
  quit: 'Leaves; what runs is ended',
} as const

export type ClientCommand = keyof typeof clientCommands

export function readClientCommand(text: string): { readonly name: ClientCommand; readonly rest: string } | undefined {
  const [, name, rest = ''] = /^\/([a-z]+)(?:[ \t]+(.*))?\s*$/.exec(text) ?? []
  if (name === undefined || !Object.hasOwn(clientCommands, name)) return undefined
  return { name: name as ClientCommand, rest: rest.trim() }
}
