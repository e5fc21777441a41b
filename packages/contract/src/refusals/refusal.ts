import type { ErrorName } from '../error-catalog.ts';

/** What a fact of each kind holds. Never a secret, and nothing that lies outside the reader's scope. */
interface FactValues {
  readonly count: number;
  /** A word of the product: a state, a unit, a reason. */
  readonly word: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** What the caller sent, or a text made of other facts. */
  readonly text: string;
  /** The id of what was asked for. */
  readonly id: string;
  readonly permission: string;
  // Names of things.
  readonly command: string;
  readonly component: string;
  readonly country: string;
  readonly device: string;
  readonly document: string;
  readonly model: string;
  readonly parameter: string;
  readonly role: string;
  readonly user: string;
  readonly version: string;
}

/** A kind, or the words that the fact can be. */
export type FactKind = keyof FactValues | readonly string[];

/** The facts of a refusal by name. A name that ends in `?` may be left out. */
export type FactKinds = Readonly<Record<string, FactKind>>;

type ValueOf<Kind> = Kind extends keyof FactValues
  ? FactValues[Kind]
  : Kind extends readonly (infer Word)[]
    ? Word
    : never;

type Required<Kinds> = {
  readonly [Name in keyof Kinds as Name extends `${string}?` ? never : Name]: ValueOf<Kinds[Name]>;
};
type Optional<Kinds> = {
  readonly [Name in keyof Kinds as Name extends `${infer Plain}?` ? Plain : never]?: ValueOf<
    Kinds[Name]
  >;
};

/** The facts that fit their declaration, and no other. */
export type FactsFrom<Kinds> = keyof Kinds extends never
  ? Readonly<Record<string, never>>
  : Required<Kinds> & Optional<Kinds>;

/** Why a call was refused, where the code of the catalog says too little. */
export interface Refusal<Kinds extends FactKinds = FactKinds> {
  readonly error: ErrorName;
  /** What happened and what to do next, in English, with facts as `{name}`. */
  readonly sentence: string;
  /** One declaration for the type, the check at run time and the reference. */
  readonly facts: Kinds;
}

type NoFacts = Record<never, never>;

/** A refusal; without a name of the catalog 2004, which says that the input does not fit the state it meets. */
export function refusal<const Kinds extends FactKinds = NoFacts>(
  sentence: string,
  {
    error = 'invalidParameters',
    facts,
  }: { readonly error?: ErrorName; readonly facts?: Kinds } = {},
): Refusal<Kinds> {
  return { error, sentence, facts: facts ?? ({} as Kinds) };
}
