import type { AuditFilter } from '@deviceportal/contract/audit-trail';
import { decodeFilter, type FilterQuery, type FilterQueryToken } from '../ui/filter-codec.ts';

const auditFilterKeys = [
  'device',
  'actor',
  'actorKind',
  'event',
  'result',
  'case',
  'run',
  'request',
  'address',
] as const;
export type AuditFilterKey = (typeof auditFilterKeys)[number];

export interface AuditFilterSearch {
  readonly q: string;
  readonly device: string;
  readonly actor: string;
  readonly ref: string;
}

export interface DecodedAuditFilter {
  readonly query: FilterQuery;
  /** A device ID or serial number from the address. */
  readonly device: string | null;
  readonly filter: Omit<AuditFilter, 'range' | 'deviceId'>;
  /** Invalid tokens, which the screen reports as ignored. */
  readonly dropped: readonly FilterQueryToken[];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const actorKinds: readonly string[] = ['user', 'device', 'system'];

/** Decodes the filter: one value per property (as indexed), any number of types, and text. */
export function decodeAuditFilter(search: AuditFilterSearch): DecodedAuditFilter {
  const short = (['device', 'actor'] as const).flatMap((key) =>
    search[key] === '' ? [] : [{ key, operator: '=' as const, values: [search[key]] }],
  );
  const reference =
    search.ref === '' ? [] : [{ key: 'request', operator: '=' as const, values: [search.ref] }];
  const tokens = [...short, ...reference, ...decodeFilter(search.q).tokens];
  const kept = tokens.filter((token, index) => isKnown(token) && !isRepeated(tokens, index));
  const one = (key: AuditFilterKey): string | null =>
    kept.find((token) => token.key === key)?.values[0] ?? null;
  return {
    query: { tokens: kept, operation: 'and' },
    device: one('device'),
    filter: {
      actorId: one('actor'),
      actorKind: one('actorKind') as AuditFilter['actorKind'],
      types: kept.find((token) => token.key === 'event')?.values.slice(0, 50) ?? [],
      requestId: one('request'),
      runId: one('run'),
      caseId: one('case'),
      address: one('address'),
      result: one('result') as AuditFilter['result'],
      text: kept
        .filter((token) => token.key === undefined)
        .map((token) => token.values.join(' '))
        .join(' ')
        .slice(0, 200),
    },
    dropped: tokens.filter((token) => !kept.includes(token)),
  };
}

function isKnown({ key, operator, values }: FilterQueryToken): boolean {
  if (key === undefined) return operator === ':';
  if (operator !== '=' || !auditFilterKeys.some((known) => known === key)) return false;
  if (values.some((value) => value.length > 128)) return false;
  if (key === 'event') return true;
  const [value = ''] = values;
  if (values.length !== 1) return false;
  if (key === 'run' || key === 'case') return UUID.test(value);
  if (key === 'address') return value.length <= 64;
  if (key === 'result') return value === 'success' || value === 'failure';
  return key !== 'actorKind' || actorKinds.includes(value);
}

/** Of two tokens with the same key, the later one counts, because it was added last. */
function isRepeated(tokens: readonly FilterQueryToken[], index: number): boolean {
  const key = tokens[index]?.key;
  return (
    key !== undefined &&
    tokens.slice(index + 1).some((token) => token.key === key && isKnown(token))
  );
}

export const isUuid = (text: string): boolean => UUID.test(text);
