import { LOGIN_CODE_RESEND_MS, LOGIN_CODE_VALIDITY_MS } from '@deviceportal/contract/constants';
import type { Clock } from '../../clock.ts';
import { CODE_DIGITS, newDigits } from '../../codes/new-digits.ts';
import type { Messenger } from '../../messenger.ts';
import {
  ChallengeDeliveryError,
  ChallengeEndedError,
  ChallengeLimitError,
  ChallengeUnavailableError,
  type ChallengeTriggers,
  type CreateAuthChallengeEvent,
  type DefineAuthChallengeEvent,
  type SignInPlace,
  type TriggerCall,
  type VerifyAuthChallengeEvent,
} from './challenge-triggers.ts';
import type { CodeLedger, OpenCode } from './code-ledger.ts';
import { codeMetadata, codeReferenceOf } from './code-metadata.ts';
import { personOf, recipientOf, type CodeRecipient } from './code-recipient.ts';
import { deliverCode } from './deliver-code.ts';
import { onlyDigits } from './only-digits.ts';
import type { SendLimits } from './send-limits.ts';

export interface OneTimeCodeOptions {
  readonly ledger: CodeLedger;
  readonly limits: SendLimits;
  readonly clock: Clock;
  readonly messenger: Messenger;
  /**
   * True if the pool hides which users exist: unknown users get a challenge that no answer passes.
   */
  readonly hidesUsers: boolean;
  /**
   * Runs a delivery in the background, so that its duration reveals nothing with hidden users. By
   * default, the delivery is awaited.
   */
  readonly inBackground?: (delivery: Promise<void>) => void;
}

/**
 * The portal's one-time code as challenge triggers (docs/design/decisions.md, section 8): a code of six digits by
 * email or SMS, valid for 3 min, with 3 tries. The rounds of one code refer to it in `challengeMetadata`. An answer with
 * the metadata `{ resend: 'true' }` is not checked, but requests a new code, which invalidates the older one. Starting
 * the sign-in again from the same place also invalidates it; starting it elsewhere does not.
 */
export function createOneTimeCode(options: OneTimeCodeOptions): ChallengeTriggers {
  return {
    defineAuthChallenge: (event) => answer(event, () => define(options, event)),
    createAuthChallenge: (event, call) => answer(event, () => create(options, event, call)),
    verifyAuthChallengeResponse: (event) =>
      answer(event, async () => ({ answerCorrect: await verify(options, event) })),
  };
}

async function answer<Event extends { readonly response: unknown }>(
  event: Event,
  work: () => Promise<Event['response']>,
): Promise<Event> {
  try {
    return { ...event, response: await work() };
  } catch (error) {
    const isOurs =
      error instanceof ChallengeLimitError ||
      error instanceof ChallengeEndedError ||
      error instanceof ChallengeDeliveryError;
    if (isOurs) throw error;
    throw new ChallengeUnavailableError('The one-time code is not available.', { cause: error });
  }
}

function wantsResend({
  request,
}: DefineAuthChallengeEvent | CreateAuthChallengeEvent | VerifyAuthChallengeEvent): boolean {
  return request.clientMetadata?.['resend'] === 'true';
}

async function define(
  { ledger, hidesUsers }: OneTimeCodeOptions,
  event: DefineAuthChallengeEvent,
): Promise<DefineAuthChallengeEvent['response']> {
  const { session, userNotFound } = event.request;
  if (session.at(-1)?.challengeResult === true) {
    return { issueTokens: true, failAuthentication: false };
  }
  const reference = codeReferenceOf(session.at(-1));
  const isOver =
    (userNotFound === true && !hidesUsers) ||
    (reference !== undefined &&
      !wantsResend(event) &&
      (await ledger.areTriesUsedUp(reference, session)));
  return isOver
    ? { issueTokens: false, failAuthentication: true }
    : { challengeName: 'CUSTOM_CHALLENGE', issueTokens: false, failAuthentication: false };
}

async function create(
  options: OneTimeCodeOptions,
  event: CreateAuthChallengeEvent,
  call: TriggerCall | undefined,
): Promise<CreateAuthChallengeEvent['response']> {
  const recipient = recipientOf(event, options.hidesUsers);
  if (recipient.destination === undefined && !options.hidesUsers) {
    throw new ChallengeDeliveryError('The user has no verified email address or phone number.');
  }
  const current = await currentCode(options, event);
  const code =
    current === undefined || wantsResend(event)
      ? await sendCode(options, { event, recipient, current, signal: call?.signal })
      : current;
  return describeChallenge(code, recipient);
}

async function currentCode(
  { ledger }: OneTimeCodeOptions,
  event: CreateAuthChallengeEvent,
): Promise<OpenCode | undefined> {
  const { session } = event.request;
  const reference = codeReferenceOf(session.at(-1));
  if (reference === undefined) return undefined;
  // A round that requested another code did not check an answer.
  const tried = wantsResend(event) ? session.slice(0, -1) : session;
  const open = await ledger.find(reference, tried);
  if (open === undefined && !wantsResend(event)) {
    throw new ChallengeEndedError('The code of this sign-in is no longer valid.');
  }
  return open;
}

interface SendInput {
  readonly event: CreateAuthChallengeEvent;
  readonly recipient: CodeRecipient;
  readonly current: OpenCode | undefined;
  readonly signal: AbortSignal | undefined;
}

async function sendCode(options: OneTimeCodeOptions, input: SendInput): Promise<OpenCode> {
  const { limits, ledger } = options;
  const { event, recipient, current } = input;
  const { person, visible, shown } = recipient;
  const { place } = event.request;
  const counted = countedFor(recipient, place);
  const soFar = { current, session: event.request.session };
  const waitMs = await limits.take(counted.visible, soFar);
  if (waitMs > 0) {
    // An early request for another code during a sign-in does not change the current one.
    if (current !== undefined) return ledger.keep(current);
    throw new ChallengeLimitError(waitMs);
  }
  // All names of a user share one limit. With hidden users, reaching it must not be visible.
  const isHeldBack =
    counted.visible !== counted.person && (await limits.take(counted.person, soFar)) > 0;
  const destination = isHeldBack ? undefined : recipient.destination;
  input.signal?.throwIfAborted();
  const digits = newDigits();
  const nowMs = options.clock.now();
  const code = await ledger.open({
    digits: destination === undefined ? undefined : digits,
    subject: destination === undefined ? visible : person,
    place: place?.name,
    replaces: current?.reference,
    sub: destination === undefined ? undefined : event.request.userAttributes['sub'],
    channel: shown.medium,
    sentAt: new Date(nowMs),
    expiresAt: new Date(nowMs + LOGIN_CODE_VALIDITY_MS),
  });
  if (destination === undefined) return code;
  const delivery = deliverCode(options.messenger, {
    destination,
    digits,
    sentAt: code.sentAt,
    expiresAt: code.expiresAt,
    askedFrom: event.request.askedFrom,
    attributes: event.request.userAttributes,
  }).catch(async (error: unknown) => {
    await limits.giveBack(counted.person);
    throw error;
  });
  if (options.hidesUsers && options.inBackground !== undefined) options.inBackground(delivery);
  else await delivery;
  return code;
}

/**
 * The allowance that a code is counted in. A place with an earlier sign-in of the user has a
 * separate one, which requests from elsewhere do not use up; all other places share one. With
 * hidden users, the responses for unknown users depend only on the place.
 */
function countedFor(
  { person, visible }: CodeRecipient,
  place: SignInPlace | undefined,
): { readonly person: string; readonly visible: string } {
  if (place === undefined) return { person, visible };
  const counted = place.isFamiliar ? `${person} at ${place.name}` : person;
  return { person: counted, visible: visible === person ? counted : `${visible} at ${place.name}` };
}

/**
 * Information about a code for the browser: never the code, nor the full address. Times are ISO
 * 8601.
 */
function describeChallenge(
  code: OpenCode,
  { shown }: CodeRecipient,
): CreateAuthChallengeEvent['response'] {
  return {
    publicChallengeParameters: {
      ...shown,
      medium: code.channel,
      codeLength: String(CODE_DIGITS),
      sentAt: code.sentAt.toISOString(),
      expiresAt: code.expiresAt.toISOString(),
      resendAfter: new Date(code.sentAt.getTime() + LOGIN_CODE_RESEND_MS).toISOString(),
      attemptsLeft: String(code.triesLeft),
    },
    privateChallengeParameters: { code: code.reference },
    challengeMetadata: codeMetadata(code.reference),
  };
}

async function verify(
  { ledger }: OneTimeCodeOptions,
  event: VerifyAuthChallengeEvent,
): Promise<boolean> {
  const { privateChallengeParameters, challengeAnswer, userNotFound } = event.request;
  const reference = privateChallengeParameters['code'];
  if (reference === undefined || wantsResend(event)) return false;
  // An unknown user has no correct answer, but takes the same time.
  const digits = userNotFound === true ? 'none' : onlyDigits(challengeAnswer);
  return ledger.check(reference, { digits, subject: personOf(event) });
}
