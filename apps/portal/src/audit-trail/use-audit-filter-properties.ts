import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AuditFilter } from '@deviceportal/contract/audit-trail';
import { useApi, useApiClient } from '../api/use-api.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import type { FilterProperty, FilterValue } from '../ui/property-filter-bar.tsx';
import { auditTypeWords } from './audit-event-words.ts';
import type { AuditFilterKey } from './audit-filter.ts';
import { auditGroupOf, auditGroups, groupFilters, groupedTypes } from './audit-groups.ts';

export interface DeviceWords {
  readonly id: string;
  readonly label: string;
}

/**
 * Filter properties of the audit trail. Actors and event types of devices are those in the time
 * range.
 */
export function useAuditFilterProperties(
  filter: AuditFilter,
  device: DeviceWords | null,
): readonly FilterProperty[] {
  const t = useT();
  const api = useApi();
  const client = useApiClient();
  const facets = useQuery(
    api.auditTrail.facets.queryOptions(
      { filter: { range: filter.range, deviceId: filter.deviceId } },
      { staleTime: 60_000 },
    ),
  ).data;
  return useMemo(() => {
    const actors = facets?.actors ?? [];
    const property = (key: AuditFilterKey, more: Partial<FilterProperty>): FilterProperty => {
      const label = t(`auditTrail.filter.${key}`);
      const groupLabel = t('auditTrail.filter.values', { property: label });
      return { key, label, groupLabel, operators: ['='], ...more };
    };
    return [
      property('device', {
        suggest: (text) => client.devices.suggest.query({ key: 'serialNumber', text }),
        format: (value) => (value === device?.id ? device.label : value),
      }),
      property('actor', {
        suggest: async (text) =>
          actors
            .filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
            .map(({ id, name }) => ({ value: id, label: name })),
        format: (value) => actors.find(({ id }) => id === value)?.name ?? value,
      }),
      property('actorKind', {
        values: (['user', 'device', 'system'] as const).map((kind) => ({
          value: kind,
          label: t(`auditTrail.actorKind.${kind}`),
        })),
      }),
      property('event', { values: typeValues(facets?.types ?? [], t) }),
      property('result', {
        values: (['success', 'failure'] as const).map((result) => ({
          value: result,
          label: t(`auditTrail.result.${result}`),
        })),
      }),
      property('case', {}),
      property('run', {}),
      property('request', {}),
      property('address', {}),
    ];
  }, [t, client, facets, device]);
}

/** Whole groups first, then each type under the name of its group. */
function typeValues(occurring: readonly string[], t: Translate): FilterValue[] {
  const groups = auditGroups.flatMap((group): FilterValue[] => {
    const value = groupFilters[group];
    if (value === undefined) return [];
    return [
      { value, label: t('auditTrail.group.allOf', { group: t(`auditTrail.group.${group}`) }) },
    ];
  });
  const types = groupedTypes(occurring).map((type) => ({
    value: type,
    label: t('auditTrail.group.typeOf', {
      group: t(`auditTrail.group.${auditGroupOf(type)}`),
      type: auditTypeWords(type, t),
    }),
  }));
  return [...groups, ...types];
}
