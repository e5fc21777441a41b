import Box from '@cloudscape-design/components/box';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { Time } from '../ui/time/time.tsx';
import { AirBlastStatus } from './air-blast-status.tsx';
import { refreshMs } from '../live/refresh-policy.ts';

const SHOWN = 10;

/** The viewer’s unfinished rollouts, for the activity panel of every page. */
export function MyAirBlasts(): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.airBlast.list.queryOptions(
      { mine: true, active: true, pageSize: SHOWN },
      { refetchInterval: refreshMs.work },
    ),
  );
  if (query.data === undefined || query.data.rows.length === 0) return null;
  return (
    <section>
      <Box variant="h3" padding={{ bottom: 'xs' }}>
        {t('app.nav.airBlast')}
      </Box>
      <ul className="dp-activity">
        {query.data.rows.map((run) => (
          <li key={run.id}>
            <div className="dp-activity-line">
              <PortalLink href={`/air-blast/${run.id}`}>{run.name}</PortalLink>
              <Box color="text-body-secondary" fontSize="body-s">
                <Time at={run.updatedAt} />
              </Box>
            </div>
            <Box fontSize="body-s">{t('airBlast.onDevices', { devices: run.targetCount })}</Box>
            <Box fontSize="body-s">
              <AirBlastStatus run={run} />
            </Box>
          </li>
        ))}
      </ul>
    </section>
  );
}
