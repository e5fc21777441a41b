import Badge from '@cloudscape-design/components/badge';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import type { MadeApplication, ProviderApplication } from '@deviceportal/contract/provider-admin';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { CopyableId } from '../ui/copyable-id.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';
import { ApplicationDialog } from './application-dialog.tsx';
import { RemoveApplicationDialog, RotateSecretDialog } from './application-questions.tsx';
import { MadeSecretDialog } from './made-secret-dialog.tsx';
import type { PaneColumns } from './pane-columns.ts';
import { RowMenu } from './row-menu.tsx';
import { because, useProviderReason } from './use-provider-reason.ts';

/** The end of an id, by which two are told apart. */
const SHOWN_OF_ID = 12;

type Act = 'edit' | 'rotate' | 'remove';
type Open = { readonly act: Act; readonly application: ProviderApplication } | 'create' | undefined;

/** The programs that let people sign in here. */
export function ApplicationsPane(): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const reason = useProviderReason();
  const query = useQuery(api.provider.applications.list.queryOptions());
  const [open, setOpen] = useState<Open>();
  const [made, setMade] = useState<MadeApplication>();
  const close = (): void => setOpen(undefined);
  const show = (secret: MadeApplication): void => {
    setOpen(undefined);
    setMade(secret);
  };
  const columns = useMemo(
    () => columnsOf({ t, format, reason, onOpen: setOpen }),
    [t, format, reason],
  );
  return (
    <>
      <DataTable
        id="provider-applications"
        label={t('identityProvider.applications')}
        variant="container"
        columns={columns}
        rows={query.data}
        rowKey={({ appId }) => appId}
        query={query}
        wrapLines
        empty={{ title: t('identityProvider.application.none') }}
        header={
          <Header
            variant="h2"
            {...(query.data && { counter: `(${query.data.length})` })}
            description={t('identityProvider.application.about')}
            actions={
              <Button onClick={() => setOpen('create')} {...because(reason)}>
                {t('identityProvider.application.create')}
              </Button>
            }
          >
            {t('identityProvider.applications')}
          </Header>
        }
      />
      {open === 'create' ? <ApplicationDialog onMade={show} onClose={close} /> : null}
      {open === undefined || open === 'create' ? null : (
        <Question {...open} onMade={show} onClose={close} />
      )}
      {made === undefined ? null : (
        <MadeSecretDialog
          made={{
            title: t('identityProvider.application.secretOf', { name: made.name }),
            idLabel: t('identityProvider.application.id'),
            id: made.appId,
            secret: made.secret,
          }}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  );
}

function Question(props: {
  readonly act: Act;
  readonly application: ProviderApplication;
  readonly onMade: (made: MadeApplication) => void;
  readonly onClose: () => void;
}): ReactNode {
  const { act, ...rest } = props;
  if (act === 'edit') return <ApplicationDialog {...rest} />;
  if (act === 'rotate') return <RotateSecretDialog {...rest} />;
  return <RemoveApplicationDialog {...rest} />;
}

function columnsOf({
  t,
  format,
  reason,
  onOpen,
}: PaneColumns<Open>): TableColumn<ProviderApplication>[] {
  const lines = (addresses: readonly string[]): ReactNode =>
    addresses.length === 0 ? '-' : addresses.map((each) => <div key={each}>{each}</div>);
  return [
    {
      id: 'name',
      header: t('identityProvider.column.name'),
      cell: ({ name, isOwn }) => (
        <>
          {name} {isOwn ? <Badge>{t('identityProvider.application.own')}</Badge> : null}
        </>
      ),
      rowHeader: true,
      always: true,
      width: 190,
    },
    {
      id: 'id',
      header: t('identityProvider.application.id'),
      cell: ({ appId }) => (
        <CopyableId
          value={appId}
          name={t('identityProvider.application.id')}
          {...(appId.length > SHOWN_OF_ID && { shown: `…${appId.slice(-SHOWN_OF_ID)}` })}
        />
      ),
      width: 170,
    },
    {
      id: 'redirect',
      header: t('identityProvider.application.redirect'),
      cell: ({ redirectUris }) => lines(redirectUris),
      width: 290,
    },
    {
      id: 'protocols',
      header: t('identityProvider.application.protocols'),
      cell: ({ protocols }) =>
        protocols.length === 0
          ? '-'
          : format.list(protocols.map((each) => t(`identityProvider.protocol.${each}`))),
      width: 170,
    },
    {
      id: 'second-step',
      header: t('identityProvider.application.secondStep'),
      cell: ({ secondStep }) => t(`identityProvider.secondStep.${secondStep}`),
      width: 140,
    },
    {
      id: 'registration',
      header: t('identityProvider.application.registration'),
      cell: ({ registration }) => t(`identityProvider.registration.${registration}`),
      width: 140,
    },
    {
      id: 'origins',
      header: t('identityProvider.application.origins'),
      cell: ({ allowedOrigins }) => lines(allowedOrigins),
      optional: true,
      width: 220,
    },
    {
      id: 'keys',
      header: t('identityProvider.keys'),
      cell: ({ accessKeys }) => format.number(accessKeys),
      optional: true,
      numeric: true,
      width: 120,
    },
    {
      id: 'changed',
      header: t('identityProvider.column.changed'),
      cell: ({ modifiedAt }) => <Time at={modifiedAt} />,
      optional: true,
      width: 140,
    },
    {
      id: 'acts',
      header: t('identityProvider.column.acts'),
      cell: (application) => {
        const why =
          reason ?? (application.isOwn ? t('identityProvider.application.ownStays') : undefined);
        const acts = (['edit', 'rotate', 'remove'] as const).map((act) => ({
          id: act,
          text: t(`identityProvider.act.${act}`),
          reason: why,
          onAct: () => onOpen({ act, application }),
        }));
        return (
          <RowMenu label={t('identityProvider.actsOf', { name: application.name })} acts={acts} />
        );
      },
      width: 90,
    },
  ];
}
