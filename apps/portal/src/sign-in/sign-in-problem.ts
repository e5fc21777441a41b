import { isIdentityError } from '../session/authing/is-identity-error.ts';
import { SignInError } from '../session/sign-in-error.ts';

/** Kinds of problems, with the messages `signIn.problem.{kind}.title` and `.next`. */
export type ProblemKind =
  | 'noUser'
  | 'notAuthorized'
  | 'suspended'
  | 'notReady'
  | 'needsAddress'
  | 'wrongCode'
  | 'tooManyTries'
  | 'tookTooLong'
  | 'refusedAddress'
  | 'limit'
  | 'locked'
  | 'offline'
  | 'noConnection'
  | 'service'
  | 'unknown';

export interface SignInProblem {
  readonly kind: ProblemKind;
  /** `field` is shown at the input, `card` above the form. */
  readonly place: 'field' | 'card';
  /** Another attempt is rejected until then. Milliseconds since 1970. */
  readonly waitUntilMs?: number;
  /** The exception of a failing service, for support. */
  readonly service?: string;
}

export interface ProblemFacts {
  readonly step: 'identifier' | 'code';
  readonly online: boolean;
  readonly nowMs: number;
}

const LIMITS = new Set(['TooManyRequestsException', 'LimitExceededException']);
const NOT_READY = new Set(['UserNotConfirmedException', 'PasswordResetRequiredException']);
const TOO_MANY_REQUESTS = 429;
const DEFAULT_WAIT_MS = 60_000;

/** The code has expired, so a new one is needed. */
export const endsSignIn = ({ kind }: SignInProblem): boolean =>
  kind === 'tooManyTries' || kind === 'tookTooLong' || kind === 'noUser' || kind === 'suspended';

/** The problem with the current time and browser state. */
export const problemNow = (error: unknown, step: ProblemFacts['step']): SignInProblem =>
  signInProblem(error, { step, online: navigator.onLine, nowMs: Date.now() });

/**
 * The problem of a failed sign-in step, from the code of the catalog or from the provider’s own
 * error.
 */
export function signInProblem(error: unknown, facts: ProblemFacts): SignInProblem {
  const source = error instanceof SignInError ? (error.cause ?? error) : error;
  const named = error instanceof SignInError ? problemOfCode(error, facts.step) : undefined;
  return named ?? problemOfSource(source, facts);
}

function problemOfCode(
  { code }: SignInError,
  step: ProblemFacts['step'],
): SignInProblem | undefined {
  if (code === 3000) return { kind: 'noUser', place: step === 'identifier' ? 'field' : 'card' };
  if (code === 3001) return { kind: 'wrongCode', place: 'field' };
  // When a code is submitted, the pool returns the same rejection after too many attempts.
  if (code === 3002)
    return { kind: step === 'code' ? 'tooManyTries' : 'notAuthorized', place: 'card' };
  if (code === 3003) return { kind: 'tookTooLong', place: 'card' };
  return undefined;
}

function problemOfSource(source: unknown, { online, nowMs }: ProblemFacts): SignInProblem {
  const { name, message } = source instanceof Error ? source : { name: '', message: '' };
  const isAuthing = isIdentityError(source);
  if (/\b(attempts exceeded|locked)\b/i.test(message))
    return { kind: 'locked', place: 'card', waitUntilMs: nowMs + waitMsOf(message) };
  if (LIMITS.has(name) || (isAuthing && source.code === TOO_MANY_REQUESTS))
    return { kind: 'limit', place: 'card', waitUntilMs: nowMs + waitMsOf(message) };
  if (name === 'NotAuthorizedException' && /disabled/i.test(message))
    return { kind: 'suspended', place: 'card' };
  if (NOT_READY.has(name)) return { kind: 'notReady', place: 'card' };
  if (isUnreachable(source)) return { kind: online ? 'noConnection' : 'offline', place: 'card' };
  if (/address or number was refused/i.test(message))
    return { kind: 'refusedAddress', place: 'card' };
  if (name.endsWith('Exception')) return { kind: 'service', place: 'card', service: name };
  if (isAuthing) return { kind: 'service', place: 'card', service: String(source.code) };
  return { kind: 'unknown', place: 'card' };
}

/** The provider’s text contains the wait: `… try again in 240 s.` */
function waitMsOf(message: string): number {
  const [, amount, unit = 's'] = /(\d+)\s*(s|sec|min|h)/i.exec(message) ?? [];
  const unitMs = { h: 3_600_000, m: 60_000 }[unit[0]?.toLowerCase() ?? ''] ?? 1_000;
  return amount === undefined ? DEFAULT_WAIT_MS : Number(amount) * unitMs;
}

function isUnreachable(source: unknown): boolean {
  if (isIdentityError(source)) return source.source === 'network';
  // The library’s name for a request without a response. `fetch` itself throws a TypeError.
  const name = source instanceof Error ? source.name : '';
  return ['NetworkError', 'TypeError', 'TimeoutError', 'AbortError'].includes(name);
}
