import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import type { MadeApplication, ProviderApplication } from '@deviceportal/contract/provider-admin';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import {
  applicationColumns,
  type ApplicationAct,
  type OpenApplication,
} from './application-columns.tsx';
import { ApplicationDialog } from './application-dialog.tsx';
import { RemoveApplicationDialog, RotateSecretDialog } from './confirm-application-dialogs.tsx';
import { NewSecretDialog } from './new-secret-dialog.tsx';
import { disabledProps, useProviderDisabledReason } from './use-provider-disabled-reason.ts';

/** The applications that users sign in to through the identity provider. */
export function ApplicationsPane(): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const reason = useProviderDisabledReason();
  const query = useQuery(api.provider.applications.list.queryOptions());
  const [open, setOpen] = useState<OpenApplication>();
  const [made, setMade] = useState<MadeApplication>();
  const close = (): void => setOpen(undefined);
  const show = (secret: MadeApplication): void => {
    setOpen(undefined);
    setMade(secret);
  };
  const columns = useMemo(
    () => applicationColumns({ t, format, reason, onOpen: setOpen }),
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
              <Button onClick={() => setOpen('create')} {...disabledProps(reason)}>
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
        <NewSecretDialog
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
  readonly act: ApplicationAct;
  readonly application: ProviderApplication;
  readonly onMade: (made: MadeApplication) => void;
  readonly onClose: () => void;
}): ReactNode {
  const { act, ...rest } = props;
  if (act === 'edit') return <ApplicationDialog {...rest} />;
  if (act === 'rotate') return <RotateSecretDialog {...rest} />;
  return <RemoveApplicationDialog {...rest} />;
}
