import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import { userStatus } from '@deviceportal/contract/states';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../i18n/language-store.ts';
import { useT } from '../../i18n/use-t.ts';
import type { FilterProperty } from '../../ui/property-filter-bar.tsx';
import { wordOf } from '../../ui/status-of.tsx';
import { roleName } from '../roles/role-words.ts';
import type { UserFilterKey } from './users-filter.ts';

const DAYS = [7, 30, 90, 180, 365] as const;

/** Filter properties of the user list. */
export function useUserProperties(): readonly FilterProperty[] {
  const t = useT();
  const api = useApi();
  const language = useLanguage();
  const roles = useQuery(api.access.roles.list.queryOptions()).data;
  return useMemo(() => {
    const property = (
      key: UserFilterKey,
      label: string,
      values: FilterProperty['values'] & {},
    ): FilterProperty => ({
      key,
      label,
      groupLabel: t('access.users.values', { property: label }),
      operators: ['='],
      values,
    });
    return [
      property(
        'status',
        t('access.column.status'),
        Object.keys(userStatus).map((value) => ({ value, label: wordOf('user', value, language) })),
      ),
      property(
        'role',
        t('access.column.roles'),
        (roles ?? []).map(({ name }) => ({ value: name, label: roleName(name, t) })),
      ),
      property('group', t('access.column.groups'), [{ value: ADMIN_GROUP, label: ADMIN_GROUP }]),
      property(
        'away',
        t('access.users.awayFor'),
        DAYS.map((days) => ({ value: String(days), label: t('access.users.days', { days }) })),
      ),
      property('signedIn', t('access.column.lastSignIn'), [
        { value: 'never', label: t('access.users.never') },
      ]),
    ];
  }, [t, language, roles]);
}
