import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, lazy, useState, type ReactNode } from 'react';
import type { DeviceFolderEntry } from '@deviceportal/contract/device-files';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import { useApiClient } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import { useKeysetPages } from '../ui/table/use-keyset-pages.ts';
import { follow } from './files-store.ts';
import { failureIn } from './failure-in.ts';
import { FileView } from './file-view.tsx';
import { FolderPath } from './folder-path.tsx';
import { joinPath, nameOf } from './shown-name.ts';
import { useFolder, type FolderOrder } from './use-folder.ts';
import { useFolderColumns } from './use-folder-columns.tsx';

const UploadDialog = lazy(async () => ({
  default: (await import('./upload-dialog.tsx')).UploadDialog,
}));
const route = getRouteApi('/devices/$id');

interface FolderProps {
  readonly device: DeviceDetail;
  readonly reason: string;
}

/** A folder of the device; the one in the address, or the list of allowed folders. */
export function FolderView({ device, reason }: FolderProps): ReactNode {
  const t = useT();
  const { path } = route.useSearch();
  const [order, setOrder] = useState<FolderOrder>({ sort: 'name', isDescending: false });
  const [viewed, setViewed] = useState<string | null>(null);
  const [isUploading, setUploading] = useState(false);
  const pages = useKeysetPages(JSON.stringify([path, order]));
  const offset = Number(pages.cursor ?? 0);
  const query = useFolder({ deviceId: device.id, reason, path, order, offset });
  const open = useOpenPath(() => setViewed(null));
  const download = useDownload(device.id, reason);
  const failure = failureIn(query.error);
  const folder = failure === null ? query.data : undefined;
  const shownTo = offset + (folder?.entries.length ?? 0);
  const total =
    folder === undefined ? undefined : { count: folder.total, exact: folder.isComplete };
  const columns = useFolderColumns({
    isTop: path === '',
    onOpen: (entry) =>
      entry.kind === 'folder'
        ? open(joinPath(path, entry.name))
        : setViewed(joinPath(path, entry.name)),
    onDownload: ({ name }) => download.mutate(joinPath(path, name)),
  });
  return (
    <SpaceBetween size="m">
      {download.error === null ? null : <ErrorView error={download.error} place="alert" />}
      {folder?.isComplete === false ? (
        <Alert type="info">{t('deviceFiles.incomplete', { count: folder.total })}</Alert>
      ) : null}
      <DataTable<DeviceFolderEntry>
        id="device-files"
        label={t('deviceFiles.title')}
        variant="container"
        columns={columns}
        rows={failure === null ? folder?.entries : []}
        rowKey={({ name }) => name}
        query={failure === null ? query : { ...query, error: null }}
        empty={
          failure === null
            ? { title: t('deviceFiles.empty'), body: t('deviceFiles.emptyBody') }
            : { title: t('deviceFiles.notShown'), body: t(`deviceFiles.failure.${failure}`) }
        }
        sorting={{ sort: order.sort, descending: order.isDescending }}
        onSort={({ sort, descending }) =>
          setOrder({ sort: sort as FolderOrder['sort'], isDescending: descending })
        }
        paging={{
          ...{ pages, total },
          nextCursor: folder !== undefined && shownTo < folder.total ? String(shownTo) : null,
        }}
        header={
          <FolderHeader
            {...{ path, isWritable: folder?.isWritable ?? false, onOpen: open }}
            onRefresh={() => void query.refetch()}
            onUpload={() => setUploading(true)}
          />
        }
        footer={t('deviceFiles.notRedacted')}
      />
      {viewed === null ? null : (
        <FileView
          key={viewed}
          {...{ deviceId: device.id, reason, path: viewed }}
          onClose={() => setViewed(null)}
        />
      )}
      <Suspense>
        {isUploading ? (
          <UploadDialog
            {...{ deviceId: device.id, reason, folder: path, names: namesOf(folder?.entries) }}
            onClose={() => setUploading(false)}
          />
        ) : null}
      </Suspense>
    </SpaceBetween>
  );
}

const namesOf = (entries: readonly DeviceFolderEntry[] = []): readonly string[] =>
  entries.map(({ name }) => name);

/** Opens a folder by its address. */
function useOpenPath(onOpened: () => void): (path: string) => void {
  const navigate = route.useNavigate();
  return (path) => {
    onOpened();
    void navigate({ search: (old) => ({ ...old, path }), resetScroll: false });
  };
}

/** Asks for whole files, which the list of transfers follows. */
function useDownload(deviceId: string, reason: string) {
  const client = useApiClient();
  return useMutation({
    mutationFn: (path: string) =>
      client.deviceFiles.read.mutate({ deviceId, reason, path, part: 'whole' }),
    onSuccess: ({ id }, path) => follow(deviceId, { id, name: nameOf(path), action: 'read' }),
  });
}

interface HeaderProps {
  readonly path: string;
  readonly isWritable: boolean;
  readonly onOpen: (path: string) => void;
  readonly onRefresh: () => void;
  readonly onUpload: () => void;
}

function FolderHeader(props: HeaderProps): ReactNode {
  const t = useT();
  const { may } = useViewer();
  return (
    <Header
      variant="h2"
      description={<FolderPath path={props.path} onOpen={props.onOpen} />}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button iconName="refresh" onClick={props.onRefresh}>
            {t('deviceFiles.refresh')}
          </Button>
          {may('files:write') && props.isWritable ? (
            <Button iconName="upload" onClick={props.onUpload}>
              {t('deviceFiles.upload')}
            </Button>
          ) : null}
        </SpaceBetween>
      }
    >
      {t('deviceFiles.title')}
    </Header>
  );
}
