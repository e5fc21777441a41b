import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import { useChunkState } from '../chunks/chunk-state.ts';
import { loadNewRelease } from '../chunks/is-release-replaced.ts';
import { useT } from '../i18n/use-t.ts';

/** Shown while a file of the portal is retried, or cannot be loaded without the new release. */
export function ChunkAlerts(): ReactNode {
  const t = useT();
  const { isSlow, isReplaced } = useChunkState();
  if (isReplaced) {
    return (
      <Alert
        type="info"
        header={t('app.release.title')}
        action={<Button onClick={() => void loadNewRelease()}>{t('app.release.load')}</Button>}
      >
        {t('app.release.body')}
      </Alert>
    );
  }
  if (!isSlow) return null;
  return (
    <Box padding={{ bottom: 's' }}>
      <StatusIndicator type="loading">{t('app.chunks.retrying')}</StatusIndicator>
    </Box>
  );
}
