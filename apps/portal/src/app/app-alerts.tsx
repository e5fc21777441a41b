import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { setConnectionLossReported, useConnection } from '../live/connection-store.ts';
import { useLostAtMs } from '../live/live-state.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { localMs, useServerNow } from '../ui/time/server-clock.ts';
import { askForSignIn } from '../session/sign-in-request.ts';
import { useViewer } from '../session/viewer-context.tsx';

const RETRY_MS = 15_000;
/** Milliseconds. Shorter interruptions are not reported. */
const LIVE_UPDATES_OFF_AFTER_MS = 10_000;
const WARN_BEFORE_END_MS = 300_000;

/** Error 2002: the page keeps its data, states how old it is, and retries automatically. */
export function OfflineBanner(): ReactNode {
  const t = useT();
  const format = useFormat();
  const { offline, answeredAtMs } = useConnection();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!offline) return undefined;
    const retry = (): void => {
      if (document.hidden) return;
      // Does not cancel requests that are still in progress.
      void queryClient.refetchQueries({ type: 'active' }, { cancelRefetch: false });
    };
    const timer = setInterval(retry, RETRY_MS);
    window.addEventListener('online', retry);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', retry);
    };
  }, [offline, queryClient]);
  useEffect(() => {
    setConnectionLossReported(offline);
    return () => setConnectionLossReported(false);
  }, [offline]);
  if (!offline) return null;
  return (
    <Alert
      type="warning"
      header={t('app.offline.title')}
      action={
        <Button onClick={() => void queryClient.refetchQueries({ type: 'active' })}>
          {t('app.offline.retry')}
        </Button>
      }
    >
      {t('app.offline.body', { time: format.clock(answeredAtMs) })}
    </Alert>
  );
}

/** Without the live channel while the server responds: the page polls, and states how often. */
export function LiveUpdatesOff(): ReactNode {
  const t = useT();
  const lostAtMs = useLostAtMs();
  const { offline } = useConnection();
  const nowMs = localMs(useServerNow());
  if (lostAtMs === null || offline || nowMs - lostAtMs < LIVE_UPDATES_OFF_AFTER_MS) return null;
  return (
    <Box padding={{ bottom: 's' }}>
      <StatusIndicator type="info">
        {t('app.liveUpdatesOff', { seconds: refreshMs.list / 1_000 })}
      </StatusIndicator>
    </Box>
  );
}

/**
 * Shown five minutes before the absolute end of the session, so that the user can sign in again
 * without losing the page.
 */
export function SessionEndBanner(): ReactNode {
  const t = useT();
  const format = useFormat();
  const { detail } = useViewer();
  const nowMs = useServerNow();
  const [dismissed, setDismissed] = useState('');
  const endsAtMs = Date.parse(detail.endsAt);
  const leftMs = endsAtMs - nowMs;
  if (leftMs > WARN_BEFORE_END_MS || leftMs <= 0 || dismissed === detail.endsAt) return null;
  return (
    <Alert
      type="warning"
      dismissible
      dismissAriaLabel={t('app.close')}
      onDismiss={() => setDismissed(detail.endsAt)}
      header={t('app.sessionEnding.title', {
        time: format.clock(localMs(endsAtMs)),
      })}
      action={<Button onClick={askForSignIn}>{t('app.sessionEnding.stay')}</Button>}
    />
  );
}
