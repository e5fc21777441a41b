import Button from '@cloudscape-design/components/button';
import Link from '@cloudscape-design/components/link';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import type { RunningAccessGrant } from '@deviceportal/contract/access-grants';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';
import { followWithRouter } from '../../ui/follow-with-router.ts';
import { localMs, serverNowMs } from '../../ui/time/server-clock.ts';
import { roleName } from '../roles/role-words.ts';
import { useAccessGrantsChanged } from './use-access-grants-changed.ts';
import './access-grant-bar.css';

const SECOND_MS = 1_000;
/**
 * Milliseconds to wait after the end, so that the server has ended the grant when permissions are
 * loaded again.
 */
const AFTER_END_MS = 300;

/**
 * On every page while the viewer has temporary access: the role, the remaining time, and the button
 * that ends it.
 */
export function AccessGrantBar({
  accessGrant,
}: {
  readonly accessGrant: RunningAccessGrant;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const format = useFormat();
  const changed = useAccessGrantsChanged();
  const endsAtMs = Date.parse(accessGrant.endsAt);
  const leftMs = useCountdown(endsAtMs, changed);
  const end = useMutation(
    api.access.accessGrants.end.mutationOptions({ onError: useErrorFlash(), onSettled: changed }),
  );
  const role = roleName(accessGrant.role, t);
  return (
    <section
      className="dp-access-grant-bar awsui-context-top-navigation"
      aria-label={t('access.accessGrant.bar')}
    >
      <div className="dp-access-grant-words">
        <Link href="/uam/temporary-access?show=mine" onFollow={followWithRouter} fontSize="body-m">
          {t('access.accessGrant.holds', { role })}
        </Link>
        <span role="timer" className="dp-access-grant-left">
          {t('access.accessGrant.left', {
            left: clockOf(leftMs),
            time: format.clock(localMs(endsAtMs)),
          })}
        </span>
      </div>
      <Button
        loading={end.isPending}
        ariaLabel={t('access.accessGrant.endMine', { role })}
        onClick={() => end.mutate({ id: accessGrant.id })}
      >
        {t('access.accessGrant.endNow')}
      </Button>
    </section>
  );
}

/** Milliseconds left, updated every second. Calls `onEnd` once, after the end. */
function useCountdown(endsAtMs: number, onEnd: () => void): number {
  const [leftMs, setLeftMs] = useState(() => endsAtMs - serverNowMs());
  useEffect(() => {
    const tick = setInterval(() => setLeftMs(endsAtMs - serverNowMs()), SECOND_MS);
    const over = setTimeout(onEnd, Math.max(0, endsAtMs - serverNowMs()) + AFTER_END_MS);
    return () => {
      clearInterval(tick);
      clearTimeout(over);
    };
  }, [endsAtMs, onEnd]);
  return Math.max(0, leftMs);
}

/** Formats a duration as `59:07`, or as `1:00:00` from one hour. */
function clockOf(leftMs: number): string {
  const seconds = Math.ceil(leftMs / SECOND_MS);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}
