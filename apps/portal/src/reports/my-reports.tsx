import Box from '@cloudscape-design/components/box';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { StatusOf } from '../ui/status-of.tsx';
import { Time } from '../ui/time/time.tsx';
import { reportHref } from './report-href.ts';
import { refreshMs, refreshWhile } from '../live/refresh-policy.ts';

const SHOWN = 5;

/** The viewer’s latest reports, including those in progress. */
export function MyReports(): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.reports.list.queryOptions(
      { mine: true, pageSize: SHOWN },
      {
        staleTime: 0,
        refetchInterval: (asked) =>
          refreshWhile(
            asked.state.data?.rows.some(({ endedAt }) => endedAt === null),
            asked,
            refreshMs.soon,
          ),
      },
    ),
  );
  if (query.data === undefined || query.data.rows.length === 0) return null;
  return (
    <section>
      <Box variant="h3" padding={{ bottom: 'xs' }}>
        {t('reports.list')}
      </Box>
      <ul className="dp-activity">
        {query.data.rows.map(({ id, personLabel, state, createdAt, endedAt }) => (
          <li key={id}>
            <div className="dp-activity-line">
              <PortalLink href={reportHref(id)}>
                {t('reports.about', { name: personLabel })}
              </PortalLink>
              <Box color="text-body-secondary" fontSize="body-s">
                <Time at={endedAt ?? createdAt} />
              </Box>
            </div>
            <Box fontSize="body-s">
              <StatusOf kind="report" value={state} />
            </Box>
          </li>
        ))}
      </ul>
    </section>
  );
}
