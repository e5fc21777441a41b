import { randomInt } from 'node:crypto';
import {
  LOGIN_CODE_RESEND_MS,
  LOGIN_CODE_TRIES,
  LOGIN_CODE_VALIDITY_MS,
} from '@deviceportal/contract/constants';
import { newId } from '@deviceportal/contract/ids';
import type { Clock } from '../clock.ts';
import type { Messenger } from '../messenger.ts';
import { sameBytes, type SecretHash } from '../secrets/secret-hash.ts';
import type { Queryable } from '../store/in-transaction.ts';
import {
  areTriesUsedUp,
  closeLoginCode,
  findOpenLoginCode,
  insertLoginCode,
  takeLoginCodeTry,
  type LoginCode,
} from '../store/login-code-store.ts';
import { PERSON_RULES, type RateLimitRule, type RateLimits } from '../user-pool/rate-limits.ts';
import {
  ChallengeDeliveryError,
  ChallengeEndedError,
  ChallengeLimitError,
  type ChallengeRound,
  type ChallengeTriggers,
  type CreateAuthChallengeEvent,
  type DefineAuthChallengeEvent,
  type VerifyAuthChallengeEvent,
} from './challenge-triggers.ts';
import { codeDestination, maskDestination, type CodeDestination } from './code-destination.ts';
import { loginCodeText } from './login-code-text.ts';

const CODE_DIGITS = 6;
const METADATA_PREFIX = 'CODE-';
const SPACING_RULE: RateLimitRule = {
  name: 'send-spacing-by-person',
  hits: 1,
  windowMs: LOGIN_CODE_RESEND_MS,
};

export interface OneTimeCodeOptions {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly hash: SecretHash;
  readonly limits: RateLimits;
  readonly messenger: Messenger;
}

/**
 * The portal's one-time code as challenge triggers (decisions, section 8): a code of six digits by e-mail or SMS, valid
 * 3 min, 3 tries. The rounds of one code share it through `challengeMetadata`. The metadata `{ resend: 'true' }` of an
 * answer asks for a new code instead of checking the answer; the older code is void then.
 */
export function createOneTimeCode(options: OneTimeCodeOptions): ChallengeTriggers {
  return {
    defineAuthChallenge: async (event) => ({ ...event, response: await define(options, event) }),
    createAuthChallenge: async (event) => ({ ...event, response: await create(options, event) }),
    verifyAuthChallengeResponse: async (event) => ({
      ...event,
      response: { answerCorrect: await verify(options, event) },
    }),
  };
}

type ChallengeEvent =
  | DefineAuthChallengeEvent
  | CreateAuthChallengeEvent
  | VerifyAuthChallengeEvent;

function wantsResend(event: ChallengeEvent): boolean {
  return event.request.clientMetadata?.['resend'] === 'true';
}

async function define(
  options: OneTimeCodeOptions,
  event: DefineAuthChallengeEvent,
): Promise<DefineAuthChallengeEvent['response']> {
  const { session, userNotFound } = event.request;
  if (session.at(-1)?.challengeResult === true) {
    return { issueTokens: true, failAuthentication: false };
  }
  const codeId = codeIdOf(session);
  const isOver =
    userNotFound === true ||
    (codeId !== undefined && !wantsResend(event) && (await areTriesUsedUp(options.db, codeId)));
  return isOver
    ? { issueTokens: false, failAuthentication: true }
    : { challengeName: 'CUSTOM_CHALLENGE', issueTokens: false, failAuthentication: false };
}

/** The code of the last round. */
function codeIdOf(session: readonly ChallengeRound[]): string | undefined {
  const metadata = session.at(-1)?.challengeMetadata;
  return metadata?.startsWith(METADATA_PREFIX) === true
    ? metadata.slice(METADATA_PREFIX.length)
    : undefined;
}

async function create(
  options: OneTimeCodeOptions,
  event: CreateAuthChallengeEvent,
): Promise<CreateAuthChallengeEvent['response']> {
  const attributes = event.request.userAttributes;
  const destination = codeDestination(attributes, event.request.identifier);
  if (destination === undefined) {
    throw new ChallengeDeliveryError('The user has no verified e-mail address or phone number.');
  }
  const current = await currentCode(options, event);
  const code =
    current === undefined || wantsResend(event)
      ? await sendCode(options, { destination, attributes, current })
      : current;
  return describeChallenge(code, destination);
}

async function currentCode(
  options: OneTimeCodeOptions,
  event: CreateAuthChallengeEvent,
): Promise<LoginCode | undefined> {
  const codeId = codeIdOf(event.request.session);
  if (codeId === undefined) return undefined;
  const open = await findOpenLoginCode(options.db, codeId, new Date(options.clock.now()));
  if (open === undefined && !wantsResend(event)) {
    throw new ChallengeEndedError('The code of this sign-in is no longer valid.');
  }
  return open;
}

interface SendInput {
  readonly destination: CodeDestination;
  readonly attributes: Readonly<Record<string, string>>;
  readonly current: LoginCode | undefined;
}

async function sendCode(options: OneTimeCodeOptions, input: SendInput): Promise<LoginCode> {
  const sub = input.attributes['sub'] ?? '';
  const waitMs = await countSending(options, sub);
  if (waitMs > 0) {
    // In the middle of a sign-in an early wish for another code leaves the present one as it is.
    if (input.current !== undefined) return input.current;
    throw new ChallengeLimitError(waitMs);
  }
  const digits = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  const nowMs = options.clock.now();
  const codeId = newId(nowMs);
  const code: LoginCode = {
    codeId,
    sub,
    codeHash: options.hash('login-code', codeId, digits),
    channel: input.destination.channel,
    triesLeft: LOGIN_CODE_TRIES,
    sentAt: new Date(nowMs),
    expiresAt: new Date(nowMs + LOGIN_CODE_VALIDITY_MS),
  };
  await insertLoginCode(options.db, code);
  await deliver(options, { ...input, sub, digits });
  return code;
}

async function countSending({ limits }: OneTimeCodeOptions, sub: string): Promise<number> {
  const spacingMs = await limits.hit(SPACING_RULE, sub);
  if (spacingMs > 0) return spacingMs;
  const sendMs = await limits.hit(PERSON_RULES.send, sub);
  if (sendMs > 0) await limits.undo(SPACING_RULE, sub);
  return sendMs;
}

async function deliver(
  options: OneTimeCodeOptions,
  input: SendInput & { readonly sub: string; readonly digits: string },
): Promise<void> {
  const { channel, to } = input.destination;
  const message = loginCodeText({
    code: input.digits,
    channel,
    validMinutes: LOGIN_CODE_VALIDITY_MS / 60_000,
    locale: input.attributes['locale'] ?? input.attributes['custom:locale'],
  });
  try {
    await options.messenger.send({ to, channel, code: input.digits, ...message });
  } catch (error) {
    await options.limits.undo(SPACING_RULE, input.sub);
    await options.limits.undo(PERSON_RULES.send, input.sub);
    throw new ChallengeDeliveryError('The code could not be sent.', { cause: error });
  }
}

/** What the browser may know about the code: never the code itself, nor the whole address. Times are ISO 8601. */
function describeChallenge(
  code: LoginCode,
  destination: CodeDestination,
): CreateAuthChallengeEvent['response'] {
  return {
    publicChallengeParameters: {
      medium: code.channel,
      destination: maskDestination(destination),
      codeLength: String(CODE_DIGITS),
      sentAt: code.sentAt.toISOString(),
      expiresAt: code.expiresAt.toISOString(),
      resendAfter: new Date(code.sentAt.getTime() + LOGIN_CODE_RESEND_MS).toISOString(),
      attemptsLeft: String(code.triesLeft),
    },
    privateChallengeParameters: { codeId: code.codeId },
    challengeMetadata: `${METADATA_PREFIX}${code.codeId}`,
  };
}

async function verify(
  options: OneTimeCodeOptions,
  event: VerifyAuthChallengeEvent,
): Promise<boolean> {
  const codeId = event.request.privateChallengeParameters['codeId'];
  if (codeId === undefined || wantsResend(event)) return false;
  const now = new Date(options.clock.now());
  const code = await takeLoginCodeTry(options.db, codeId, now);
  if (code === undefined) return false;
  const answer = onlyDigits(event.request.challengeAnswer);
  if (!sameBytes(options.hash('login-code', codeId, answer), code.codeHash)) return false;
  return closeLoginCode(options.db, codeId, now);
}

/** Codes are pasted as `123-456` or ` 123 456 `, and typed in full-width digits. */
function onlyDigits(answer: string): string {
  return answer.normalize('NFKC').replaceAll(/[\s-]/g, '');
}
