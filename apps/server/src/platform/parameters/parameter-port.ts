/** A named value outside the portal: the parameters of docs/design/portal.md, section 6. */
export interface NamedParameter {
  readonly name: string;
  readonly version: number;
  /** `SecureString` values are masked everywhere. */
  readonly type: 'String' | 'StringList' | 'SecureString';
  /** A list is one comma-separated text, as in SSM. */
  readonly value: string;
}

export interface ParameterWanted {
  readonly name: string;
  /** Null for the latest version. */
  readonly version: number | null;
}

/** A source of named parameters: a file, or the Parameter Store of SSM. */
export interface ParameterPort {
  /**
   * Reads parameters. Those that do not exist are omitted.
   *
   * @throws ParameterStoreError if the store is unavailable
   */
  read(wanted: readonly ParameterWanted[]): Promise<readonly NamedParameter[]>;
}

/** The store is unavailable. The message contains the reason and no values. */
export class ParameterStoreError extends Error {}

/** Whether a parameter is the requested one. */
export const isWanted = (found: NamedParameter, { name, version }: ParameterWanted): boolean =>
  found.name === name && (version === null || version === found.version);
