import type { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import type { CodeChannel, StepUpConfirmation, StepUpMethod } from '@deviceportal/contract/step-up';
import type { StepUpAnswer } from '@deviceportal/identity/step-up-codes';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { storeStepUp } from './data/step-up-queries.ts';
import { findMethods, type UsableMethod } from './find-methods.ts';
import { tooMany } from './send-step-up-code.ts';
import { sessionKeyOf } from './session-key.ts';
import type { StepUpDeps } from './step-up-deps.ts';

/**
 * Confirms the session of the call by a code that was sent to the user.
 *
 * @throws PortalError 3001 for an incorrect or ended code; 1000 if the channel cannot be used now, for too many
 * attempts, or for a locked account
 */
export async function confirmByCode(
  deps: StepUpDeps,
  caller: Caller,
  { channel, code }: { readonly channel: CodeChannel; readonly code: string },
): Promise<StepUpConfirmation> {
  const used = await requireUsable(deps, caller, channel);
  const answer = await deps.stepUpCodes.check({
    person: caller.viewer.subject,
    session: sessionKeyOf(caller.viewer),
    code,
    guess: guessOf(deps, caller, used),
  });
  return conclude(deps, caller, { method: channel, answer });
}

/**
 * Confirms the session of the call by the user's authenticator app.
 * @throws PortalError as `confirmByCode`
 */
export async function confirmByApp(
  deps: StepUpDeps,
  caller: Caller,
  { code }: { readonly code: string },
): Promise<StepUpConfirmation> {
  const used = await requireUsable(deps, caller, 'app');
  if (deps.stepUpApp === undefined) throw refuse('step-up-method-unavailable');
  const guess = guessOf(deps, caller, used);
  const answer = await deps.stepUpApp.check(caller.viewer.subject, code, guess);
  return conclude(deps, caller, { method: 'app', answer });
}

/**
 * Confirms the session of the call by a passkey of the user.
 * @throws PortalError 3001 for a signature that is not valid; 1000 as `confirmByCode`
 */
export async function confirmByPasskey(
  deps: StepUpDeps,
  caller: Caller,
  sent: { readonly credential: unknown; readonly binding: string },
): Promise<StepUpConfirmation> {
  const used = await requireUsable(deps, caller, 'passkey');
  const { viewer, address, requestId, userAgent } = caller;
  const owner = accountOf(caller, used);
  const answer = await deps.stepUpPasskeys.check({
    ...{ person: viewer.subject, session: sessionKeyOf(viewer), ...sent },
    caller: { owner, address, requestId, userAgent },
  });
  return conclude(deps, caller, { method: 'passkey', answer });
}

async function requireUsable(
  deps: StepUpDeps,
  { viewer }: Caller,
  method: StepUpMethod,
): Promise<UsableMethod> {
  const { methods } = await findMethods(deps, viewer);
  const found = methods.find((each) => each.method === method);
  if (found === undefined) throw refuse('step-up-method-unavailable');
  return found;
}

/** Counted with the incorrect codes of sign-ins, which lock an account. Accounts elsewhere are not locked here. */
function guessOf({ findVerifiedContacts }: StepUpDeps, caller: Caller, used: UsableMethod) {
  return {
    account: findVerifiedContacts === undefined ? undefined : accountOf(caller, used),
    name: caller.viewer.username,
    address: caller.address,
    requestId: caller.requestId,
  };
}

const accountOf = (
  { viewer: { subject: id, username } }: Caller,
  { destination }: UsableMethod,
) => ({ id, username, contact: destination, locale: undefined, timeZone: undefined });

/** Records the outcome. Attempts over the limit are not checked, and not recorded. */
async function conclude(
  { database }: StepUpDeps,
  caller: Caller,
  { method, answer }: { readonly method: StepUpMethod; readonly answer: StepUpAnswer },
): Promise<StepUpConfirmation> {
  if (answer.kind === 'too-many') throw tooMany(answer);
  const { viewer, requestId } = caller;
  const isRight = answer.kind === 'right';
  const until = await inTransaction(database, async (tx) => {
    await recordAudit(tx, [
      {
        type: isRight ? 'access.step-up-confirmed' : 'access.step-up-failed',
        actor: actorOf(viewer, caller),
        requestId,
        data: { method, ...(!isRight && { reason: answer.kind }) },
      },
    ]);
    if (!isRight) return undefined;
    return storeStepUp(tx, { sessionKey: sessionKeyOf(viewer), userId: viewer.userId, method });
  });
  if (until === undefined) throw refusalOf(answer, method);
  return { until: until.toISOString() };
}

function refusalOf(answer: StepUpAnswer, method: StepUpMethod): PortalError {
  if (answer.kind === 'locked') return refuse('step-up-locked');
  if (method === 'passkey') return refuse('step-up-passkey-refused');
  if (answer.kind !== 'wrong') return refuse('step-up-code-ended');
  if (method === 'app') return refuse('step-up-number-wrong');
  return refuse('step-up-code-wrong', { facts: { attemptsLeft: answer.attemptsLeft } });
}
