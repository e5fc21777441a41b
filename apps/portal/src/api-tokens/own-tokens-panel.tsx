import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { API_TOKEN_DAYS } from '@deviceportal/contract/api-tokens';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { disabledProps } from '../identity-provider/use-provider-disabled-reason.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { followWithRouter } from '../ui/follow-with-router.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import { ApiLinks } from './api-links.tsx';
import { ExpiringTokens } from './expiring-tokens.tsx';
import { tokenColumns } from './token-columns.tsx';
import { TokenDialogs } from './token-dialogs.tsx';
import { useTokenDialogs } from './use-token-dialogs.ts';

/** The viewer’s API tokens, for applications that act as them. */
export function OwnTokensPanel(): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const { may } = useViewer();
  const query = useQuery(api.apiTokens.listOwn.queryOptions());
  const dialogs = useTokenDialogs();
  const { onOpen } = dialogs;
  const columns = useMemo(
    () => tokenColumns({ t, format, onRevoke: (token) => onOpen({ act: 'revoke', token }) }),
    [t, format, onOpen],
  );
  const reason = may('api-tokens:create')
    ? undefined
    : t('app.needsPermission', { permission: 'api-tokens:create' });
  return (
    <SpaceBetween size="s">
      <ExpiringTokens tokens={query.data?.tokens ?? []} />
      <DataTable
        id="own-api-tokens"
        label={t('apiTokens.own')}
        variant="container"
        withoutSettings
        wrapLines
        columns={columns}
        rows={query.data?.tokens}
        rowKey={({ id }) => id}
        query={query}
        empty={{ title: t('apiTokens.none'), body: t('apiTokens.noneHint') }}
        header={
          <Header
            variant="h2"
            description={
              <>
                {t('apiTokens.ownHint')} <ApiLinks />
              </>
            }
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <Button
                  href="/activate"
                  onFollow={(event) => followWithRouter(event)}
                  {...disabledProps(reason)}
                >
                  {t('apiTokens.connect')}
                </Button>
                <Button
                  onClick={() => onOpen({ act: 'create', kind: 'personal' })}
                  {...disabledProps(reason)}
                >
                  {t('apiTokens.create')}
                </Button>
              </SpaceBetween>
            }
          >
            {t('apiTokens.own')}
          </Header>
        }
      />
      <TokenDialogs {...dialogs} mostDays={query.data?.mostDays ?? API_TOKEN_DAYS.most} />
    </SpaceBetween>
  );
}
