import { refuse } from '@deviceportal/contract/refuse';
import type { CodeChannel, SentStepUpCode } from '@deviceportal/contract/step-up';
import { maskDestination, type CodeDestination } from '@deviceportal/identity/code-destination';
import type { Caller } from '../platform/viewer.ts';
import { findMethods } from './find-methods.ts';
import { sessionKeyOf } from './session-key.ts';
import type { StepUpDeps } from './step-up-deps.ts';

/**
 * Sends a code that confirms the session of the call.
 *
 * @throws PortalError 1000 if the channel cannot be used now, for too many codes, or if the code could not be sent
 */
export async function sendStepUpCode(
  deps: StepUpDeps,
  { viewer, address, userAgent }: Caller,
  { channel }: { readonly channel: CodeChannel },
): Promise<SentStepUpCode> {
  const destination = await requireDestination(deps, viewer, channel);
  const sent = await deps.stepUpCodes.send({
    person: viewer.subject,
    session: sessionKeyOf(viewer),
    destination,
    askedFrom: { address, userAgent },
  });
  if (sent.kind === 'too-many') throw tooMany(sent);
  if (sent.kind === 'not-delivered') throw refuse('step-up-code-not-sent', { cause: sent.cause });
  return {
    destination: maskDestination(destination),
    expiresAt: sent.expiresAt.toISOString(),
    resendAfter: sent.resendAfter.toISOString(),
  };
}

/** @throws PortalError 1000 */
async function requireDestination(
  deps: StepUpDeps,
  viewer: Caller['viewer'],
  channel: CodeChannel,
): Promise<CodeDestination> {
  const { methods } = await findMethods(deps, viewer);
  const found = methods.find(({ method }) => method === channel)?.destination;
  if (found === undefined) throw refuse('step-up-method-unavailable');
  return found;
}

export function tooMany({ waitMs }: { readonly waitMs: number }) {
  return refuse('step-up-too-many', {
    facts: { seconds: Math.ceil(waitMs / 1_000) },
    httpStatus: 429,
  });
}
