/** bash_output and bash_stop: what becomes of a command that goes on in the background. */
import { z } from '@hono/zod-openapi'
import { idPattern } from '../../core/identifier.ts'
import { backgroundReadBytesMax, backgroundWaitMsMax } from '../../limits.ts'
import type { BackgroundInfo } from '../../ports.ts'
import type { BackgroundCommands } from '../background-commands.ts'
import { declareTool, type OutputLimits, type Tool, toolProblem } from '../tool-port.ts'
import type { OutputPiece } from './background-output.ts'
import type { OutputKeeper } from './output-keeper.ts'

/** Whoever may run commands may look after them: they are denied with `bash` and never asked for. */
export const backgroundToolNames: ReadonlySet<string> = new Set(['bash_output', 'bash_stop'])

const id = z.string().regex(idPattern.background, 'must be the id of a command in the background')

export function backgroundTools(
  background: Pick<BackgroundCommands, 'next' | 'read' | 'stop'>,
  keeper: OutputKeeper,
): Tool[] {
  return [
    declareTool({
      name: 'bash_output',
      description:
        'What a command in the background said since you last looked, and whether it still runs. Waits for something new as long as you say.',
      input: z.object({
        id,
        since: z.number().int().min(0).optional().describe('A mark of an earlier answer, to read again from there'),
        wait: z.number().int().min(0).max(backgroundWaitMsMax).optional().describe('Milliseconds'),
      }),
      isReadOnly: true,
      async run(input, call) {
        const looked = await background.next(
          call.sessionId,
          input.id,
          { since: input.since, waitMs: input.wait ?? 0, until: 'news', bytesMax: backgroundReadBytesMax },
          call.signal,
        )
        return looked.ok
          ? describeCommand(keeper, looked.value.info, looked.value.piece, call.outputLimits)
          : toolProblem(looked.failure.message)
      },
    }),
    declareTool({
      name: 'bash_stop',
      description: 'Ends a command in the background, with everything it started.',
      input: z.object({ id }),
      isReadOnly: false,
      async run(input, call) {
        const stopped = await background.stop(call.sessionId, input.id, 'model')
        if (!stopped.ok) return toolProblem(stopped.failure.message)
        const looked = await background.next(
          call.sessionId,
          input.id,
          { waitMs: 0, until: 'end', bytesMax: backgroundReadBytesMax },
          call.signal,
        )
        return looked.ok
          ? describeCommand(keeper, looked.value.info, looked.value.piece, call.outputLimits)
          : toolProblem(looked.failure.message)
      },
    }),
  ]
}

export function describeCommand(
  keeper: OutputKeeper,
  info: BackgroundInfo,
  { text, mark, leftOutBytes }: OutputPiece,
  limits: OutputLimits,
  note = '',
) {
  const state = {
    running: `(still running; mark ${mark})`,
    exited: `(exit code ${info.exit ?? 'none'})`,
    stopped: '(stopped)',
    lost: '(it ended when the server did; whether it had done its work is not known)',
  }[info.status]
  const lines = [note, leftOutBytes > 0 ? `(all of it is in ${info.log})` : '', state].filter((line) => line !== '')
  return keeper.text(
    `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${lines.join('\n')}`,
    {
      background: info.id,
      status: info.status,
      mark,
      ...(info.exit === undefined ? {} : { exit: info.exit }),
    },
    limits,
    info.log,
  )
}
