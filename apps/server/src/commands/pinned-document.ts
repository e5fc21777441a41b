/** A sub-document in the version that is pinned for a run. */
export interface PinnedDocument {
  /** Reference in the step. */
  readonly reference: string;
  readonly name: string;
  readonly version: number;
  readonly sha256: string;
}
