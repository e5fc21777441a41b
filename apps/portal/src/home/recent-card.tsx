import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import Box from '@cloudscape-design/components/box';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { pathOfRecentItem } from './path-of-recent-item.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { Time } from '../ui/time/time.tsx';

/** Items that the viewer opened recently, on any machine. */
export function RecentCard(): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(api.session.recent.queryOptions());
  return (
    <Container fitHeight header={<Header variant="h2">{t('home.recent.title')}</Header>}>
      {query.error !== null && query.data === undefined ? (
        <ErrorView error={query.error} place="alert" onRetry={() => void query.refetch()} />
      ) : query.data?.length === 0 ? (
        <Box color="text-body-secondary">{t('home.recent.none')}</Box>
      ) : (
        <ul className="home-list">
          {(query.data ?? []).slice(0, 10).map((item) => (
            <li key={`${item.kind}:${item.id}`}>
              <span>
                <PortalLink href={pathOfRecentItem(item.kind, item.id)}>{item.label}</PortalLink>{' '}
                <Box variant="small" color="text-body-secondary">
                  {t(`app.palette.kind.${item.kind}`)}
                </Box>
              </span>
              <Time at={item.at} />
            </li>
          ))}
        </ul>
      )}
    </Container>
  );
}
