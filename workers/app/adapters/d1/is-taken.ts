/** Whether a write failed because the table has such a row already. `columns` begins the list of the index's columns. */
export function isTaken(error: unknown, columns: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause.message.includes(`UNIQUE constraint failed: ${columns}`)) return true
  return false
}
