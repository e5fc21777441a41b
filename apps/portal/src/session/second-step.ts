/** What the provider answers where more is asked of somebody: a second factor, or that one is set up first. */
const SECOND_STEP = 1636;
const SET_UP = 1635;

/** By their names at the provider. */
const METHODS = ['OTP', 'SMS', 'EMAIL', 'FACE'] as const;
export type SecondStepMethod = (typeof METHODS)[number];

/** A sign-in whose first step is done. */
export class SecondStepNeeded extends Error {
  /** The token of the second one, good for some minutes. */
  readonly mfaToken: string;
  /** The person has no second step yet, and sets one up. */
  readonly isSetUp: boolean;
  /** What is offered, the first of it first. */
  readonly methods: readonly SecondStepMethod[];
  /** The account's own, in part. */
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

/** The second step that a provider's refusal asks for; undefined for any other error. */
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

/** An app is what every provider of the contract knows: it is asked for where nothing else is said. */
function methodsIn({ applicationMfa }: Readonly<Record<string, unknown>>): SecondStepMethod[] {
  const named = Array.isArray(applicationMfa)
    ? applicationMfa.map((each) => recordOf(each)['mfaPolicy'])
    : [];
  const known = METHODS.filter((method) => named.includes(method));
  return known.length === 0 ? ['OTP'] : known;
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
