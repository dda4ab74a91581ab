/**
 * What families of models are told beside what all are: which edit tool they were trained on, how many calls they should make
 * at once, and how much they tend to say. A family is known by the name of the model, whoever serves it.
 */
interface Family {
  readonly pattern: RegExp
  readonly instructions: string
}

const replaces =
  'Change files with edit: an exact piece of the file and what it becomes. Use write for new files alone.'
const patches =
  'Change files with apply_patch, one patch for all that belongs together. Use write for new files that stand alone.'
const together =
  'Make calls that do not need one another’s results in one step: several reads and searches at once, not one after another.'
const oneByOne = 'Make one call that changes something at a time, and look at its result before the next.'

const families: readonly Family[] = [
  {
    pattern: /(?:^|[/.-])claude/i,
    instructions: [replaces, together, 'Do what was asked and stop there: no summary files, no further features.'].join(
      '\n',
    ),
  },
  {
    pattern: /codex/i,
    instructions: [patches, together, 'Go on until the task is done and checked; do not end with a plan.'].join('\n'),
  },
  {
    pattern: /(?:^|[/.-])(?:gpt-|o[134](?:$|-)|chatgpt)/i,
    instructions: [
      patches,
      together,
      'Go on until the task is done and checked. Ask only what the project cannot tell you. Leave out what the user did not ask for.',
    ].join('\n'),
  },
  {
    pattern: /(?:^|[/.-])(?:gemini|gemma)/i,
    instructions: [
      replaces,
      together,
      'Never assume that a package is there: look for it in the project first. Say in a line what a command does before one that changes something.',
    ].join('\n'),
  },
  {
    pattern: /(?:^|[/.-])(?:deepseek|kimi|glm|minimax|mimo|qwen|qwq|llama|mistral|devstral|codestral|grok)/i,
    instructions: [
      replaces,
      oneByOne,
      'Arguments of a call are one JSON object of the fields of its schema, nothing around it. Do not repeat a call that failed: read what it said, and change it.',
    ].join('\n'),
  },
]

/** Without a family only what all are told. */
export function familyInstructions(modelId: string): string {
  return families.find(({ pattern }) => pattern.test(modelId))?.instructions ?? ''
}
