/** One call of the provider's plain model operation. */
export interface EmbeddingCall {
  readonly modelId: string
  readonly body: Readonly<Record<string, unknown>>
}

export interface EmbeddingAnswer {
  readonly body: unknown
  /** What the provider counted, where it says so. */
  readonly inputTokens: number | undefined
}
