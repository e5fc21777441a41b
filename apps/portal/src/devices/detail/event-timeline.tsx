import Box from '@cloudscape-design/components/box';
import Skeleton from '@cloudscape-design/components/skeleton';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { auditTypeWords } from '../../audit-trail/audit-event-words.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { Time } from '../../ui/time/time.tsx';
import { useViewer } from '../../session/viewer-context.tsx';

export interface EventTimelineProps {
  readonly deviceId: string;
  readonly count: number;
}

/** The last events of a device, newest first. */
export function EventTimeline({ deviceId, count }: EventTimelineProps): ReactNode {
  const t = useT();
  const api = useApi();
  const allowed = useViewer().may('audit-trail:read');
  const events = useQuery(
    api.auditTrail.list.queryOptions(
      { filter: { deviceId }, pageSize: count },
      { enabled: allowed },
    ),
  );
  if (!allowed) {
    return (
      <Box color="text-body-secondary">
        {t('app.needsPermission', { permission: 'audit-trail:read' })}
      </Box>
    );
  }
  if (events.isError) {
    return <ErrorView error={events.error} place="alert" onRetry={() => void events.refetch()} />;
  }
  if (events.isPending) return <TimelineSkeleton />;
  const { rows } = events.data;
  if (rows.length === 0) {
    return (
      <Box textAlign="center" margin={{ vertical: 's' }}>
        <Box variant="strong">{t('auditTrail.none')}</Box>
        <Box color="text-body-secondary">{t('devices.overview.noEvents')}</Box>
      </Box>
    );
  }
  return (
    <ol className="dp-timeline">
      {rows.map((event) => (
        <li key={event.id}>
          <span className="dp-timeline-time">
            <Time at={event.at} />
          </span>
          <span>
            {auditTypeWords(event.type, t)}
            {/* Events of the device itself do not repeat its name on its own page. */}
            {event.actor.kind === 'device' ? null : (
              <Box variant="span" color="text-body-secondary">
                {' · '}
                {event.actor.name}
              </Box>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}

const SKELETON_ROWS = 5;

function TimelineSkeleton(): ReactNode {
  const t = useT();
  return (
    <ol className="dp-timeline" aria-label={t('app.table.loading')} aria-busy="true">
      {Array.from({ length: SKELETON_ROWS }, (_row, at) => (
        <li key={at}>
          <Skeleton width="70%" />
          <Skeleton />
        </li>
      ))}
    </ol>
  );
}
