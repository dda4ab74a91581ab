/** One of a few words, side by side: the one that holds is pressed. */
export function OneOf<T extends string | number>(props: {
  of: readonly T[]
  value: T
  nameOf: (one: T) => string
  onChoose: (one: T) => void
}) {
  return (
    <>
      {props.of.map((one) => (
        <button
          key={one}
          class="opt"
          type="button"
          aria-pressed={one === props.value}
          onClick={() => props.onChoose(one)}
        >
          {props.nameOf(one)}
        </button>
      ))}
    </>
  )
}
