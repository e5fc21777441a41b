import type { Consequence } from '@deviceportal/contract/permissions';

/** One version of a document, by the digest of everything that running it uses. */
export interface EffectDocument {
  readonly name: string;
  readonly version: number;
  /** Of the steps, pre-check, verify and undo steps, consequence and secret parameters. */
  readonly sha256: string;
}

/** A document that another one runs: `name` or `name:version`, and the version that this stands for. */
export interface EffectSubDocument extends EffectDocument {
  readonly reference: string;
}

/** Everything that will happen when a run or a rollout goes ahead: what people approve and signatures cover. */
export interface PlannedEffect {
  readonly command: string;
  readonly consequence: Consequence;
  readonly document: EffectDocument;
  /** What the document runs by `aws:runDocument`, in the order of the references. */
  readonly subDocuments: readonly EffectSubDocument[];
  /** The document that verifies the result, first, then those that it runs; empty without one. */
  readonly verification: readonly EffectDocument[];
  /** Parameters that are not secret, as given. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** A keyed digest of each secret parameter: it shows a change and not the value. */
  readonly secretDigests: Readonly<Record<string, string>>;
  /** Parameters of the store as `name:version`, sorted. */
  readonly storeParameters: readonly string[];
  readonly devices: { readonly sha256: string; readonly count: number };
  /** Canaries, waves, concurrency, thresholds, time-outs: how the devices are reached. */
  readonly strategy: Readonly<Record<string, unknown>>;
}
