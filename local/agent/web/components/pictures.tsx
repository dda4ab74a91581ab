/** Pictures that came with a prompt or out of a tool: those that lie in the message itself, since no page asks others for one. */
import { showUnseen } from '#shared/pages/text-blocks.ts'

interface Attached {
  readonly uri: string
  readonly name?: string | undefined
}

export function Pictures({ files }: { files: readonly Attached[] | undefined }) {
  const shown = (files ?? []).filter(({ uri }) => /^data:image\/(?:png|jpeg|gif|webp);base64,/.test(uri))
  if (shown.length === 0) return null
  return (
    <ul class="images">
      {shown.map(({ uri, name = '' }, at) => (
        <li key={at}>
          <img src={uri} alt={showUnseen(name)} />
        </li>
      ))}
    </ul>
  )
}
