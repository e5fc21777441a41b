import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import type { ConnectionRow, ConnectionTest } from '@deviceportal/contract/provider-admin';
import { useApi } from '../api/use-api.ts';
import { useFormat, type Formatters } from '../i18n/format-values.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { CopyableId } from '../ui/copyable-id.tsx';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';
import { KeyValue } from '../ui/key-value.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { CertificateEnd } from './certificate-end.tsx';
import { ConnectionTestResult } from './connection-test-result.tsx';
import { disabledProps, useProviderDisabledReason } from './use-provider-disabled-reason.ts';

type Results = Readonly<Record<string, ConnectionTest>>;

/** Connections to external providers, with their configuration and a test. */
export function ConnectionsPane(): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const reason = useProviderDisabledReason();
  const query = useQuery(api.provider.connections.list.queryOptions());
  const [results, setResults] = useState<Results>({});
  const [shown, setShown] = useState<ConnectionRow>();
  const onError = useErrorFlash();
  const test = useMutation(
    api.provider.connections.test.mutationOptions({
      onError,
      onSuccess: (result, { identifier }) =>
        setResults((old) => ({ ...old, [identifier]: result })),
    }),
  );
  const { mutate } = test;
  const testing = test.isPending ? test.variables.identifier : undefined;
  const columns = useMemo(
    () =>
      columnsOf({
        t,
        format,
        reason,
        results,
        testing,
        onShow: setShown,
        onTest: (identifier) => mutate({ identifier }),
      }),
    [t, format, reason, results, testing, mutate],
  );
  return (
    <>
      <DataTable
        id="provider-connections"
        label={t('identityProvider.connections')}
        variant="container"
        columns={columns}
        rows={query.data}
        rowKey={({ identifier }) => identifier}
        query={query}
        wrapLines
        empty={{
          title: t('identityProvider.connection.none'),
          body: t('identityProvider.connection.noneHint'),
        }}
        header={
          <Header
            variant="h2"
            {...(query.data && { counter: `(${query.data.length})` })}
            description={t('identityProvider.connection.about')}
          >
            {t('identityProvider.connections')}
          </Header>
        }
      />
      {shown === undefined ? null : (
        <ConnectionFacts connection={shown} onClose={() => setShown(undefined)} />
      )}
    </>
  );
}

interface ColumnParts {
  readonly t: Translate;
  readonly format: Formatters;
  readonly reason: string | undefined;
  readonly results: Results;
  readonly testing: string | undefined;
  readonly onShow: (connection: ConnectionRow) => void;
  readonly onTest: (identifier: string) => void;
}

function columnsOf({
  t,
  format,
  reason,
  results,
  testing,
  onShow,
  onTest,
}: ColumnParts): TableColumn<ConnectionRow>[] {
  return [
    {
      id: 'name',
      header: t('identityProvider.column.name'),
      cell: (connection) => (
        <Button variant="inline-link" onClick={() => onShow(connection)}>
          {connection.displayName}
        </Button>
      ),
      rowHeader: true,
      always: true,
      width: 150,
    },
    {
      id: 'state',
      header: t('identityProvider.connection.state'),
      cell: ({ identifier }) => (
        <ConnectionTestResult result={results[identifier]} isRunning={testing === identifier} />
      ),
      width: 260,
    },
    {
      id: 'kind',
      header: t('identityProvider.connection.kind'),
      cell: ({ kind, protocol }) =>
        format.list([
          t(`identityProvider.connectionKind.${kind}`),
          t(`identityProvider.connectionProtocol.${protocol}`),
        ]),
      width: 170,
    },
    {
      id: 'address',
      header: t('identityProvider.connection.address'),
      cell: ({ address }) => address,
      width: 230,
    },
    {
      id: 'new-users',
      header: t('identityProvider.connection.newUsers'),
      cell: ({ createsUsers }) =>
        t(`identityProvider.connection.${createsUsers ? 'createsUsers' : 'knownOnly'}`),
      width: 150,
    },
    {
      id: 'certificate',
      header: t('identityProvider.certificate.ends'),
      cell: ({ certificateEndsAt }) => <CertificateEnd at={certificateEndsAt} />,
      width: 150,
    },
    {
      id: 'acts',
      header: t('identityProvider.column.acts'),
      cell: ({ identifier, displayName }) => (
        <Button
          variant="inline-link"
          ariaLabel={t('identityProvider.connection.testOf', { name: displayName })}
          loading={testing === identifier}
          onClick={() => onTest(identifier)}
          {...disabledProps(reason)}
        >
          {t('identityProvider.connection.test')}
        </Button>
      ),
      width: 90,
    },
  ];
}

/** The configuration of a connection. Secrets are shown as `***`. */
function ConnectionFacts({
  connection,
  onClose,
}: {
  readonly connection: ConnectionRow;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const { displayName, identifier, callbackUrl, settings } = connection;
  const callback = t('identityProvider.connection.callback');
  return (
    <Modal
      visible
      size="large"
      header={displayName}
      closeAriaLabel={t('app.close')}
      onDismiss={onClose}
    >
      <SpaceBetween size="m">
        <Box>{t('identityProvider.connection.configured')}</Box>
        <KeyValue
          columns={2}
          items={[
            { label: 'identifier', value: identifier },
            { label: callback, value: <CopyableId value={callbackUrl} name={callback} /> },
            ...Object.entries(settings).map(([label, value]) => ({ label, value })),
          ]}
        />
      </SpaceBetween>
    </Modal>
  );
}
