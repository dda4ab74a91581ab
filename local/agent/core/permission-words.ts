/** What a person is asked about an action, in English; an action without words of its own is `other`. */
export const permissionQuestions = {
  bash: 'Run a command?',
  bash_outside: 'Run a command outside of the sandbox?',
  edit: 'Change a file?',
  read: 'Read a file?',
  list: 'List a folder?',
  grep: 'Search here?',
  glob: 'Look for files here?',
  external_directory: 'Leave the project?',
  sandbox_write: 'Let a command write there?',
  sandbox_network: 'Let a command reach a host?',
  webfetch: 'Fetch from the web?',
  websearch: 'Search the web?',
  task: 'Hand work to a sub-agent?',
  skill: 'Use a skill?',
  question: 'Ask you something?',
  other: 'Allow this?',
}

/** `questions`: those of another language. */
export function permissionQuestion(action: string, questions = permissionQuestions): string {
  return Object.hasOwn(questions, action) ? questions[action as keyof typeof questions] : questions.other
}

/** For what `always` would store where that is a rule for all of them. */
export const everyResource = 'everything of this kind'
