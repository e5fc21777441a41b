/** A named value outside the portal: the parameters of docs/design/portal.md, section 6. */
export interface NamedParameter {
  readonly name: string;
  readonly version: number;
  /** `SecureString` values are hidden wherever they could be seen. */
  readonly type: 'String' | 'StringList' | 'SecureString';
  /** A list is one text with commas, as SSM has it. */
  readonly value: string;
}

export interface ParameterWanted {
  readonly name: string;
  /** Null: the latest. */
  readonly version: number | null;
}

/** Where named parameters are kept: a file, or the Parameter Store of SSM. */
export interface ParameterPort {
  /**
   * What exists of these; what does not is left out.
   *
   * @throws ParameterStoreError when the store cannot be asked
   */
  read(wanted: readonly ParameterWanted[]): Promise<readonly NamedParameter[]>;
}

/** The store did not answer; the message says why and holds no value. */
export class ParameterStoreError extends Error {}

/** Whether a parameter is the one that was asked for. */
export const isWanted = (found: NamedParameter, { name, version }: ParameterWanted): boolean =>
  found.name === name && (version === null || version === found.version);
