import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { FleetSummary } from '@deviceportal/contract/devices';
import { useFormat } from '../i18n/format-values.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { wordOf } from '../ui/status-of.tsx';
import { TableEmpty } from '../ui/table/table-empty.tsx';
import { devicesWith } from './device-links.ts';
import { HealthRing } from './health-ring.tsx';

/** The part of a query that a card shows. */
export interface FleetQuery {
  readonly data: FleetSummary | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

const shown = ['online', 'degraded', 'offline', 'never', 'unknown'] as const;
const TOP = 3;

/** The number of devices by status, as a chart with links to the devices. */
export function FleetCard({ query }: { readonly query: FleetQuery }): ReactNode {
  const t = useT();
  const { data } = query;
  return (
    <Container fitHeight header={<Header variant="h2">{t('home.fleet.title')}</Header>}>
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
          <Health data={data} />
          <Leaders data={data} />
        </SpaceBetween>
      )}
    </Container>
  );
}

function Health({ data }: { readonly data: FleetSummary | undefined }): ReactNode {
  const t = useT();
  const format = useFormat();
  const language = useLanguage();
  const number = (value: number | undefined): string =>
    value === undefined ? '–' : format.number(value);
  const parts = shown.map((id) => ({ id, count: data?.connectivity[id] ?? 0 }));
  return (
    <div className="home-health">
      <HealthRing parts={parts} title={t('home.fleet.ring')}>
        <PortalLink href="/devices?view=all" fontSize="display-l" variant="awsui-value-large">
          {number(data?.total)}
        </PortalLink>
        <Box variant="small" color="text-body-secondary">
          {t('home.fleet.total')}
        </Box>
      </HealthRing>
      <ul className="home-list">
        {shown.map((state) => (
          <li key={state}>
            <span>
              <span className={`health-dot health-${state}`} aria-hidden="true" />
              {wordOf('connectivity', state, language)}
            </span>
            <Box variant="strong" className="dp-number">
              <PortalLink
                href={devicesWith('connectivity', '=', state)}
                ariaLabel={`${wordOf('connectivity', state, language)}: ${number(data?.connectivity[state])}`}
              >
                {number(data?.connectivity[state])}
              </PortalLink>
            </Box>
          </li>
        ))}
        {data === undefined || data.lifecycle.suspended === 0 ? null : (
          <li>
            <span>
              <span className="health-dot" aria-hidden="true" />
              {wordOf('deviceLifecycle', 'suspended', language)}
            </span>
            <Box variant="strong">
              <PortalLink
                href={devicesWith('lifecycle', '=', 'suspended')}
                ariaLabel={`${wordOf('deviceLifecycle', 'suspended', language)}: ${number(data.lifecycle.suspended)}`}
              >
                {number(data.lifecycle.suspended)}
              </PortalLink>
            </Box>
          </li>
        )}
      </ul>
    </div>
  );
}

/** The most frequent models and countries, as a sentence. */
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
