import { canonicalSha256 } from '@deviceportal/command-signing/canonical-json';
import { refuse } from '@deviceportal/contract/refuse';
import type { OpenSchedule } from './open-schedule.ts';
import { authorizedSchedule } from './schedule-authorization.ts';

/** What a signature of a schedule would cover, as a person is shown it. */
export interface ShownAuthorization {
  /** Over all facts, in one form only. */
  readonly sha256: string;
  /** A digest of each fact, by its name: they tell which ones have changed. */
  readonly facts: Readonly<Record<string, string>>;
}

/** Secret values go in as they are stored, encrypted: their own digest would let them be guessed. */
export function shownAuthorization({ stored, resolved }: OpenSchedule): ShownAuthorization {
  const { facts } = authorizedSchedule(stored, resolved, {});
  const signed = { ...facts(''), parameters: stored.parameters };
  const digests = Object.entries(signed).map(([name, fact]) => [name, canonicalSha256(fact)]);
  return { sha256: canonicalSha256(signed), facts: Object.fromEntries(digests) };
}

/**
 * A person signs what they were shown, or nothing.
 *
 * @throws PortalError 2004; facts say why (`reason`)
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
