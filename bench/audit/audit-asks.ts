import { hash } from 'node:crypto';
import { auditFilterSchema, type AuditFilter } from '@deviceportal/contract/audit-trail';

/** Devices in generated trails. */
export const AUDIT_DEVICES = 20_000;
/** Users in generated trails. */
export const AUDIT_USERS = 77;

const DAY_MS = 86_400_000;
const before = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
const uuidOf = (text: string): string =>
  hash('md5', text).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const everything = auditFilterSchema.parse({});
type Ask = (n: number) => Partial<AuditFilter>;

/**
 * Every kind of question on a generated trail, by title; the number selects what is asked for.
 *
 * @param days age of the days that are asked for
 */
export function auditAsks(days: number): Readonly<Record<string, (n: number) => AuditFilter>> {
  const asks: Readonly<Record<string, Ask>> = {
    'the newest': () => ({}),
    'a day': (n) => ({ range: { from: before(days + (n % 20)), to: before(days - 1 + (n % 20)) } }),
    'a device': (n) => ({ deviceId: uuidOf(`d${n % AUDIT_DEVICES}`) }),
    'a device and a group of types': (n) => ({
      deviceId: uuidOf(`d${n % AUDIT_DEVICES}`),
      types: ['command.*'],
    }),
    'a type': () => ({ types: ['command.requested'] }),
    'a group of types': () => ({ types: ['command.*'] }),
    'types of devices': () => ({ types: ['device-event.*'] }),
    'a type there is not': () => ({ types: ['document.rejected'] }),
    'a person': (n) => ({ actorId: hash('md5', `u${n % AUDIT_USERS}`) }),
    'a kind of actor': () => ({ actorKind: 'user' }),
    'a case': (n) => ({ caseId: uuidOf(`c${(n % 5) * 1000}`) }),
    'a request': (n) => ({ requestId: `r-${n * 100}` }),
    'a run': (n) => ({ runId: uuidOf(`r${n}`) }),
    'an address': (n) => ({ address: `192.0.2.${n % 251}` }),
    'what went wrong': () => ({ result: 'failure' }),
    'what went wrong on a device': (n) => ({
      result: 'failure',
      deviceId: uuidOf(`d${n % AUDIT_DEVICES}`),
    }),
    'a word': () => ({ text: 'disk' }),
    'a word there is not': () => ({ text: 'quuxly' }),
  };
  return Object.fromEntries(
    Object.entries(asks).map(([title, ask]) => [
      title,
      (n: number) => ({ ...everything, ...ask(n) }),
    ]),
  );
}
