import { STEP_UP_NEW_METHOD_WAIT_MS } from '@deviceportal/contract/constants';
import type { CodeChannel, StepUpHindrance, StepUpMethod } from '@deviceportal/contract/step-up';
import type { CodeDestination } from '@deviceportal/identity/code-destination';
import { findContactTimes } from '../access/data/contact-times.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { StepUpDeps } from './step-up-deps.ts';

/** A method that a user can use now. */
export interface UsableMethod {
  readonly method: StepUpMethod;
  /** Undefined for methods that send no code. */
  readonly destination: CodeDestination | undefined;
}

export interface FoundMethods {
  readonly methods: readonly UsableMethod[];
  readonly hindrances: readonly StepUpHindrance[];
}

/**
 * The methods of a user, the strongest first. An app or address that is newer than a day is left out:
 * an attacker with a stolen session could have set it up. A passkey is added only shortly after a sign-in.
 */
export async function findMethods(deps: StepUpDeps, viewer: Viewer): Promise<FoundMethods> {
  const hindrances: StepUpHindrance[] = [];
  const [hasPasskey, app] = await Promise.all([
    deps.stepUpPasskeys.has(viewer.subject),
    findApp(deps, viewer, hindrances),
  ]);
  const strong: UsableMethod[] = [
    ...(hasPasskey ? [{ method: 'passkey' as const, destination: undefined }] : []),
    ...app,
  ];
  if (deps.codeRule === 'never' || (deps.codeRule === 'fallback' && strong.length > 0)) {
    if (strong.length === 0) hindrances.push({ reason: 'codes-off', until: null });
    return { methods: strong, hindrances };
  }
  return { methods: [...strong, ...(await findCodes(deps, viewer, hindrances))], hindrances };
}

async function findApp(
  { clock, stepUpApp }: StepUpDeps,
  viewer: Viewer,
  hindrances: StepUpHindrance[],
): Promise<UsableMethod[]> {
  const setUpAt = await stepUpApp?.findSetUpAt(viewer.subject);
  if (setUpAt === undefined) return [];
  const until = restsUntil(setUpAt, clock());
  if (until === undefined) return [{ method: 'app', destination: undefined }];
  hindrances.push({ reason: 'app-new', until: until.toISOString() });
  return [];
}

async function findCodes(
  deps: StepUpDeps,
  viewer: Viewer,
  hindrances: StepUpHindrance[],
): Promise<UsableMethod[]> {
  const [times, verified] = await Promise.all([
    findContactTimes(deps.database.orm, viewer.userId),
    // Another provider states it in the token.
    deps.findVerifiedContacts === undefined
      ? viewer.verified
      : deps.findVerifiedContacts(viewer.subject),
  ]);
  const isVerified = (to: string, at: string | null | undefined): boolean =>
    at?.toLowerCase() === to.toLowerCase();
  const read = (channel: CodeChannel, to: string | null, changedAt: Date | null) => {
    if (to === null || !deps.codeChannels.includes(channel)) return [];
    const until = changedAt === null ? undefined : restsUntil(changedAt, deps.clock());
    if (until !== undefined) {
      hindrances.push({ reason: 'contact-changed', until: until.toISOString() });
      return [];
    }
    if (isVerified(to, channel === 'email' ? verified?.email : verified?.phone)) {
      return [{ method: channel, destination: { channel, to } }];
    }
    hindrances.push({ reason: 'contact-unverified', until: null });
    return [];
  };
  const methods = [
    ...read('email', times.email, times.emailChangedAt),
    ...read('sms', times.phone, times.phoneChangedAt),
  ];
  if (methods.length === 0 && hindrances.length === 0) {
    hindrances.push({ reason: 'no-contact', until: null });
  }
  return methods;
}

/** Undefined if it is old enough. */
function restsUntil(since: Date, now: Date): Date | undefined {
  const until = new Date(since.getTime() + STEP_UP_NEW_METHOD_WAIT_MS);
  return until > now ? until : undefined;
}
