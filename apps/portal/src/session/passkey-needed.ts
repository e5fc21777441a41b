/** A sign-in whose code is verified, and that a passkey or a recovery code completes. */
export class PasskeyNeeded extends Error {
  /** `PublicKeyCredentialRequestOptionsJSON`. */
  readonly options: string;
  /** Null for the first try. */
  readonly attemptsLeft: number | null;

  constructor(options: string, attemptsLeft: number | null) {
    super('A passkey is needed.');
    this.options = options;
    this.attemptsLeft = attemptsLeft;
  }
}

const MOST_TRIES = 3;

/** The passkey that a custom challenge of the embedded user pool asks for. Undefined for a code. */
export function passkeyNeededOf(
  parameters: Readonly<Record<string, string>> | undefined,
): PasskeyNeeded | undefined {
  const { type, options } = parameters ?? {};
  if (type !== 'PASSKEY' || options === undefined) return undefined;
  const left = Number(parameters?.['attemptsLeft']);
  return new PasskeyNeeded(options, left < MOST_TRIES ? left : null);
}
