/** A document that another one runs, in the version that a run has of it. */
export interface PinnedDocument {
  /** As the step names it. */
  readonly reference: string;
  readonly name: string;
  readonly version: number;
  readonly sha256: string;
}
