import { canonicalSha256 } from '@deviceportal/command-signing/canonical-json';
import { refuse } from '@deviceportal/contract/refuse';
import type { OpenSchedule } from './open-schedule.ts';
import { authorizedSchedule } from './schedule-authorization.ts';

/** The content of a signature of a schedule, as shown to a user. */
export interface ShownAuthorization {
  /** Of all facts, as canonical JSON. */
  readonly sha256: string;
  /** A digest per fact, to show which ones have changed. */
  readonly facts: Readonly<Record<string, string>>;
}

/** Secret values are included in their encrypted form, because their digests could be used to guess them. */
export function shownAuthorization({ stored, resolved }: OpenSchedule): ShownAuthorization {
  const { facts } = authorizedSchedule(stored, resolved, {});
  const signed = { ...facts(''), parameters: stored.parameters };
  const digests = Object.entries(signed).map(([name, fact]) => [name, canonicalSha256(fact)]);
  return { sha256: canonicalSha256(signed), facts: Object.fromEntries(digests) };
}

/**
 * Requires that a user signs exactly what was shown.
 *
 * @throws PortalError 2004; facts contain the `reason`
 */
export function requireShown(schedule: OpenSchedule, shownSha256: string | null): void {
  if (shownSha256 === shownAuthorization(schedule).sha256) return;
  const isUnseen = shownSha256 === null;
  const reason = isUnseen ? 'schedule-not-shown' : 'schedule-changed';
  throw refuse(reason, {
    field: 'shownSha256',
    facts: { reason, scheduleId: schedule.stored.id },
  });
}
