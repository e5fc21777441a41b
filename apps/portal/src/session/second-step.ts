/** The provider’s code if a second factor is required or must be set up. */
const SECOND_STEP = 1636;
const SET_UP = 1635;

/** Names of the methods at the provider. */
const METHODS = ['PASSKEY', 'OTP', 'SMS', 'EMAIL', 'FACE'] as const;
export type SecondStepMethod = (typeof METHODS)[number];

/** A sign-in whose first factor is verified. */
export class SecondStepNeeded extends Error {
  /** The token for the second factor, valid for some minutes. */
  readonly mfaToken: string;
  /** The user has no second factor yet and must set one up. */
  readonly isSetUp: boolean;
  /** Offered methods, the preferred one first. */
  readonly methods: readonly SecondStepMethod[];
  /** The masked contact details of the account. */
  readonly email: string;
  readonly phone: string;

  constructor(
    facts: Pick<SecondStepNeeded, 'email' | 'isSetUp' | 'methods' | 'mfaToken' | 'phone'>,
    cause: unknown,
  ) {
    super('A second step is needed.', { cause });
    this.mfaToken = facts.mfaToken;
    this.isSetUp = facts.isSetUp;
    this.methods = facts.methods;
    this.email = facts.email;
    this.phone = facts.phone;
  }
}

/** The second factor that an error of the provider asks for. Undefined for any other error. */
export function secondStepOf(error: unknown): SecondStepNeeded | undefined {
  if (error instanceof SecondStepNeeded) return error;
  const { code, data } = recordOf(error);
  if (code !== SECOND_STEP && code !== SET_UP) return undefined;
  const hints = recordOf(data);
  const { email, mfaToken, phone } = hints;
  if (typeof mfaToken !== 'string') return undefined;
  return new SecondStepNeeded(
    {
      mfaToken,
      isSetUp: code === SET_UP,
      methods: methodsIn(hints),
      email: typeof email === 'string' ? email : '',
      phone: typeof phone === 'string' ? phone : '',
    },
    error,
  );
}

/** Defaults to an app, which every provider supports. */
function methodsIn({ applicationMfa }: Readonly<Record<string, unknown>>): SecondStepMethod[] {
  const named = Array.isArray(applicationMfa)
    ? applicationMfa.map((each) => recordOf(each)['mfaPolicy'])
    : [];
  const known = METHODS.filter((method) => named.includes(method));
  return known.length === 0 ? ['OTP'] : known;
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
