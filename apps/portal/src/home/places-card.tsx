import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { FleetMap } from '../locations/fleet-map.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { refreshMs } from '../live/refresh-policy.ts';

/** Coarse enough that neighboring cities do not overlap. */
const ZOOM = 3;

/** Device locations. The map is loaded when it scrolls into view. */
export function PlacesCard(): ReactNode {
  const t = useT();
  const api = useApi();
  const cells = useQuery(
    api.locations.cells.queryOptions({ zoom: ZOOM }, { refetchInterval: refreshMs.totals }),
  );
  if (cells.data?.total === 0) return null;
  return (
    <Container
      header={
        <Header variant="h2" actions={<PortalLink href="/map">{t('home.places.open')}</PortalLink>}>
          {t('home.places.title')}
        </Header>
      }
    >
      {cells.error !== null && cells.data === undefined ? (
        <ErrorView error={cells.error} place="alert" onRetry={() => void cells.refetch()} />
      ) : (
        <FleetMap cells={cells.data?.cells ?? []} />
      )}
    </Container>
  );
}
