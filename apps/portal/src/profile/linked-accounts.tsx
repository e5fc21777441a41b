import { unlinkAccount, type UserIdentity } from '@deviceportal/identity-client';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { useT } from '../i18n/use-t.ts';
import { loadSignInMethods, type SignInMethod } from '../session/sign-in-methods.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { AccountProblem } from './account-problem.tsx';
import { currentUser } from './current-user.ts';
import { linkExternalAccount } from './link-external-account.ts';
import { useAccountAct, useAccountQuery } from './use-account.ts';

export interface LinkedAccountsProps {
  readonly provider: NonNullable<BrowserConfig['authing']>;
}

/**
 * External accounts linked to this one. More can be added if the application has further
 * connections.
 */
export function LinkedAccounts({ provider }: LinkedAccountsProps): ReactNode {
  const t = useT();
  const query = useAccountQuery('user', currentUser);
  const methods = useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: () => loadSignInMethods(provider),
    retry: false,
  });
  const link = useAccountAct(linkExternalAccount);
  const unlink = useAccountAct((client, name: string) =>
    unlinkAccount(client, {
      primaryUserToken: client.session.getToken() ?? '',
      provider: name,
    }),
  );
  const { mutate } = unlink;
  const columns = useMemo((): readonly TableColumn<UserIdentity>[] => {
    return [
      {
        id: 'provider',
        header: t('profile.linked.provider'),
        cell: ({ provider: name }) => name ?? '-',
        rowHeader: true,
        always: true,
        width: 240,
      },
      {
        id: 'account',
        header: t('profile.linked.account'),
        cell: ({ userIdInIdp, openid }) => userIdInIdp ?? openid ?? '-',
        width: 320,
      },
      {
        id: 'acts',
        header: t('profile.linked.acts'),
        cell: ({ provider: name }) => (
          <Button
            variant="inline-link"
            ariaLabel={`${t('profile.linked.unlink')}: ${name ?? ''}`}
            onClick={() => mutate(name ?? '')}
          >
            {t('profile.linked.unlink')}
          </Button>
        ),
        width: 160,
      },
    ];
  }, [t, mutate]);
  const others = methods.data?.buttons ?? [];
  return (
    <SpaceBetween size="s">
      <DataTable
        id="linked-accounts"
        label={t('profile.linked.title')}
        variant="container"
        withoutSettings
        columns={columns}
        rows={query.data?.identities ?? (query.data && [])}
        rowKey={({ provider: name, userIdInIdp }) => `${name ?? ''} ${userIdInIdp ?? ''}`}
        query={query}
        empty={{ title: t('profile.linked.none'), body: t('profile.linked.noneHint') }}
        header={
          <Header
            variant="h2"
            description={t('profile.linked.hint')}
            actions={<LinkButtons methods={others} onLink={(method) => link.mutate(method)} />}
          >
            {t('profile.linked.title')}
          </Header>
        }
      />
      <AccountProblem error={link.error ?? unlink.error} />
    </SpaceBetween>
  );
}

function LinkButtons({
  methods,
  onLink,
}: {
  readonly methods: readonly SignInMethod[];
  readonly onLink: (method: SignInMethod) => void;
}): ReactNode {
  const t = useT();
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {methods.map((method) => (
        <Button key={method.identifier} onClick={() => onLink(method)}>
          {t('profile.linked.link', { name: method.name })}
        </Button>
      ))}
    </SpaceBetween>
  );
}
