/** Proof of a person's or an enterprise's real name. */
export interface RealNameProof {
  /** P: a person; E: an enterprise. */
  readonly type: 'P' | 'E';
  readonly name: string;
  /** The identity number, or the unified social credit code; upper case, without spaces. */
  readonly idCard: string;
  /** The bank card number of a person, or the legal representative of an enterprise. */
  readonly ext: string;
}

/** The number that is wrong; undefined when the proof is accepted. */
export type FindWrongNumber = (
  proof: RealNameProof,
) => Promise<'idCard' | 'bankCard' | 'enterpriseCode' | undefined>;

/** Exports of `@deviceportal/identity-real-name`. */
export interface RealNamePackage {
  readonly findWrongNumber: FindWrongNumber;
}
