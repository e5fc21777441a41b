import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { AccessGrantRow, MadeByAccessGrant } from '@deviceportal/contract/access-grants';
import { useApi } from '../../api/use-api.ts';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import { roleName } from '../roles/role-words.ts';

/** Lists what a user created with temporary access, and whether it can still be used. */
export function CreatedWithGrantDialog({
  accessGrant,
  onClose,
}: {
  readonly accessGrant: Pick<AccessGrantRow, 'id' | 'username' | 'roleName'>;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const { id, username: name, roleName: role } = accessGrant;
  const query = useQuery(api.access.accessGrants.made.queryOptions({ id }));
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <Modal
      visible
      size="large"
      header={t('access.accessGrant.madeOf', { name, role: roleName(role, t) })}
      closeAriaLabel={t('app.close')}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <Button variant="primary" onClick={onClose}>
            {t('app.close')}
          </Button>
        </Box>
      }
    >
      <DataTable
        id="access-grant-made"
        label={t('access.accessGrant.made')}
        variant="container"
        withoutSettings
        wrapLines
        columns={columns}
        rows={query.data}
        rowKey={({ kind, id: made }) => `${kind} ${made}`}
        query={query}
        empty={{ title: t('access.accessGrant.madeNone') }}
      />
    </Modal>
  );
}

const pages: Readonly<Record<MadeByAccessGrant['kind'], (made: MadeByAccessGrant) => string>> = {
  claim: () => '/devices?dialog=claims',
  schedule: () => '/commands',
  'report-share': ({ name }) => `/reports/user-report?report=${name}`,
  'access-key': () => '/uam/provider',
};

function columnsOf(t: Translate): readonly TableColumn<MadeByAccessGrant>[] {
  return [
    {
      id: 'kind',
      header: t('access.accessGrant.made.kind'),
      cell: (made) => (
        <PortalLink href={pages[made.kind](made)}>
          {t(`access.accessGrant.made.${made.kind}`)}
        </PortalLink>
      ),
      rowHeader: true,
      always: true,
      width: 150,
    },
    {
      id: 'name',
      header: t('access.accessGrant.made.name'),
      cell: ({ id, kind, name }) => (name === '' || kind === 'report-share' ? id : name),
      width: 220,
    },
    {
      id: 'at',
      header: t('access.column.created'),
      cell: ({ at }) => <Time at={at} style="absolute" />,
      width: 210,
    },
    {
      id: 'state',
      header: t('access.column.status'),
      cell: ({ inForce }) =>
        inForce ? (
          <StatusIndicator type="success">{t('access.accessGrant.made.inForce')}</StatusIndicator>
        ) : (
          <StatusIndicator type="stopped">{t('access.accessGrant.made.ended')}</StatusIndicator>
        ),
      width: 120,
    },
  ];
}
