import Alert from '@cloudscape-design/components/alert';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { DocumentRunner } from '@deviceportal/contract/commands';
import type { DocumentVersionDetail } from '@deviceportal/contract/documents';
import { permissionWords, scopeWords } from '../access/roles/permission-words.ts';
import { roleName } from '../access/roles/role-words.ts';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { useViewer } from '../session/viewer-context.tsx';

/** Users who can run this version once it is active, with the permission and scope. */
export function PermissionsTab({ shown }: { readonly shown: DocumentVersionDetail }): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const query = useQuery(
    api.commands.whoMayRun.queryOptions({ document: `${shown.documentName}:${shown.version}` }),
  );
  const columns = useRunnerColumns();
  const runners = query.data;
  return (
    <SpaceBetween size="m">
      {runners === undefined ? null : (
        <Alert type={runners.allowed ? 'success' : 'info'}>
          {format.sentences([
            runners.allowed
              ? t('documents.permissions.allowed')
              : t('documents.permissions.missing', {
                  permission: runners.missingPermission ?? '-',
                }),
            t('documents.permissions.why', {
              consequence: t(`commands.consequence.${runners.consequence}`),
            }),
          ])}
        </Alert>
      )}
      <DataTable
        id="document-permissions"
        label={t('documents.tab.permissions')}
        columns={columns}
        rows={runners?.roles}
        rowKey={(row) => row.id}
        query={query}
        empty={{ title: t('documents.permissions.nobody') }}
        variant="embedded"
        withoutSettings
      />
    </SpaceBetween>
  );
}

function useRunnerColumns(): readonly TableColumn<DocumentRunner>[] {
  const t = useT();
  const format = useFormat();
  const { may } = useViewer();
  const readsRoles = may('access:read');
  return useMemo(
    (): readonly TableColumn<DocumentRunner>[] => [
      {
        id: 'role',
        header: t('documents.permissions.role'),
        rowHeader: true,
        cell: (row) =>
          readsRoles ? (
            <PortalLink href={`/uam/roles/${row.id}`}>{roleName(row.name, t)}</PortalLink>
          ) : (
            roleName(row.name, t)
          ),
      },
      {
        id: 'by',
        header: t('documents.permissions.by'),
        cell: (row) => (
          <SpaceBetween size="xxs">
            {row.permissions.map((permission) => (
              <div key={permission}>
                {permissionWords(permission, t)} <code>{permission}</code>
              </div>
            ))}
          </SpaceBetween>
        ),
      },
      {
        id: 'scope',
        header: t('documents.permissions.scope'),
        cell: (row) => scopeWords(row.scope, t, format),
      },
      {
        id: 'approves',
        header: t('documents.permissions.approves'),
        cell: (row) => t(row.approves ? 'documents.permissions.yes' : 'documents.permissions.no'),
      },
    ],
    [t, format, readsRoles],
  );
}
