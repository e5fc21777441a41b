/** What the provider answers where more is asked of somebody: a second factor (1636 at the provider). */
const SECOND_STEP = 1636;

/** A sign-in whose first step is done: the token of the second one, good for some minutes. */
export class SecondStepNeeded extends Error {
  readonly mfaToken: string;

  constructor(mfaToken: string, cause: unknown) {
    super('A second step is needed.', { cause });
    this.mfaToken = mfaToken;
  }
}

/** The second step that a provider's refusal asks for; undefined for any other error. */
export function secondStepOf(error: unknown): SecondStepNeeded | undefined {
  if (error instanceof SecondStepNeeded) return error;
  const { code, data } = (error ?? {}) as { readonly code?: unknown; readonly data?: unknown };
  if (code !== SECOND_STEP || typeof data !== 'object' || data === null) return undefined;
  const { mfaToken } = data as { readonly mfaToken?: unknown };
  return typeof mfaToken === 'string' ? new SecondStepNeeded(mfaToken, error) : undefined;
}
