/** What the work answers, or the other value where it throws. */
export function succeedOr<Value>(otherwise: Value, work: () => Value): Value {
  try {
    return work()
  } catch {
    return otherwise
  }
}
