import type { AuditEvent } from '@deviceportal/contract/audit-trail';

/** One event for a ticket. Times are UTC, so that it reads the same everywhere. */
export function describeAuditEvent(
  event: AuditEvent,
  words: { readonly sentence: string; readonly actor: string; readonly url: string },
): string {
  const address = event.actor.address === null ? '' : ` from ${event.actor.address}`;
  return [
    words.sentence,
    `Time:       ${event.at}`,
    `Event:      ${event.type}`,
    `Device:     ${event.serialNumber ?? event.deviceName ?? event.deviceId ?? '-'}`,
    `By:         ${words.actor}${address}`,
    ...Object.entries(event.data).map(
      ([name, value]) =>
        `${`${name}:`.padEnd(12)}${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
    `Request:    ${event.requestId ?? '-'}`,
    `Reference:  ${event.id}`,
    `Link:       ${words.url}`,
  ].join('\n');
}

/** A page of events, one line each. */
export function describeAuditEvents(
  events: readonly AuditEvent[],
  sentence: (event: AuditEvent) => string,
  url: string,
): string {
  const lines = events.map(
    (event) => `${event.at}  ${sentence(event)}  [${event.requestId ?? event.id}]`,
  );
  return [...lines, url].join('\n');
}
