import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { useConnection } from '../live/connection-store.ts';
import { useLostAtMs } from '../live/live-state.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { localMs, useServerNow } from '../ui/time/server-clock.ts';
import { askForSignIn } from '../session/sign-in-request.ts';
import { useViewer } from '../session/viewer-context.tsx';

const RETRY_MS = 15_000;
/** A short break is over before it is read. */
const LIVE_UPDATES_OFF_AFTER_MS = 10_000;
const WARN_BEFORE_END_MS = 300_000;

/** Error 2002: what is on screen stays and says how old it is; it tries again by itself. */
export function OfflineBanner(): ReactNode {
  const t = useT();
  const format = useFormat();
  const { offline, answeredAtMs } = useConnection();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!offline) return undefined;
    const retry = (): void => {
      if (document.hidden) return;
      // A slow answer is waited for.
      void queryClient.refetchQueries({ type: 'active' }, { cancelRefetch: false });
    };
    const timer = setInterval(retry, RETRY_MS);
    window.addEventListener('online', retry);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', retry);
    };
  }, [offline, queryClient]);
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

/** The live channel is lost while the server answers: the page follows by asking, and says how often. */
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

/** Five minutes before the session's absolute end: time enough to sign in again without losing the page. */
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
