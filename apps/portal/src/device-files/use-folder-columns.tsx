import Button from '@cloudscape-design/components/button';
import Icon from '@cloudscape-design/components/icon';
import { useMemo, type ReactNode } from 'react';
import type { DeviceFolderEntry } from '@deviceportal/contract/device-files';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';
import { shownName } from './shown-name.ts';

interface Acts {
  /** Whether the entries are the allowed folders. */
  readonly isTop: boolean;
  readonly onOpen: (entry: DeviceFolderEntry) => void;
  readonly onDownload: (entry: DeviceFolderEntry) => void;
}

const icons = { folder: 'folder', file: 'file', link: 'share', other: 'status-info' } as const;

/** Whether an entry can be opened: a link can lead to a file. */
const isOpened = ({ kind, isExact }: DeviceFolderEntry): boolean => isExact && kind !== 'other';

export function useFolderColumns({ isTop, onOpen, onDownload }: Acts) {
  const t = useT();
  const format = useFormat();
  return useMemo((): TableColumn<DeviceFolderEntry>[] => {
    const name: TableColumn<DeviceFolderEntry> = {
      id: 'name',
      header: t('deviceFiles.column.name'),
      cell: (entry) => <EntryName entry={entry} onOpen={onOpen} />,
      ...(isTop ? {} : { sort: 'name' }),
      rowHeader: true,
      always: true,
      width: 340,
    };
    if (isTop) return [name];
    return [
      name,
      {
        id: 'bytes',
        header: t('deviceFiles.column.bytes'),
        cell: ({ bytes }) => (bytes === null ? '-' : format.bytes(bytes)),
        sort: 'bytes',
        numeric: true,
        width: 120,
      },
      {
        id: 'modifiedAt',
        header: t('deviceFiles.column.modifiedAt'),
        cell: ({ modifiedAt }) => <Time at={modifiedAt} />,
        sort: 'modifiedAt',
        width: 170,
      },
      {
        id: 'download',
        header: t('deviceFiles.column.action'),
        cell: (entry) =>
          entry.kind === 'file' && entry.isExact ? (
            <Button
              variant="inline-link"
              ariaLabel={t('deviceFiles.downloadName', { name: shownName(entry.name) })}
              onClick={() => onDownload(entry)}
            >
              {t('deviceFiles.download')}
            </Button>
          ) : (
            '-'
          ),
        always: true,
        width: 130,
      },
    ];
  }, [t, format, isTop, onOpen, onDownload]);
}

function EntryName({
  entry,
  onOpen,
}: {
  readonly entry: DeviceFolderEntry;
  readonly onOpen: (entry: DeviceFolderEntry) => void;
}): ReactNode {
  const t = useT();
  const name = shownName(entry.name);
  return (
    <span className="dp-file-name">
      <Icon name={icons[entry.kind]} ariaLabel={t(`deviceFiles.kind.${entry.kind}`)} />{' '}
      {isOpened(entry) ? (
        <Button variant="inline-link" onClick={() => onOpen(entry)}>
          {name}
        </Button>
      ) : (
        <span>
          {name}
          {entry.isExact ? null : ` (${t('deviceFiles.inexact')})`}
        </span>
      )}
    </span>
  );
}
