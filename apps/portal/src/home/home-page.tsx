import Grid from '@cloudscape-design/components/grid';
import Icon from '@cloudscape-design/components/icon';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, type ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { useWatch } from '../live/use-watch.ts';
import { openPalette } from '../ui/palette-store.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { useViewer } from '../session/viewer-context.tsx';
import { FindingsCard, useFindingCounts } from './findings-card.tsx';
import { FleetCard } from './fleet-card.tsx';
import { MyCasesCard, useMyCases } from './my-cases-card.tsx';
import { MyRunsCard } from './my-runs-card.tsx';
import { PlacesCard } from './places-card.tsx';
import { RecentCard } from './recent-card.tsx';
import { TrendsCard } from './trends-card.tsx';
import { NeedsActionCard } from './needs-action-card.tsx';
import { useSetup } from './use-setup.ts';
import { useNeedsAction } from './use-needs-action.tsx';
import { refreshMs } from '../live/refresh-policy.ts';
import './home.css';

const SetupCard = lazy(async () => ({ default: (await import('./setup-card.tsx')).SetupCard }));

export const Route = createLazyRoute('/')({ component: HomePage });

const whole = [{ colspan: 12 }];
const halves = [{ colspan: { default: 12, m: 6 } }, { colspan: { default: 12, m: 6 } }];

/** The home page. Each card loads and fails independently, and is absent without its permission. */
function HomePage(): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const queryClient = useQueryClient();
  const { may } = useViewer();
  const mayReadDevices = may('devices:read');
  const fleet = useQuery(
    api.devices.fleetSummary.queryOptions(undefined, {
      enabled: mayReadDevices,
      refetchInterval: refreshMs.totals,
    }),
  );
  const refresh = useCallback(() => {
    void queryClient.invalidateQueries(api.devices.fleetSummary.queryFilter());
    void queryClient.invalidateQueries(api.findings.counts.queryFilter());
  }, [queryClient, api]);
  useWatch(mayReadDevices && fleet.data !== undefined ? { kind: 'fleet' } : null, refresh);
  const setup = useSetup();
  const findings = useFindingCounts(mayReadDevices);
  const needsAction = useNeedsAction();
  const mayWorkInCases = may('cases:manage');
  const cases = useMyCases(mayWorkInCases);
  // What is empty never takes the first place.
  const hasActions = needsAction.some(({ items }) => items.length > 0);
  const hasWork = hasActions || (cases.data?.rows.length ?? 0) > 0;
  const work = (
    <Grid gridDefinition={mayWorkInCases ? halves : whole}>
      {inOrder(
        <NeedsActionCard key="actions" parts={needsAction} />,
        mayWorkInCases ? <MyCasesCard key="cases" query={cases} /> : null,
        { swapped: hasWork && !hasActions },
      )}
    </Grid>
  );
  // First on an empty installation. With devices, the fleet is more important.
  const setupCard =
    setup === undefined ? null : (
      <Suspense fallback={null}>
        <SetupCard setup={setup} />
      </Suspense>
    );
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('home.title')}
        description={
          fleet.data === undefined
            ? ''
            : t('home.fleet.asOf', { time: format.clock(Date.parse(fleet.data.asOf)) })
        }
      />
      <button type="button" className="home-search" onClick={() => openPalette()}>
        <Icon name="search" /> {t('home.search')} <kbd>/</kbd>
      </button>
      {setup?.device === false ? setupCard : null}
      {hasWork ? work : null}
      {mayReadDevices ? (
        <Grid gridDefinition={halves}>
          {inOrder(
            <FindingsCard key="findings" query={findings} />,
            <FleetCard key="fleet" query={fleet} />,
            { swapped: findings.data?.rules.length === 0 },
          )}
        </Grid>
      ) : null}
      {setup?.device === true ? setupCard : null}
      <TrendsCard />
      {hasWork ? null : work}
      {may('commands:read') ? <MyRunsCard /> : null}
      <RecentCard />
      {may('locations:read') ? <PlacesCard /> : null}
    </SpaceBetween>
  );
}

/** Two cards, the second one first if `swapped`. */
const inOrder = (
  first: ReactNode,
  second: ReactNode,
  { swapped }: { readonly swapped: boolean },
): readonly ReactNode[] => (swapped ? [second, first] : [first, second]);
