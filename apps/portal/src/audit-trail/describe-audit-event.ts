import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import { isPlainName, toPlainName } from '@deviceportal/contract/plain-name';

/** One event as text for a ticket. Times are UTC. */
export function describeAuditEvent(
  event: AuditEvent,
  words: { readonly sentence: string; readonly actor: string; readonly url: string },
): string {
  const address = event.actor.address === null ? '' : ` from ${event.actor.address}`;
  return [
    toPlainName(words.sentence),
    `Time:       ${event.at}`,
    `Event:      ${event.type}`,
    `Device:     ${event.serialNumber ?? event.deviceName ?? event.deviceId ?? '-'}`,
    `By:         ${words.actor}${address}`,
    ...Object.entries(event.data).map(
      ([name, value]) => `${`${toPlainName(name)}:`.padEnd(12)}${onOneLine(value)}`,
    ),
    `Request:    ${event.requestId ?? '-'}`,
    `Reference:  ${event.id}`,
    `Link:       ${words.url}`,
  ].join('\n');
}

/** Removes line breaks, because data of a device could otherwise forge a line. */
function onOneLine(value: unknown): string {
  const isPlain = typeof value === 'string' && isPlainName(value);
  return isPlain ? value : toPlainName(JSON.stringify(value));
}

/** A page of events as text, one line each. */
export function describeAuditEvents(
  events: readonly AuditEvent[],
  sentence: (event: AuditEvent) => string,
  url: string,
): string {
  const lines = events.map(
    (event) => `${event.at}  ${toPlainName(sentence(event))}  [${event.requestId ?? event.id}]`,
  );
  return [...lines, url].join('\n');
}
