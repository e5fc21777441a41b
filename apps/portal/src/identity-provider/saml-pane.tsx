import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import type { SamlServiceRow } from '@deviceportal/contract/provider-admin';
import { useApi } from '../api/use-api.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';
import { CertificateEnd } from './certificate-end.tsx';
import { RowMenu } from './row-menu.tsx';
import { SamlDialog } from './saml-dialog.tsx';
import { useProviderChanged } from './use-provider-changed.ts';
import { disabledProps, useProviderDisabledReason } from './use-provider-disabled-reason.ts';

type Act = 'edit' | 'remove';
type Open = { readonly act: Act; readonly service: SamlServiceRow } | 'create' | undefined;

/** SAML service providers, one for each application. */
export function SamlPane(): ReactNode {
  const t = useT();
  const api = useApi();
  const reason = useProviderDisabledReason();
  const query = useQuery(api.provider.samlServices.list.queryOptions());
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const columns = useMemo(() => columnsOf({ t, reason, onOpen: setOpen }), [t, reason]);
  return (
    <>
      <DataTable
        id="provider-saml"
        label={t('identityProvider.saml')}
        variant="container"
        columns={columns}
        rows={query.data}
        rowKey={({ appId }) => appId}
        query={query}
        wrapLines
        empty={{
          title: t('identityProvider.samlService.none'),
          body: t('identityProvider.samlService.noneHint'),
        }}
        header={
          <Header
            variant="h2"
            {...(query.data && { counter: `(${query.data.length})` })}
            description={t('identityProvider.samlService.about')}
            actions={
              <Button onClick={() => setOpen('create')} {...disabledProps(reason)}>
                {t('identityProvider.samlService.create')}
              </Button>
            }
          >
            {t('identityProvider.saml')}
          </Header>
        }
      />
      {open === 'create' ? <SamlDialog onClose={close} /> : null}
      {typeof open === 'object' && open.act === 'edit' ? (
        <SamlDialog service={open.service} onClose={close} />
      ) : null}
      {typeof open === 'object' && open.act === 'remove' ? (
        <RemoveDialog service={open.service} onClose={close} />
      ) : null}
    </>
  );
}

/**
 * Confirms the deletion of a service provider: assertions are then sent to the addresses of the
 * application, and requests need no signature.
 */
function RemoveDialog({
  service,
  onClose,
}: {
  readonly service: SamlServiceRow;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const changed = useProviderChanged();
  const { appId, entityId, application } = service;
  const remove = useMutation(
    api.provider.samlServices.remove.mutationOptions({
      onSuccess: () => {
        onClose();
        changed(t('identityProvider.removed', { name: entityId }));
      },
    }),
  );
  return (
    <ConfirmDialog
      title={t('identityProvider.remove.title', { name: entityId })}
      confirmLabel={t('identityProvider.act.remove')}
      busy={remove.isPending}
      error={remove.isError ? <ErrorView error={remove.error} place="alert" /> : null}
      onConfirm={() => remove.mutate({ appId })}
      onCancel={onClose}
    >
      {t('identityProvider.samlService.removeBody', { application })}
    </ConfirmDialog>
  );
}

function columnsOf({
  t,
  reason,
  onOpen,
}: {
  readonly t: Translate;
  readonly reason: string | undefined;
  readonly onOpen: (open: Open) => void;
}): TableColumn<SamlServiceRow>[] {
  return [
    {
      id: 'entity',
      header: t('identityProvider.samlService.entityId'),
      cell: ({ entityId }) => entityId,
      rowHeader: true,
      always: true,
      width: 230,
    },
    {
      id: 'application',
      header: t('identityProvider.key.application'),
      cell: ({ application }) => application,
      width: 150,
    },
    {
      id: 'acs',
      header: t('identityProvider.samlService.acs'),
      cell: ({ acsUrls }) => acsUrls.map((url) => <div key={url}>{url}</div>),
      width: 270,
    },
    {
      id: 'certificate',
      header: t('identityProvider.certificate.ends'),
      cell: ({ certificate, certificateEndsAt }) =>
        certificate === null ? (
          t('identityProvider.samlService.unsigned')
        ) : (
          <CertificateEnd at={certificateEndsAt} />
        ),
      width: 170,
    },
    {
      id: 'changed',
      header: t('identityProvider.column.changed'),
      cell: ({ modifiedAt }) => <Time at={modifiedAt} />,
      width: 130,
    },
    {
      id: 'acts',
      header: t('identityProvider.column.acts'),
      cell: (service) => (
        <RowMenu
          label={t('identityProvider.actsOf', { name: service.entityId })}
          acts={(['edit', 'remove'] as const).map((act) => ({
            id: act,
            text: t(`identityProvider.act.${act}`),
            reason,
            onAct: () => onOpen({ act, service }),
          }))}
        />
      ),
      width: 90,
    },
  ];
}
