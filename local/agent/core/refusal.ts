/** Why a request is refused: each kind beside its sentence. A caller reads the kind, and a page has words of its own for it. */
import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'
import { type ConfigurationFault, sayConfigurationFault } from './configuration-fault.ts'
import { type SignInFault, saySignInFault } from './sign-in-fault.ts'

interface Most {
  readonly most: number
}
interface Said {
  readonly said: string
}
/** From one on. */
interface Question {
  readonly question: number
}
interface Names {
  readonly names: string
}

const sentences = {
  // Who may ask, and how.
  host_count: 'Exactly one Host header is expected',
  host_malformed: 'The Host header is malformed',
  host_foreign: 'The Host header names another server',
  origins: 'More than one Origin header',
  origin_foreign: 'The request comes from another origin',
  site_foreign: 'The request comes from another site',
  target_malformed: 'The request target is malformed',
  target_upwards: 'The request target leads upwards',
  origin_missing: 'What a cookie allows to change needs the Origin of this server',
  credentials: 'Valid credentials are required',
  passwords: ({ seconds }: { readonly seconds: number }) =>
    `Too many wrong passwords came from there; another is looked at in ${seconds} s`,
  address_used: 'The address was used before, or is not the one that was printed',
  message_malformed: 'This is no HTTP request',
  message_headers: 'The headers are too large',
  message_slow: 'The request was not complete in time',
  methods: ({ names }: Names) => `This path takes ${names}`,
  no_route: 'There is no such route',
  parameter_twice: ({ name }: { readonly name: string }) => `${name} is given twice`,
  parameter_missing: ({ name }: { readonly name: string }) => `${name} is missing`,
  content_type: 'The body must have the content type application/json',
  body_unwanted: 'This route takes no body',
  body_too_large: 'The body is too large',
  body_empty: 'A JSON body is missing',
  body_not_json: 'The body is not JSON',
  body_too_deep: 'The body is nested too deeply',
  body_broken_off: 'The body broke off',
  /** `said`: the shape that there is for it; `field` is empty for the whole. `least` and `most` where it is about a length or an amount. */
  value: ({ field, said }: Said & { readonly field: string; readonly least?: number; readonly most?: number }) =>
    `${field === '' ? '' : `${field}: `}${said}`,
  excluding: ({ names }: Names) => `${names} exclude each other`,
  subpath_alone: 'subpath needs project',
  derived_alone: 'derived is a choice of delete',
  cursor_foreign: 'The cursor is not one of this list',
  cursor_search: 'The cursor is not one of this search',
  cursor_session: 'The cursor is not one of this session',
  cursor_beyond: 'The cursor lies beyond the newest event',
  cursor_order: 'A cursor has its own order',
  cursor_other: ({ name }: { readonly name: string }) => `The cursor was made with another ${name}`,
  streams: 'Too many event streams are open',
  no_socket: 'This route takes WebSocket connections',

  // Sessions and their prompts.
  no_session: 'There is no such session',
  session_begins: 'The session is being made',
  session_works: 'A live turn owns the session',
  interrupted: 'An interrupt ended this',
  no_message: 'There is no such message',
  no_summary: 'The model could not summarise the session',
  no_prompt: 'There is no such prompt',
  prompt_taken: 'The prompt was taken in',
  prompt_withdrawn: 'The prompt was withdrawn',
  prompt_differs: 'Another prompt was admitted with this id',
  prompts: ({ most }: Most) => `The session already has ${most} waiting prompts`,
  text_too_long: ({ most }: Most) => `The text is longer than ${most} bytes`,
  text_missing: 'A prompt without files needs a text',
  no_agent: ({ name }: { readonly name: string }) => `There is no agent ${JSON.stringify(name)} to work with`,
  tool_server: ({ said }: Said) => said,
  file_address: 'A data address is malformed',
  file_too_large: 'A file is too large',
  file_not_image: 'A data address of an image must hold a PNG, JPEG, GIF or WebP image of that type as base64',
  file_scheme: 'A file needs a file: or data: address',
  file_missing: 'A file does not exist',
  file_not_base64: 'An inline file is not base64',
  file_form: 'An inline file must be a PNG, JPEG, GIF or WebP image',
  file_type: ({ told, found }: { readonly told: string; readonly found: string }) =>
    `An inline file says ${told} and is ${found}`,
  no_permission: 'There is no such pending permission request',
  no_question: 'There is no such pending question',
  answers: ({ count }: { readonly count: number }) => `${count} answers are expected`,
  answer_one: ({ question }: Question) => `Question ${question} takes one answer`,
  answer_offered: ({ question }: Question) => `Question ${question} takes only the offered answers`,
  no_command: 'There is no such command in the background',
  no_note: 'There is no such note',
  policy_excluded: 'The server has excluded this session',
  policy_revision: ({ revision }: { readonly revision: number }) => `The policy is at revision ${revision}`,
  selection_changed: 'The selection is not the one of that preview any more; nothing was changed',

  // Files and what changed in them.
  no_directory: 'The directory does not exist',
  no_file: 'There is no such file',
  path_malformed: 'The path is malformed',
  path_outside: 'The path leads outside of the project',
  file_over_bound: ({ most }: Most) => `The file is larger than ${most} bytes`,
  no_status: 'git did not say what differs',
  caller_left: 'The caller left before it was answered',
  unrecorded: 'The files of this folder cannot be recorded',
  no_change: 'No change of this file is known',
  file_changed: 'The file has changed meanwhile',
  no_hunk: 'There is no such hunk',
  changed_by_others: ({ names }: Names) => `Changed by others in the same place: ${names}`,
  changed_in_project: ({ names }: Names) => `Changed in the project in the same place: ${names}`,

  // Work trees, schedules, terminals.
  tree_needs_git: 'Only a folder in a git repository can have a work tree',
  tree_needs_commit: 'The repository has no commit yet to make a work tree of',
  tree_unmade: 'The work tree could not be made',
  tree_unread: 'The files of the work tree cannot be read',
  tree_gone: 'The work tree of the session was thrown away',
  trees: ({ most }: Most) => `There are ${most} work trees already: merge or throw one away`,
  no_tree: 'The session has no work tree',
  project_moved: ({ project }: { readonly project: string }) => `The project is not at ${project} any more`,
  project_unwritten: 'The files of the project could not be written',
  no_schedule: 'There is no such schedule',
  schedules: ({ most }: Most) => `There are ${most} schedules already: remove one`,
  schedule_untimed: 'A schedule needs "at", "everyMinutes" or both',
  schedule_past: '"at" is past',
  schedule_far: '"at" is too far ahead',
  no_terminal: 'There is no such terminal',
  terminals: ({ most }: Most) => `There may be ${most} terminals at once`,
  terminal_unopened: 'A terminal cannot be opened',
  ticket: 'The ticket is not one for this terminal, or was used',

  // The server's own parts.
  no_provider: 'There is no such provider',
  configuration: ({ fault }: { readonly fault: ConfigurationFault }) => sayConfigurationFault(fault),
  sign_in: ({ fault }: { readonly fault: SignInFault }) => saySignInFault(fault),
  no_room:
    'There is no room for more in the database: what is stored can be read, and deleting old sessions makes room',
  no_room_at_start:
    'There is no room on the disk: what is stored can be read. Make room, and start the server again to work on',
  storage_damaged: ({ said }: Said) => said,
  storage_copy: ({ said, taken, copy }: Said & { readonly taken: string; readonly copy: string }) =>
    `${said}. Shown is the copy of ${taken}, ${copy}, and nothing is stored until then`,
  not_started: 'The tool did not start; what npm start printed says why',
  not_completed: 'The server could not complete the request',
}

export type Refusal = FaultOf<typeof sentences>
export const sayRefusal = sayBy(sentences)
export const refusalKinds = Object.keys(sentences) as readonly Refusal['kind'][]
