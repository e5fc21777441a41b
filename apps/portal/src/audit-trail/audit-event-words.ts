import type { AuditActor, AuditEvent } from '@deviceportal/contract/audit-trail';
import type { MessageKey } from '../i18n/message-key.ts';
import type { Translate } from '../i18n/use-t.ts';
import { auditDetails, type DetailWords } from './audit-event-details.ts';

/** The name of an event type. Types defined by devices stay as they are, without the prefix. */
export function auditTypeWords(type: string, t: Translate): string {
  const key = `auditTrail.type.${type}` as MessageKey;
  const words = t(key);
  return words === key ? type.replace(/^device-event\./, '') : words;
}

export function actorWords(actor: AuditActor, t: Translate): string {
  // A client with an access key has the kind `system` and its own name.
  return actor.kind === 'system' && actor.id === null ? t('auditTrail.actor.system') : actor.name;
}

/** Fields that only link an event to its journal. The panel shows them. */
const bookkeeping: ReadonlySet<string> = new Set([
  'seq',
  'instanceId',
  'deviceTime',
  'occurredAt',
  'runId',
  'invocationId',
]);
const LIMIT = 160;

/** The data of an event on one line. */
function auditDataWords(data: AuditEvent['data']): string {
  const text = Object.entries(data)
    .filter(([name, value]) => value !== null && value !== '' && !bookkeeping.has(name))
    .map(
      ([name, value]) =>
        `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
    )
    .join(' · ');
  return text.length > LIMIT ? `${text.slice(0, LIMIT)}…` : text;
}

/** An event as one sentence: "ana ran restart/agent on SN10000037". */
export function auditSentence(event: AuditEvent, t: Translate, words: DetailWords): string {
  const reason = reasonWords(event.data['reason'], t);
  const values = {
    actor: actorWords(event.actor, t),
    device: event.serialNumber ?? event.deviceName ?? event.deviceId ?? '-',
    hasDevice: event.deviceId === null ? 'no' : 'yes',
    command: commandOf(event, t),
    document: textOf(event.data['document'], '-'),
    reason: reason === '' ? '' : t('auditTrail.because', { reason }),
    details: auditDetails(event, words) || auditDataWords(event.data) || '-',
  };
  const key = `auditTrail.sentence.${event.type}` as MessageKey;
  const sentence = t(key, values);
  if (sentence !== key) return sentence;
  return t('auditTrail.sentence.other', { device: values.device, details: values.details });
}

/** The command `document` runs any document, so the name of the document is shown instead. */
function commandOf({ command, data }: AuditEvent, t: Translate): string {
  const name = data['command'] ?? command;
  return textOf(name === 'document' ? data['document'] : name, t('auditTrail.theCommand'));
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

/** A reason is a code of the gateway, or text that a user entered. */
function reasonWords(reason: unknown, t: Translate): string {
  if (typeof reason !== 'string' || reason === '') return '';
  const key = `auditTrail.reason.${reason}` as MessageKey;
  const words = t(key);
  return words === key ? reason : words;
}
