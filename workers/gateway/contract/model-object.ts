export interface ModelObject {
  readonly id: string
  readonly object: 'model'
  readonly created: number
  readonly owned_by: string
}

/** The provider tells no creation time; 0 stays the same from one start to the next. */
export function toModelObject(id: string): ModelObject {
  return { id, object: 'model', created: 0, owned_by: 'bedrock' }
}
