import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { API_TOKEN_DAYS } from '@deviceportal/contract/api-tokens';
import { AccessGate } from '../access/access-gate.tsx';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { disabledProps } from '../identity-provider/use-provider-disabled-reason.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { DataTable, useTablePageSize } from '../ui/table/data-table.tsx';
import { useKeysetPages } from '../ui/table/use-keyset-pages.ts';
import { ApiLinks } from './api-links.tsx';
import { ExpiringTokens } from './expiring-tokens.tsx';
import { allTokenColumns } from './token-columns.tsx';
import { TokenDialogs } from './token-dialogs.tsx';
import { useTokenDialogs } from './use-token-dialogs.ts';

export const Route = createLazyRoute('/uam/api-tokens')({
  component: () => (
    <AccessGate>
      <ApiTokensPage />
    </AccessGate>
  ),
});

/** The API tokens of all users and services. */
function ApiTokensPage(): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const { may } = useViewer();
  const [showsEnded, setShowsEnded] = useState(false);
  const pageSize = useTablePageSize('api-tokens');
  const pages = useKeysetPages(JSON.stringify([showsEnded, pageSize]));
  const query = useQuery(
    api.apiTokens.list.queryOptions(
      { active: !showsEnded, cursor: pages.cursor, pageSize },
      { placeholderData: keepPreviousData, refetchInterval: refreshMs.list },
    ),
  );
  const dialogs = useTokenDialogs();
  const { onOpen } = dialogs;
  const reason = may('api-tokens:manage')
    ? undefined
    : t('app.needsPermission', { permission: 'api-tokens:manage' });
  const columns = useMemo(
    () =>
      allTokenColumns({
        ...{ t, format, reason },
        onRevoke: (token) => onOpen({ act: 'revoke', token }),
      }),
    [t, format, reason, onOpen],
  );
  return (
    <SpaceBetween size="l">
      <ExpiringTokens tokens={query.data?.rows ?? []} />
      <DataTable
        id="api-tokens"
        label={t('app.nav.apiTokens')}
        wrapLines
        columns={columns}
        rows={query.data?.rows}
        rowKey={({ id }) => id}
        query={query}
        paging={{ pages, nextCursor: query.data?.nextCursor }}
        filter={
          <Toggle checked={showsEnded} onChange={({ detail }) => setShowsEnded(detail.checked)}>
            {t('apiTokens.showEnded')}
          </Toggle>
        }
        empty={{ title: t('apiTokens.noneAtAll'), body: t('apiTokens.noneAtAllHint') }}
        header={
          <PageHeader
            title={t('app.nav.apiTokens')}
            description={
              <>
                {t('apiTokens.description')} <ApiLinks />
              </>
            }
            actions={
              <Button
                variant="primary"
                onClick={() => onOpen({ act: 'create', kind: 'service' })}
                {...disabledProps(reason)}
              >
                {t('apiTokens.createService')}
              </Button>
            }
          />
        }
      />
      <TokenDialogs {...dialogs} mostDays={query.data?.mostDays ?? API_TOKEN_DAYS.most} />
    </SpaceBetween>
  );
}
