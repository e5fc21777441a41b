import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { FleetSummary } from '@deviceportal/contract/devices';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../shell/error-reaction/error-view.tsx';
import { PortalLink } from '../shell/portal-link.tsx';
import { StatusOf } from '../shell/status-of.tsx';
import { TableEmpty } from '../shell/table/table-empty.tsx';
import { devicesWith } from './device-links.ts';

/** The part of a query that a card shows. */
export interface FleetQuery {
  readonly data: FleetSummary | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

const shown = ['online', 'degraded', 'offline', 'never', 'unknown'] as const;
const TOP = 3;

/** How many devices there are and how they are, each number a link to the devices behind it. */
export function FleetCard({ query }: { readonly query: FleetQuery }): ReactNode {
  const t = useT();
  const { data } = query;
  return (
    <Container header={<Header variant="h2">{t('home.fleet.title')}</Header>}>
      {query.error !== null && data === undefined ? (
        <ErrorView error={query.error} place="alert" onRetry={() => void query.refetch()} />
      ) : data?.total === 0 ? (
        <TableEmpty
          words={{
            title: t('home.fleet.none'),
            body: t('home.fleet.noneBody'),
            action: <PortalLink href="/devices">{t('home.fleet.add')}</PortalLink>,
          }}
        />
      ) : (
        <SpaceBetween size="l">
          <Numbers data={data} />
          <Leaders data={data} />
        </SpaceBetween>
      )}
    </Container>
  );
}

function Numbers({ data }: { readonly data: FleetSummary | undefined }): ReactNode {
  const t = useT();
  const format = useFormat();
  const number = (value: number | undefined): string =>
    value === undefined ? '–' : format.number(value);
  return (
    <div className="home-numbers">
      <div>
        <Box variant="awsui-key-label">{t('home.fleet.total')}</Box>
        <PortalLink href="/devices" fontSize="display-l" variant="awsui-value-large">
          {number(data?.total)}
        </PortalLink>
      </div>
      {shown.map((state) => (
        <div key={state}>
          <StatusOf kind="connectivity" value={state} />
          <div>
            <PortalLink
              href={devicesWith('connectivity', '=', state)}
              fontSize="display-l"
              variant="awsui-value-large"
            >
              {number(data?.connectivity[state])}
            </PortalLink>
          </div>
        </div>
      ))}
    </div>
  );
}

/** The commonest models and countries, in words: a sentence instead of another chart. */
function Leaders({ data }: { readonly data: FleetSummary | undefined }): ReactNode {
  const t = useT();
  const format = useFormat();
  const line = (label: string, links: readonly ReactNode[]): ReactNode =>
    links.length === 0 ? null : (
      <SpaceBetween direction="horizontal" size="s">
        <Box variant="awsui-key-label">{label}</Box>
        {links}
      </SpaceBetween>
    );
  return (
    <SpaceBetween size="xs">
      {line(
        t('home.fleet.byModel'),
        (data?.byModel ?? []).slice(0, TOP).map(({ model, count }) => (
          <PortalLink key={model} href={devicesWith('model', '=', model)}>
            {model} ({format.number(count)})
          </PortalLink>
        )),
      )}
      {line(
        t('home.fleet.byCountry'),
        (data?.byCountry ?? []).slice(0, TOP).map(({ country, count }) => (
          <PortalLink key={country} href={devicesWith('country', '=', country)}>
            {format.country(country)} ({format.number(count)})
          </PortalLink>
        )),
      )}
    </SpaceBetween>
  );
}
