import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import Header from '@cloudscape-design/components/header';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { SoftwareVersionRow } from '@deviceportal/contract/versions';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';
import { encodeFilter } from '../ui/filter-codec.ts';
import { CopyableId } from '../ui/copyable-id.tsx';
import { navigateTo } from '../ui/navigate-to.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { StatusOf } from '../ui/status-of.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { devicesWithSoftware } from './devices-with-software.ts';
import { ApproveDialog, BlockDialog, RegisterDialog } from './software-dialogs.tsx';
import { UploadDialog } from './upload-dialog.tsx';
import { useChangedVersions } from './use-changed-versions.ts';

type Asked =
  | { readonly kind: 'approve' | 'block' | 'upload'; readonly row: SoftwareVersionRow }
  | 'register';

/** Registered versions of a component with their actions. */
export function SoftwareTable({ component }: { readonly component: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const { may } = useViewer();
  const query = useQuery(api.versions.list.queryOptions({ component }));
  const [asked, setAsked] = useState<Asked | null>(null);
  const columns = useSoftwareColumns(setAsked);
  const close = (): void => setAsked(null);
  return (
    <>
      <DataTable
        id="software-versions"
        label={t('versions.software.title')}
        variant="container"
        withoutSettings
        wrapLines
        columns={columns}
        rows={query.data}
        rowKey={({ version }) => version}
        query={query}
        empty={{ title: t('versions.software.none'), body: t('versions.software.noneBody') }}
        header={
          <Header
            variant="h2"
            actions={
              may('versions:manage') ? (
                <Button onClick={() => setAsked('register')}>
                  {t('versions.software.register')}
                </Button>
              ) : null
            }
          >
            {t('versions.software.title')}
          </Header>
        }
      />
      {asked === 'register' ? (
        <RegisterDialog component={component} onClose={close} onRegistered={showComponent} />
      ) : null}
      {asked !== null && asked !== 'register' && asked.kind === 'approve' ? (
        <ApproveDialog row={asked.row} onClose={close} />
      ) : null}
      {asked !== null && asked !== 'register' && asked.kind === 'upload' ? (
        <UploadDialog row={asked.row} onClose={close} />
      ) : null}
      {asked !== null && asked !== 'register' && asked.kind === 'block' ? (
        <BlockDialog row={asked.row} onClose={close} />
      ) : null}
    </>
  );
}

function useSoftwareColumns(
  onAsk: (asked: Asked) => void,
): readonly TableColumn<SoftwareVersionRow>[] {
  const t = useT();
  const format = useFormat();
  const mayManage = useViewer().may('versions:manage');
  return useMemo(
    (): readonly TableColumn<SoftwareVersionRow>[] => [
      {
        id: 'version',
        header: t('versions.column.version'),
        cell: ({ component, version, channel, notes }) => (
          <>
            <PortalLink
              href={devicesWithSoftware(component, version)}
              ariaLabel={t('versions.installed.devices', { component, version })}
            >
              {version}
            </PortalLink>
            {channel === 'beta' ? <> ({t('versions.software.channel.beta')})</> : null}
            {notes === '' ? null : (
              <Box variant="small" display="block">
                {notes}
              </Box>
            )}
          </>
        ),
        rowHeader: true,
        always: true,
        minWidth: 150,
      },
      {
        id: 'state',
        header: t('versions.column.state'),
        cell: ({ state }) => <StatusOf kind="softwareVersion" value={state} />,
        // Minimum width that keeps words on one line.
        minWidth: 150,
      },
      {
        id: 'devices',
        header: t('versions.column.devices'),
        cell: ({ devices }) => format.number(devices),
        numeric: true,
      },
      {
        id: 'models',
        header: t('versions.software.models'),
        minWidth: 110,
        cell: ({ models }) => models.join(', ') || t('versions.approvals.allModels'),
      },
      {
        id: 'artifact',
        header: t('versions.software.file'),
        minWidth: 150,
        cell: ({ artifact }) => <SoftwareFile artifact={artifact} />,
      },
      ...(mayManage
        ? [
            {
              id: 'actions',
              header: t('versions.column.actions'),
              cell: (row: SoftwareVersionRow) => <SoftwareActions row={row} onAsk={onAsk} />,
            },
          ]
        : []),
    ],
    [t, format, mayManage, onAsk],
  );
}

/** A link to plan a rollout on the devices with another version of the component. */
function airBlastOf({ component, version, models }: SoftwareVersionRow): string {
  const q = encodeFilter({
    operation: 'and',
    tokens: [
      { key: 'software', operator: '=', values: [component] },
      { key: 'software', operator: '!=', values: [`${component}:${version}`] },
      ...(models.length === 0
        ? []
        : [{ key: 'model', operator: '=', values: [...models] } as const]),
    ],
  });
  return `/air-blast?${new URLSearchParams({ plan: '1', component, version, q }).toString()}`;
}

const showComponent = (component: string): void =>
  navigateTo(`/tavs?${new URLSearchParams({ component, tab: 'software' }).toString()}`);

/** The actions of a version, which depend on its state. */
function SoftwareActions(props: {
  readonly row: SoftwareVersionRow;
  readonly onAsk: (asked: Asked) => void;
}): ReactNode {
  const { row, onAsk } = props;
  const t = useT();
  const api = useApi();
  const showError = useErrorFlash();
  const changed = useChangedVersions();
  const change = useMutation(
    api.versions.changeState.mutationOptions({ onSuccess: changed, onError: showError }),
  );
  const { may } = useViewer();
  const { component, version } = row;
  const act = useCallback(
    (id: string) => {
      if (id === 'roll-out') navigateTo(airBlastOf(row));
      else if (id === 'approve-for') onAsk({ kind: 'approve', row });
      else if (id === 'upload') onAsk({ kind: 'upload', row });
      else if (id === 'blocked') onAsk({ kind: 'block', row });
      else if (id === 'approved' || id === 'deprecated') {
        change.mutate({ component, version, state: id });
      }
    },
    [change, component, version, onAsk, row],
  );
  const items = [
    ...(row.state === 'approved' && may('air-blast:run')
      ? [{ id: 'roll-out', text: t('versions.software.rollOut') }]
      : []),
    ...(row.state === 'draft' ? [{ id: 'approved', text: t('versions.software.approve') }] : []),
    ...(row.state === 'draft' || (row.state === 'approved' && row.artifact === null)
      ? [{ id: 'upload', text: t('versions.software.upload') }]
      : []),
    ...(row.state === 'approved'
      ? [
          { id: 'approve-for', text: t('versions.software.approveFor') },
          { id: 'deprecated', text: t('versions.software.deprecate') },
        ]
      : []),
    ...(row.state === 'blocked' ? [] : [{ id: 'blocked', text: t('versions.software.block') }]),
  ];
  if (items.length === 0) return null;
  return (
    <ButtonDropdown
      variant="inline-icon"
      expandToViewport
      ariaLabel={t('versions.software.actions', { version })}
      loading={change.isPending}
      items={items}
      onItemClick={({ detail }) => act(detail.id)}
    />
  );
}

/** The name, size, and digest of an uploaded file. */
function SoftwareFile({ artifact }: Pick<SoftwareVersionRow, 'artifact'>): ReactNode {
  const t = useT();
  const format = useFormat();
  if (artifact === null) return t('versions.software.noFile');
  return (
    <>
      <div>{artifact.name}</div>
      <div>{format.bytes(artifact.bytes)}</div>
      <CopyableId
        value={artifact.sha256}
        name="SHA-256"
        shown={`${artifact.sha256.slice(0, 8)}…`}
      />
    </>
  );
}
