import Toggle from '@cloudscape-design/components/toggle';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { consequences } from '@deviceportal/contract/permissions';
import { documentState } from '@deviceportal/contract/states';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { encodeFilter, type FilterQuery } from '../ui/filter-codec.ts';
import { PropertyFilterBar, type FilterProperty } from '../ui/property-filter-bar.tsx';

const route = getRouteApi('/documents');

/** The filter of the list, and for reviewers the switch to versions that need a review. */
export function DocumentFilterBar({ query }: { readonly query: FilterQuery }): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const { waiting } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <PropertyFilterBar
      properties={useFilterProperties()}
      query={query}
      placeholder={t('documents.list.find')}
      {...(may('documents:approve')
        ? {
            customControl: (
              <Toggle
                checked={waiting}
                onChange={({ detail }) =>
                  void navigate({
                    search: (old) => ({ ...old, waiting: detail.checked }),
                    replace: true,
                  })
                }
              >
                {t('documents.list.waiting')}
              </Toggle>
            ),
          }
        : {})}
      onChange={(changed) =>
        void navigate({
          search: (old) => ({ ...old, q: encodeFilter(changed), op: changed.operation }),
          replace: true,
        })
      }
    />
  );
}

function useFilterProperties(): readonly FilterProperty[] {
  const t = useT();
  const language = useLanguage();
  return useMemo(
    () => [
      {
        key: 'state',
        label: t('documents.columns.state'),
        groupLabel: t('documents.list.states'),
        operators: ['='],
        values: Object.entries(documentState).map(([value, entry]) => ({
          value,
          label: entry[language],
        })),
      },
      {
        key: 'consequence',
        label: t('documents.columns.consequence'),
        groupLabel: t('documents.list.consequences'),
        operators: ['='],
        values: consequences.map((value) => ({ value, label: t(`commands.consequence.${value}`) })),
      },
    ],
    [t, language],
  );
}
