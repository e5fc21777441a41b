import type { ErrorName } from '../error-catalogue.ts';

/** What a sentence of a refusal is filled with. Never a secret, and nothing that lies outside the reader's scope. */
export type RefusalFacts = Readonly<Record<string, string | number>>;

/** Why a call was refused, where the code of the catalogue says too little. */
export interface Refusal<Facts extends RefusalFacts = RefusalFacts> {
  readonly error: ErrorName;
  /** What happened and what to do next, in English; `{name}` stands for a fact. */
  readonly sentence: string;
  /** Only for its type. */
  readonly facts?: Facts;
}

type NoFacts = Record<never, never>;

/** A refusal; without a name of the catalogue 2004, which says that the input does not fit the state it meets. */
export function refusal<Facts extends RefusalFacts = NoFacts>(
  sentence: string,
  error: ErrorName = 'invalidParameters',
): Refusal<Facts> {
  return { error, sentence };
}
