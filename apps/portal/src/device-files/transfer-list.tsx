import Button from '@cloudscape-design/components/button';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import type { FileTransfer } from '@deviceportal/contract/device-files';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { CopyableId } from '../ui/copyable-id.tsx';
import { downloadFrom } from '../ui/download-from.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { unfollow, useDeviceFiles, type FollowedTransfer } from './files-store.ts';
import { shownName } from './shown-name.ts';
import { useTransfer } from './use-transfer.ts';

/** Downloads and uploads of this tab, with their progress. */
export function TransferList({ deviceId }: { readonly deviceId: string }): ReactNode {
  const t = useT();
  const { transfers } = useDeviceFiles(deviceId);
  if (transfers.length === 0) return null;
  return (
    <section aria-label={t('deviceFiles.transfers')}>
      <SpaceBetween size="s">
        {transfers.map((transfer) => (
          <TransferRow key={transfer.id} deviceId={deviceId} followed={transfer} />
        ))}
      </SpaceBetween>
    </section>
  );
}

function TransferRow({
  deviceId,
  followed: { id, name, action },
}: {
  readonly deviceId: string;
  readonly followed: FollowedTransfer;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useTransfer(id);
  const cancel = useMutation(
    api.deviceFiles.cancel.mutationOptions({ onSuccess: () => void query.refetch() }),
  );
  const transfer = query.data;
  useDownloadWhenDone(transfer, name);
  const hasEnded = transfer?.state === 'done' || transfer?.state === 'failed';
  return (
    <SpaceBetween direction="horizontal" size="s" alignItems="center">
      <div className="dp-transfer">
        {hasEnded ? (
          <EndedTransfer transfer={transfer} name={name} />
        ) : (
          <ProgressBar
            value={shareOf(transfer) * 100}
            label={t(`deviceFiles.transfer.${action}`, { name: shownName(name) })}
            description={t(`deviceFiles.transfer.${transfer?.state ?? 'sent'}`)}
          />
        )}
      </div>
      {hasEnded ? (
        <Button
          iconName="close"
          variant="icon"
          ariaLabel={t('deviceFiles.hide', { name: shownName(name) })}
          onClick={() => unfollow(deviceId, id)}
        />
      ) : (
        <Button onClick={() => cancel.mutate({ id })} loading={cancel.isPending}>
          {t('app.cancel')}
        </Button>
      )}
      {query.isError && !hasEnded ? <ErrorView error={query.error} place="alert" /> : null}
    </SpaceBetween>
  );
}

const shareOf = (transfer: FileTransfer | undefined): number =>
  transfer?.bytes ? transfer.receivedBytes / transfer.bytes : 0;

/** Once: the browser continues the download by itself after a lost connection. */
function useDownloadWhenDone(transfer: FileTransfer | undefined, name: string): void {
  const isStarted = useRef(false);
  const url = transfer?.url ?? null;
  useEffect(() => {
    if (url === null || isStarted.current) return;
    isStarted.current = true;
    downloadFrom(url, name);
  }, [url, name]);
}

function EndedTransfer({
  transfer: { state, failure, action, bytes, sha256, url },
  name,
}: {
  readonly transfer: FileTransfer;
  readonly name: string;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  if (state === 'failed')
    return (
      <StatusIndicator type={failure === 'canceled' ? 'stopped' : 'error'}>
        {shownName(name)}: {t(`deviceFiles.failure.${failure ?? 'failed'}`)}
      </StatusIndicator>
    );
  const done = action === 'write' ? 'written' : 'received';
  return (
    <SpaceBetween direction="horizontal" size="s" alignItems="center">
      <StatusIndicator type="success">
        {t(`deviceFiles.transfer.${done}`, {
          name: shownName(name),
          size: format.bytes(bytes ?? 0),
        })}
      </StatusIndicator>
      {url === null ? null : (
        <Button variant="inline-link" iconName="download" onClick={() => downloadFrom(url, name)}>
          {t('deviceFiles.downloadAgain')}
        </Button>
      )}
      <span>
        SHA-256{' '}
        <CopyableId value={sha256} name="SHA-256" shown={`${(sha256 ?? '').slice(0, 12)}…`} />
      </span>
    </SpaceBetween>
  );
}
