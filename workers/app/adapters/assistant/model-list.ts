/** Which models a service says it has, as suggestions: one that has no such list, or a strange one, has none. */
import { modelListBytesMax, modelNameCharactersMax, modelsListedMax } from '../../limits.ts'
import type { ModelSettings } from '../../ports/assistant.ts'
import { readBytes } from '../outside-answer.ts'
import { askModelService, type ModelServiceDeps } from './ask-model-service.ts'
import { modelListShape } from './chat-shapes.ts'

export async function readModelList(
  deps: ModelServiceDeps,
  settings: Omit<ModelSettings, 'model'>,
  limitMs: number,
): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(limitMs)
  try {
    const response = await askModelService(deps, settings, '/models', { signal })
    if (response === undefined) return []
    if (!response.ok) {
      await response.body?.cancel()
      return []
    }
    const bytes = await readBytes(response, modelListBytesMax, signal)
    return bytes === undefined ? [] : namesIn(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return []
  }
}

/** In the service's order. A name that the settings would not take is none. */
function namesIn(value: unknown): readonly string[] {
  const read = modelListShape.safeParse(value)
  if (!read.success) return []
  const names = read.data.flatMap(({ id }) => (typeof id === 'string' ? [id.trim()] : []))
  const fit = names.filter((name) => name !== '' && name.length <= modelNameCharactersMax && !/\p{Cc}/u.test(name))
  return [...new Set(fit)].slice(0, modelsListedMax)
}
