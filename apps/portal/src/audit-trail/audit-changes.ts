import type { AuditEvent } from '@deviceportal/contract/audit-trail';

/** A changed value of an event. Null if it did not exist before or no longer exists. */
export interface AuditChange {
  /**
   * The path in the event: `name`, `scope.countries`, `permissions`. Empty if the event has a
   * single value.
   */
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface AuditDifference {
  readonly changes: readonly AuditChange[];
  /** Names of the data fields that the changes cover. */
  readonly coveredFields: readonly string[];
}

type Data = AuditEvent['data'];

/**
 * The changes of an event in every form of recording: `before` and `after`, `from` and `to`, `x`
 * and `xBefore`, added and removed entries, or a list of changes.
 */
export function auditDifference(data: Data): AuditDifference {
  const parts = [wholes(data), fromTo(data), suffixed(data), moved(data), listed(data)];
  return {
    changes: parts.flatMap(({ changes }) => changes),
    coveredFields: parts.flatMap(({ coveredFields }) => coveredFields),
  };
}

const nothing: AuditDifference = { changes: [], coveredFields: [] };

function wholes(data: Data): AuditDifference {
  if (!('before' in data) || !('after' in data)) return nothing;
  return {
    changes: differences('', data['before'], data['after']),
    coveredFields: ['before', 'after'],
  };
}

function fromTo(data: Data): AuditDifference {
  const { from, to } = data;
  if (to === undefined || from === undefined || !isPlain(from) || !isPlain(to)) return nothing;
  return { changes: differences('', from, to), coveredFields: ['from', 'to'] };
}

function suffixed(data: Data): AuditDifference {
  const names = Object.keys(data).flatMap((name) =>
    name.endsWith('Before') && name.replace(/Before$/, '') in data
      ? [name.replace(/Before$/, '')]
      : [],
  );
  return {
    changes: names.flatMap((name) => differences(name, data[`${name}Before`], data[name])),
    coveredFields: names.flatMap((name) => [name, `${name}Before`]),
  };
}

/** Added and removed entries. Ignored if the full lists are recorded as well. */
function moved(data: Data): AuditDifference {
  const { added, removed } = data;
  if (!Array.isArray(added) || !Array.isArray(removed)) return nothing;
  const coveredFields = ['added', 'removed'];
  if ('before' in data || added.length + removed.length === 0)
    return { changes: [], coveredFields };
  return {
    changes: [
      ...added.map((value) => ({ field: '', before: null, after: textOf(value) })),
      ...removed.map((value) => ({ field: '', before: textOf(value), after: null })),
    ],
    coveredFields,
  };
}

function listed({ changes }: Data): AuditDifference {
  if (!Array.isArray(changes)) return nothing;
  const parts = changes.map(recordOf);
  if (!parts.every((part) => 'before' in part || 'after' in part)) return nothing;
  return {
    changes: parts.map((part) => ({
      field: textOf(part['component'] ?? part['name']) ?? '',
      before: textOf(part['before']),
      after: textOf(part['after']),
    })),
    coveredFields: ['changes'],
  };
}

/**
 * Differences of objects by value, of arrays by added and removed entries, and of other values as
 * both values.
 */
function differences(field: string, before: unknown, after: unknown): AuditChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    const [old, fresh] = [before.map(textOf), after.map(textOf)];
    return [
      ...fresh
        .filter((value) => !old.includes(value))
        .map((value) => ({ field, before: null, after: value })),
      ...old
        .filter((value) => !fresh.includes(value))
        .map((value) => ({ field, before: value, after: null })),
    ];
  }
  if (isRecord(before) && isRecord(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) =>
      differences(field === '' ? name : `${field}.${name}`, before[name], after[name]),
    );
  }
  return [{ field, before: textOf(before), after: textOf(after) }];
}

const isPlain = (value: unknown): boolean => value === null || typeof value !== 'object';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isRecord(value) ? value : {};

function textOf(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
