/** Who wants what somebody already waits for waits with them. */
export class OnceForAll<T> {
  readonly #underWay = new Map<string, Promise<T>>()

  ask(key: string, fetch: () => Promise<T>): Promise<T> {
    const known = this.#underWay.get(key)
    if (known !== undefined) return known
    const answer = fetch().finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, answer)
    return answer
  }
}
