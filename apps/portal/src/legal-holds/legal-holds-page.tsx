import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { LegalHoldRow } from '@deviceportal/contract/legal-holds';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { disabledProps } from '../identity-provider/use-provider-disabled-reason.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';
import { useFlash } from '../ui/flash-store.ts';
import { NoAccess } from '../ui/no-access.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useRefresh } from '../ui/page-slots.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import { holdColumns, type HoldAct } from './hold-columns.tsx';
import { HoldDialogs } from './hold-dialogs.tsx';
import { WaitingErasures } from './waiting-erasures.tsx';

export const Route = createLazyRoute('/legal-holds')({ component: LegalHoldsPage });

const route = getRouteApi('/legal-holds');

function LegalHoldsPage(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  return may('legal-holds:read') ? (
    <LegalHolds />
  ) : (
    <NoAccess area={t('app.nav.legalHolds')} permission="legal-holds:read" />
  );
}

/** Orders to keep data, and the erasures that wait for their end. */
function LegalHolds(): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const { may } = useViewer();
  const { set } = route.useSearch();
  const navigate = route.useNavigate();
  const setOpen = (isOpen: boolean): void =>
    void navigate({ search: { set: isOpen }, replace: true });
  const [chosen, setChosen] = useState<{ act: HoldAct; hold: LegalHoldRow }>();
  const query = useQuery(
    api.legalHolds.list.queryOptions(undefined, { refetchInterval: refreshMs.list }),
  );
  const { refetch } = query;
  useRefresh(useCallback(() => void refetch(), [refetch]));
  const reason = may('legal-holds:manage')
    ? undefined
    : t('app.needsPermission', { permission: 'legal-holds:manage' });
  const { reject, done } = useHoldActs(() => setChosen(undefined));
  const columns = useMemo(
    () =>
      holdColumns({
        ...{ t, format, reason },
        onAct: (act, hold) => (act === 'reject' ? reject(hold.id) : setChosen({ act, hold })),
      }),
    [t, format, reason, reject],
  );
  return (
    <SpaceBetween size="l">
      <DataTable
        id="legalHolds"
        label={t('app.nav.legalHolds')}
        withoutSettings
        wrapLines
        columns={columns}
        rows={query.data?.holds}
        rowKey={({ id }) => id}
        query={query}
        empty={{ title: t('legalHolds.none'), body: t('legalHolds.noneBody') }}
        header={
          <PageHeader
            title={t('app.nav.legalHolds')}
            description={t('legalHolds.description')}
            actions={
              <Button variant="primary" onClick={() => setOpen(true)} {...disabledProps(reason)}>
                {t('legalHolds.set')}
              </Button>
            }
          />
        }
      />
      <WaitingErasures waiting={query.data?.waiting ?? []} query={query} />
      <HoldDialogs
        isSetting={set}
        chosen={chosen}
        onDone={(words) => {
          if (set) setOpen(false);
          done(words);
        }}
        onClose={() => {
          setChosen(undefined);
          if (set) setOpen(false);
        }}
      />
    </SpaceBetween>
  );
}

function useHoldActs(close: () => void) {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const showError = useErrorFlash();
  const queryClient = useQueryClient();
  const done = (words: string): void => {
    close();
    void queryClient.invalidateQueries(api.legalHolds.pathFilter());
    flash.add({ type: 'success', content: words });
  };
  const { mutate } = useMutation(
    api.legalHolds.rejectRelease.mutationOptions({
      onSuccess: () => done(t('legalHolds.rejected')),
      onError: showError,
    }),
  );
  const reject = useCallback((id: string) => mutate({ id }), [mutate]);
  return { reject, done };
}
