import type { AuditEvent } from '@deviceportal/contract/audit-trail';

/** Translations that the details of a sentence need. */
export interface DetailWords {
  readonly number: (value: number) => string;
  readonly list: (items: readonly string[]) => string;
  /** A part that failed the self-check, with the cause. If omitted, as the device reported it. */
  readonly part?: (part: string, fact: string) => string;
  /** The label of an AirBlast step. If omitted, its code. */
  readonly step?: (step: string) => string;
  /**
   * The label of a state: of an invocation (`Success`) or a document (`active`). States of device
   * parts stay as reported.
   */
  readonly state: (kind: 'statusDetails' | 'document' | 'softwareVersion', value: string) => string;
}

type Data = AuditEvent['data'];

/** The part of a sentence that depends on the data of the event. Empty if there are no details. */
export function auditDetails({ type, data }: AuditEvent, words: DetailWords): string {
  return detailsByType[type]?.(data, words) ?? '';
}

const detailsByType: Readonly<Record<string, (data: Data, words: DetailWords) => string>> = {
  'device.updated': (data, words) => words.list(changedFields(data)),
  'device.labels-changed': labelChanges,
  'device.claim-created': (data, words) =>
    typeof data['uses'] === 'number' ? words.number(data['uses']) : '',
  'device.re-enrolment-requested': keyOf,
  'device.re-enrolment-approved': keyOf,
  'device.re-enrolment-rejected': keyOf,
  'device.degraded': (data, words) => words.list(failingParts(data['failing'], words)),
  'device.inventory-changed': (data, words) => words.list(strings(data['changed'])),
  'device.software-changed': (data, words) => words.list(softwareChanges(data['changes'])),
  'device.packages-changed': packageChanges,
  'device.over-limit': (data, words) => words.number(sumOf(data['counts'])),
  'command.finished': commandResult,
  'command.timed-out': commandResult,
  'command.artefact-collected': (data) => plain(data['name'] ?? data['fileName'] ?? data['path']),
  'command.authorization-mismatch': (data, words) =>
    withFact(data['name'], words.list(strings(data['changed']))),
  'schedule.created': schedule,
  'schedule.paused': schedule,
  'schedule.resumed': schedule,
  'schedule.deleted': schedule,
  'schedule.missed': schedule,
  'schedule.refused': (data) => withFact(data['schedule'], plain(data['error'])),
  'document.version-added': (data) => plain(data['version']),
  'document.review-requested': (data) => plain(data['version']),
  'document.review-withdrawn': (data) => plain(data['version']),
  'document.approved': (data) => plain(data['version']),
  'document.rejected': (data) => plain(data['version']),
  'document.version-deprecated': (data) => plain(data['version']),
  'document.tried': (data, words) =>
    data['draft'] === true
      ? withFact(words.state('document', 'draft'), plain(data['model']))
      : plain(data['model']),
  'document.default-changed': (data) => `${plain(data['from']) || '-'} → ${plain(data['to'])}`,
  'document.state-changed': (data, words) =>
    ['from', 'to'].map((name) => words.state('document', plain(data[name]))).join(' → '),
  'case.assigned': (data) => plain(data['username']),
  'air-blast.planned': airBlast,
  'air-blast.plan-edited': airBlast,
  'air-blast.step-started': airBlast,
  'air-blast.step-finished': airBlast,
  'air-blast.step-failed': airBlast,
  'air-blast.wave-opened': airBlast,
  'air-blast.approved': airBlast,
  'air-blast.approval-voided': airBlast,
  'air-blast.rejected': airBlast,
  'air-blast.paused': airBlast,
  'air-blast.resumed': airBlast,
  'air-blast.aborted': airBlast,
  'air-blast.retried': airBlast,
  'air-blast.left-out': airBlast,
  'air-blast.waiting-stopped': airBlast,
  'air-blast.role-assumed': airBlast,
  'air-blast.token-renewed': airBlast,
  'air-blast.offered': airBlast,
  'air-blast.taken-over': airBlast,
  'version.registered': component,
  'version.state-changed': (data, words) =>
    withFact(
      component(data),
      ['from', 'to'].map((name) => words.state('softwareVersion', plain(data[name]))).join(' → '),
    ),
  'version.approval-set': approvalOf,
  'version.approval-withdrawn': approvalOf,
  'version.artefact-added': component,
  'version.changed': component,
  'access.sign-in-refused': reason,
  'access.sign-in-locked': reason,
  'access.account-locked': reason,
  'access.step-up-confirmed': (data) => plain(data['method']),
  'access.step-up-failed': (data) => plain(data['method']),
  'access.user-created': user,
  'access.user-changed': user,
  'access.user-disabled': user,
  'access.user-enabled': user,
  'access.user-unlocked': user,
  'access.user-deleted': user,
  'access.user-signed-out': user,
  'access.group-created': (data) => plain(data['group']),
  'access.group-member-added': (data) => withFact(data['username'], plain(data['group'])),
  'access.group-member-removed': (data) => withFact(data['username'], plain(data['group'])),
  'access.access-key-created': (data) => plain(data['name']),
  'access.access-key-revoked': (data) => plain(data['name']),
  'access.signing-key-rotated': reason,
  'access.device-key-prepared': deviceKey,
  'access.device-key-promoted': deviceKey,
  'access.device-key-expired': deviceKey,
  'access.device-key-withdrawn': deviceKey,
  'access.message-refused': (data) =>
    withFact(data['username'] ?? data['channel'], plain(data['reason'])),
  'access.links-refused': (data, words) => words.number(sumOf(data['counts'])),
  'access.role-created': (data) => plain(data['role']),
  'access.role-edited': roleChange,
  'access.role-deleted': (data) => plain(data['role']),
  'access.user-invited': (data, words) =>
    withFact(data['username'], words.list(strings(data['roles']))),
  'access.user-roles-changed': (data, words) =>
    withFact(data['username'], words.list(additions(data))),
  'access.review-started': (data, words) => words.number(Number(data['lines'])),
  'access.review-decided': (data) =>
    withFact(
      data['apiToken'] ?? data['username'],
      `${plain(data['role'])}, ${plain(data['outcome'])}`,
    ),
  'access.review-closed': (data, words) => words.number(Number(data['removed'])),
  'access.review-exported': (data, words) => words.number(Number(data['lines'])),
  'access.directory-connection-created': (data) => plain(data['connection']),
  'access.directory-connection-changed': (data) => plain(data['connection']),
  'access.directory-token-rotated': (data) => plain(data['connection']),
  'access.directory-connection-revoked': (data) => plain(data['connection']),
  'access.api-token-created': (data) => plain(data['apiToken']),
  'access.api-token-revoked': (data) => plain(data['apiToken']),
  'access.api-token-used-from-new-address': (data) => plain(data['apiToken']),
  'access.application-approved': application,
  'access.application-denied': application,
  'access.user-code-locked': (data, words) => words.number(Number(data['failures'])),
  'access.directory-user-created': user,
  'access.directory-user-changed': user,
  'access.directory-user-removed': user,
  'access.elevation-asked': accessGrant,
  'access.elevation-granted': accessGrant,
  'access.elevation-refused': accessGrant,
  'access.elevation-withdrawn': accessGrant,
  'access.elevation-lapsed': accessGrant,
  'access.elevation-ended': accessGrant,
  'alert.rule-created': (data) => plain(data['rule']),
  'alert.rule-changed': (data) => plain(data['rule']),
  'alert.rule-deleted': (data) => plain(data['rule']),
  'alert.rule-muted': (data) => plain(data['rule']),
  'alert.rule-unmuted': (data) => plain(data['rule']),
  'alert.rule-stopped': (data) => plain(data['rule']),
  'alert.fired': (data) => plain(data['rule']),
  'alert.resolved': (data) => plain(data['rule']),
  'case.alert-resolved': (data) => plain(data['rule']),
  'alert.notices-paused': (data) => plain(data['rule']),
  'alert.delivery-failed': (data) => plain(data['rule']),
  'alert.delivery-retried': (data) => plain(data['rule']),
  'alert.destination-tested': (data) => plain(data['rule']),
  'webhook.created': (data) => plain(data['webhook']),
  'webhook.changed': (data) => plain(data['webhook']),
  'webhook.deleted': (data) => plain(data['webhook']),
  'webhook.secret-rotated': (data) => plain(data['webhook']),
  'webhook.paused': (data) => plain(data['webhook']),
  'webhook.resumed': (data) => plain(data['webhook']),
  'webhook.tested': (data) => plain(data['webhook']),
  'webhook.delivery-failed': (data) => plain(data['webhook']),
  'webhook.delivery-retried': (data) => plain(data['webhook']),
  'legal-hold.set': (data) => plain(data['hold']),
  'legal-hold.release-requested': (data) => plain(data['hold']),
  'legal-hold.release-rejected': (data) => plain(data['hold']),
  'legal-hold.released': (data) => plain(data['hold']),
  'legal-hold.expired': (data) => plain(data['hold']),
  'device.deleted': (data) => plain(data['serialNumber']),
  'people.created': customer,
  'people.updated': customer,
  'people.deleted': customer,
  'import.confirmed': (data) => plain(data['importId']),
  'import.completed': (data) => plain(data['importId']),
  'import.undo-started': (data) => plain(data['importId']),
  'import.undone': (data) => plain(data['importId']),
  'settings.ticket-system-saved': (data) => plain(data['url']),
  'settings.ticket-system-removed': (data) => plain(data['url']),
  'case.ticket-created': (data) => plain(data['key']),
  'case.ticket-failed': (data) => plain(data['reason']),
  'people.erasure-held': person,
  'people.record-exported': person,
  'people.erased': person,
  'people.erasure-completed': person,
  'people.erased-again': (data, words) => words.number(Number(data['count'])),
  'access.user-status-changed': (data) =>
    withFact(data['username'], `${plain(data['from'])} → ${plain(data['to'])}`),
  'settings.preferences-changed': (data, words) => words.list(changedFields(data)),
  'settings.notification-changed': (data) => plain(data['kind']),
  'settings.view-saved': (data) => plain(data['view']),
  'settings.view-removed': (data) => plain(data['view']),
  'access.role-assumed': (data) => plain(data['role']),
  'provider.application-created': (data) => plain(data['application']),
  'provider.application-changed': (data, words) =>
    withFact(data['application'], words.list(strings(data['changed']))),
  'provider.application-removed': (data) => plain(data['application']),
  'provider.application-secret-rotated': (data) => plain(data['application']),
  'provider.access-key-created': (data) => withFact(data['name'], plain(data['application'])),
  'provider.access-key-revoked': (data) => withFact(data['name'], plain(data['application'])),
  'provider.saml-service-saved': (data) => withFact(data['entityId'], plain(data['application'])),
  'provider.saml-service-removed': (data) => withFact(data['entityId'], plain(data['application'])),
  'provider.department-created': (data) => plain(data['department']),
  'provider.department-changed': (data) => plain(data['department']),
  'provider.department-removed': (data) => plain(data['department']),
  'provider.department-member-added': (data) =>
    withFact(data['username'], plain(data['department'])),
  'provider.department-member-removed': (data) =>
    withFact(data['username'], plain(data['department'])),
  'provider.role-created': (data) => withFact(data['role'], plain(data['namespace'])),
  'provider.role-changed': (data) => withFact(data['role'], plain(data['namespace'])),
  'provider.role-removed': (data) => withFact(data['role'], plain(data['namespace'])),
  'provider.role-member-added': (data) => withFact(data['username'], plain(data['role'])),
  'provider.role-member-removed': (data) => withFact(data['username'], plain(data['role'])),
  'device-event.service-crashed': (data) =>
    withFact(data['service'], `exit ${plain(data['exitCode'])}`),
  'device-event.disk-full': (data) => withFact(data['mount'], percent(data['usedPercent'])),
  'device-event.network-degraded': (data) => percent(data['lossPercent']),
  'device-event.clock-stepped': (data) =>
    plain(data['offsetSeconds']) ? `${plain(data['offsetSeconds'])} s` : '',
  'device-event.memory-low': (data) => plain(data['process']),
  'device-event.config-changed': (data) => plain(data['key']),
  'device-event.software-outdated': component,
  'device-event.software-installed': component,
  'device-event.software-removed': component,
  'installation.backed-up': (data) => plain(data['to']),
  'installation.backup-failed': (data) => plain(data['to']),
  'installation.backup-requested': (data) => plain(data['to']),
  'installation.restored': (data) => plain(data['backupMadeAt']),
  'installation.secret-rotated': (data) => plain(data['secret']),
  'installation.secret-retired': (data) => plain(data['secret']),
  'installation.secret-accepted': (data) => plain(data['secret']),
  'installation.secrets-copied': (data) => plain(data['to']),
  'installation.files-moved': (data) => plain(data['to']),
  'audit-trail.month-archived': (data, words) =>
    withFact(data['month'], words.number(Number(data['events'] ?? 0))),
  'audit-trail.month-deleted': (data, words) =>
    withFact(data['month'], words.number(Number(data['events'] ?? 0))),
  'audit-trail.events-refused': (data, words) => words.number(Number(data['count'] ?? 0)),
  'audit-trail.key-announced': (data) => plain(data['keyId']),
  'audit-trail.key-rotated': (data) => plain(data['to']),
  'audit-trail.anchor-cut': (data) => plain(data['endedAt']),
  'audit-trail.seal-stopped': (data) => plain(data['block']),
  'device.list-exported': (data, words) => words.number(Number(data['count'] ?? 0)),
  'evidence.exported': (data) => plain(data['format']).toUpperCase(),
  'audit-trail.exported': (data, words) =>
    `${words.number(Number(data['count'] ?? 0))} (${plain(data['format']).toUpperCase()})`,
};

/** The name of the rollout, and the stage or wave if there is one. */
function airBlast(data: Data, words: DetailWords): string {
  const step = plain(data['step']);
  return withFact(
    data['name'],
    [words.step?.(step) ?? step, plain(data['wave'])].filter(Boolean).join(' '),
  );
}

/** Prefixes additions with `+` and removals with `−`. */
function additions(data: Data): string[] {
  return [
    ...strings(data['added']).map((name) => `+${name}`),
    ...strings(data['removed']).map((name) => `−${name}`),
  ];
}

function roleChange(data: Data, words: DetailWords): string {
  return withFact(data['role'], words.list(additions(data)));
}

function sumOf(counts: unknown): number {
  const numbers = Object.values(counts ?? {}).filter((count) => typeof count === 'number');
  return numbers.reduce((sum, count) => sum + count, 0);
}

function reason(data: Data): string {
  return withFact('', plain(data['reason'])).trim();
}

function keyOf(data: Data): string {
  return plain(data['keyFingerprint']);
}

function schedule(data: Data): string {
  return plain(data['schedule']);
}

function user(data: Data): string {
  return plain(data['username']);
}

/** IDs of people who were erased or whose record was exported. */
function customer(data: Data, words: DetailWords): string {
  return withFact(data['personId'], words.list(strings(data['changed'])));
}

function person(data: Data): string {
  return [plain(data['userId']), ...strings(data['personIds'])].filter(Boolean).join(', ');
}

function commandResult(data: Data, words: DetailWords): string {
  const state = words.state('statusDetails', plain(data['statusDetails'] ?? data['state']));
  const code = data['responseCode'];
  return typeof code === 'number' && code > 0 ? `${state} (exit ${code})` : state;
}

/** Names of the changed fields. */
function changedFields(data: Data): string[] {
  const after = record(data['after']);
  const before = record(data['before']);
  return Object.keys(after).filter(
    (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
  );
}

function deviceKey(data: Data): string {
  return withFact(data['ring'], plain(data['keyId']));
}

function labelChanges(data: Data, words: DetailWords): string {
  const before = record(data['before']);
  const after = record(data['after']);
  const added = Object.keys(after)
    .filter((name) => before[name] !== after[name])
    .map((name) => `+${name}=${plain(after[name])}`);
  const removed = Object.keys(before)
    .filter((name) => !(name in after))
    .map((name) => `−${name}`);
  return words.list([...added, ...removed]);
}

function softwareChanges(changes: unknown): string[] {
  if (!Array.isArray(changes)) return [];
  return changes.slice(0, 3).map((change: unknown) => {
    const facts = record(change);
    const named = facts['component'] ?? facts['name'];
    const [name, before, after] = [named, facts['before'], facts['after']].map(plain);
    if (!after) return `−${name}`;
    return before ? `${name} ${before} → ${after}` : `+${name} ${after}`;
  });
}

/** The first change, and the number of others. */
function packageChanges(data: Data, words: DetailWords): string {
  const listed = softwareChanges(data['changes']);
  const more = Number(data['count'] ?? 0) - listed.length;
  return words.list(more > 0 ? [...listed, `+ ${words.number(more)}`] : listed);
}

function component(data: Data): string {
  return [data['component'], data['version']].map(plain).filter(Boolean).join(' ');
}

function percent(value: unknown): string {
  return typeof value === 'number' ? `${Math.round(value)} %` : '';
}

function application(data: Data): string {
  return withFact(data['clientId'], plain(data['apiToken']));
}

function withFact(name: unknown, fact: string): string {
  return fact === '' ? plain(name) : `${plain(name)} (${fact})`;
}

function failingParts(failing: unknown, words: DetailWords): string[] {
  if (!Array.isArray(failing)) return [];
  return failing.map((each: unknown) => {
    if (typeof each === 'string') return each;
    const { part, fact } = record(each);
    if (words.part !== undefined) return words.part(plain(part), plain(fact));
    return plain(fact) === '' ? plain(part) : `${plain(part)} (${plain(fact)})`;
  });
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(plain) : [];
}

function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** `firmware 2.0.0 (TB-200, DE)`, without a country if it applies to all. */
function approvalOf(data: Data): string {
  const places = [plain(data['model']), plain(data['country'])];
  return `${component(data)} (${places.filter((place, at) => at === 0 || place !== '*').join(', ')})`;
}

function accessGrant(data: Data): string {
  return withFact(data['role'], plain(data['username']));
}
