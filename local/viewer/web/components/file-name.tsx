/** A path, or the label of a module, of which the end stays when there is no room for all of it. */
export function FileName({ name, title, isQuiet }: { name: string; title?: string; isQuiet?: boolean }) {
  return (
    <span class={`mono ends-only${isQuiet === true ? ' gname' : ''}`} title={title}>
      <bdi>{name}</bdi>
    </span>
  )
}
