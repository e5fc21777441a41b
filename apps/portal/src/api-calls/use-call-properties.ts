import { errorCatalog, type ErrorName } from '@deviceportal/contract/errors';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import type { FilterProperty } from '../ui/property-filter-bar.tsx';
import type { ApiCallKey } from './api-calls-filter.ts';

const DAY_MINUTES = 1_440;
/** Suggested durations in milliseconds. Any other number can be typed. */
const SLOW_MS = [100, 250, 500, 1_000, 5_000] as const;

/**
 * Filter properties of API calls: the procedures of the last 24 hours, and the users that the
 * viewer can see.
 */
export function useCallProperties(maySeeUsers: boolean): readonly FilterProperty[] {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const procedures = useQuery(
    api.apiCalls.summary.queryOptions({ minutes: DAY_MINUTES }, { staleTime: 60_000 }),
  ).data;
  const users = useQuery(
    api.access.users.list.queryOptions(
      { pageSize: 100 },
      { enabled: maySeeUsers, staleTime: 60_000 },
    ),
  ).data?.rows;
  return useMemo(() => {
    const property = (key: ApiCallKey, more: Partial<FilterProperty>): FilterProperty => {
      const label = t(`apiCalls.filter.${key}`);
      return {
        key,
        label,
        groupLabel: t('apiCalls.values', { property: label }),
        operators: ['='],
        ...more,
      };
    };
    const matching = (text: string, choices: readonly { value: string; label: string }[]) =>
      choices.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));
    return [
      property('path', {
        suggest: async (text) =>
          matching(
            text,
            (procedures ?? []).map(({ path }) => ({ value: path, label: path })),
          ),
      }),
      property('user', {
        suggest: async (text) =>
          matching(
            text,
            (users ?? []).map(({ id, username }) => ({ value: id, label: username })),
          ),
        format: (value) => users?.find(({ id }) => id === value)?.username ?? value,
      }),
      property('result', {
        values: [
          { value: 'errors', label: t('apiCalls.filter.errors') },
          ...Object.entries(errorCatalog).map(([name, { code }]) => ({
            value: String(code),
            label: `${t(`apiCalls.code.${name as ErrorName}`)} (${code})`,
          })),
        ],
      }),
      property('slower', {
        values: SLOW_MS.map((ms) => ({ value: String(ms), label: format.duration(ms) })),
        format: (value) => format.duration(Number(value)),
      }),
      property('request', {}),
    ];
  }, [t, format, procedures, users]);
}
