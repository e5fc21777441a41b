import type { Consequence } from '@deviceportal/contract/permissions';

/** A version of a document with the digest of all content that a run uses. */
export interface EffectDocument {
  readonly name: string;
  readonly version: number;
  /** Of the main steps, pre-check, verify, and undo steps, consequence, and secret parameters. */
  readonly sha256: string;
}

/** A sub-document: the reference `name` or `name:version`, and its version. */
export interface EffectSubDocument extends EffectDocument {
  readonly reference: string;
}

/** The complete effect of a run or a rollout, which users approve and signatures cover. */
export interface PlannedEffect {
  readonly command: string;
  readonly consequence: Consequence;
  readonly document: EffectDocument;
  /** Sub-documents (`aws:runDocument`), sorted by reference. */
  readonly subDocuments: readonly EffectSubDocument[];
  /** The document that verifies the result, followed by its sub-documents; empty if there is none. */
  readonly verification: readonly EffectDocument[];
  /** Values of parameters that are not secret. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** A keyed digest per secret parameter, which shows a change without revealing the value. */
  readonly secretDigests: Readonly<Record<string, string>>;
  /** Parameter store references as `name:version`, sorted. */
  readonly storeParameters: readonly string[];
  readonly devices: { readonly sha256: string; readonly count: number };
  /** Canaries, waves, concurrency, thresholds, and timeouts. */
  readonly strategy: Readonly<Record<string, unknown>>;
}
