/** Parts of a planned effect that can differ. */
export const effectParts = [
  'command',
  'consequence',
  'document',
  'sub-document',
  'verification',
  'parameter',
  'secret-parameter',
  'store-parameter',
  'devices',
  'strategy',
] as const;
export type EffectPart = (typeof effectParts)[number];

/** A difference between the approved and the current effect. */
export interface EffectChange {
  readonly part: EffectPart;
  /** Name of the document, parameter, or option; empty if the part has only one. */
  readonly name: string;
  /** As text; null if it did not exist or no longer exists. Secret values are omitted. */
  readonly before: string | null;
  readonly after: string | null;
}
