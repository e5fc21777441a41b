/** What part of a planned effect differs. */
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

/** One difference between what was approved and what would happen now. */
export interface EffectChange {
  readonly part: EffectPart;
  /** Which document, parameter or option; empty where the part is only one. */
  readonly name: string;
  /** As text; null where it was not there, or is not there any more. Secret values are never told. */
  readonly before: string | null;
  readonly after: string | null;
}
