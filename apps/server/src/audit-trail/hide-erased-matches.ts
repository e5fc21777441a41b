import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import { isPseudonym } from '../personal-data/keys/pseudonym-of.ts';
import { namesIn } from './audit-names.ts';

/**
 * Without events that were found only by the name of an erased person, which stands in clear in events of before there
 * were keys. Of events that name an erased person, those stay that show the text elsewhere.
 */
export function hideErasedMatches(
  events: readonly AuditEvent[],
  text: string,
): readonly AuditEvent[] {
  if (text === '') return events;
  const wanted = text.toLowerCase();
  return events.filter((event) => !namesErased(event) || shows(event, wanted));
}

const namesErased = (event: AuditEvent): boolean =>
  [event.actor.name, ...namesIn(event).map((field) => String(event.data[field]))].some(isPseudonym);

function shows({ type, actor, data, ...event }: AuditEvent, wanted: string): boolean {
  const { deviceName, serialNumber, requestId } = event;
  const texts = [type, actor.name, deviceName, serialNumber, requestId, ...textsIn(data)];
  return texts.some((each) => each?.toLowerCase().includes(wanted));
}

/** Fields and values, at any depth. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) yield String(value);
  else {
    for (const [field, each] of Object.entries(value)) {
      yield field;
      yield* textsIn(each);
    }
  }
}
