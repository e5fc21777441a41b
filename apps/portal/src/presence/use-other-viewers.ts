import { useEffect, useState } from 'react';
import { PRESENCE_EVERY_MS, type PresentPerson } from '@deviceportal/contract/presence';
import { useApiClient } from '../api/use-api.ts';

/**
 * Reports periodically that the visible page is open, and returns the other users. Failures are
 * ignored, because the next report follows.
 */
export function useOtherViewers(deviceId: string): readonly PresentPerson[] {
  const client = useApiClient();
  const [others, setOthers] = useState<readonly PresentPerson[]>([]);
  useEffect(() => {
    let isHere = true;
    const announce = (): void => {
      if (document.visibilityState !== 'visible') return;
      client.presence.announce.mutate({ deviceId }).then(
        (found) => {
          if (isHere) setOthers(found);
        },
        () => {},
      );
    };
    announce();
    const timer = setInterval(announce, PRESENCE_EVERY_MS);
    document.addEventListener('visibilitychange', announce);
    return () => {
      isHere = false;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', announce);
      client.presence.announce.mutate({ deviceId, leaving: true }).catch(() => {});
    };
  }, [deviceId, client]);
  return others;
}
