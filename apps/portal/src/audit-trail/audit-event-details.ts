import type { AuditEvent } from '@deviceportal/contract/audit-trail';

/** What the details of a sentence need of the current language. */
export interface DetailWords {
  readonly number: (value: number) => string;
  readonly list: (items: readonly string[]) => string;
  /** A part that failed its own check, with what is wrong; as the device said it where this is left out. */
  readonly part?: (part: string, fact: string) => string;
  /** The word of a state: of an invocation (`Success`), a document (`active`), a device part stays as it is. */
  readonly state: (kind: 'statusDetails' | 'document', value: string) => string;
}

type Data = AuditEvent['data'];

/** The part of a sentence that depends on the event's data; empty where there is nothing to say. */
export function auditDetails({ type, data }: AuditEvent, words: DetailWords): string {
  return detailsByType[type]?.(data, words) ?? '';
}

const detailsByType: Readonly<Record<string, (data: Data, words: DetailWords) => string>> = {
  'device.updated': (data, words) => words.list(changedFields(data)),
  'device.labels-changed': labelChanges,
  'device.claim-created': (data, words) =>
    typeof data['uses'] === 'number' ? words.number(data['uses']) : '',
  'device.degraded': (data, words) => words.list(failingParts(data['failing'], words)),
  'device.inventory-changed': (data, words) => words.list(strings(data['changed'])),
  'device.software-changed': (data, words) => words.list(softwareChanges(data['changes'])),
  'command.finished': commandResult,
  'command.timed-out': commandResult,
  'command.artefact-collected': (data) => plain(data['name'] ?? data['fileName'] ?? data['path']),
  'document.version-added': (data) => plain(data['version']),
  'document.default-changed': (data) => `${plain(data['from']) || '-'} → ${plain(data['to'])}`,
  'document.state-changed': (data, words) =>
    ['from', 'to'].map((name) => words.state('document', plain(data[name]))).join(' → '),
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
  'audit-trail.exported': (data, words) =>
    `${words.number(Number(data['count'] ?? 0))} (${plain(data['format']).toUpperCase()})`,
};

function commandResult(data: Data, words: DetailWords): string {
  const state = words.state('statusDetails', plain(data['statusDetails'] ?? data['state']));
  const code = data['responseCode'];
  return typeof code === 'number' && code > 0 ? `${state} (exit ${code})` : state;
}

/** Names of the fields whose values differ. */
export function changedFields(data: Data): string[] {
  const after = record(data['after']);
  const before = record(data['before']);
  return Object.keys(after).filter(
    (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
  );
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
    const [name, before, after] = [facts['component'], facts['before'], facts['after']].map(plain);
    if (!after) return `−${name}`;
    return before ? `${name} ${before} → ${after}` : `+${name} ${after}`;
  });
}

function component(data: Data): string {
  return [data['component'], data['version']].map(plain).filter(Boolean).join(' ');
}

function percent(value: unknown): string {
  return typeof value === 'number' ? `${Math.round(value)} %` : '';
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
