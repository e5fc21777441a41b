import SpaceBetween from '@cloudscape-design/components/space-between';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DataSourceView } from '@deviceportal/contract/data-sources';
import { PortalError } from '@deviceportal/contract/errors';
import { AccessGate } from '../access/access-gate.tsx';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useBreadcrumbs } from '../ui/page-slots.tsx';
import { PendingPage } from '../ui/pending-page.tsx';
import { DataSourceConnection } from './data-source-connection.tsx';
import { DataSourceStatus } from './data-source-status.tsx';
import './data-sources.css';
import { FeedExchange } from './feed-exchange.tsx';
import { ReadAgainButton } from './read-again-button.tsx';
import { RejectedItems } from './rejected-items.tsx';
import { useDataSources } from './use-data-sources.ts';

export const Route = createLazyRoute('/uam/data-sources/$source')({
  component: () => (
    <AccessGate>
      <DataSourcePage />
    </AccessGate>
  ),
});

const route = getRouteApi('/uam/data-sources/$source');

function DataSourcePage(): ReactNode {
  const t = useT();
  const { source } = route.useParams();
  const { data, error, refetch } = useDataSources();
  const found = data?.find((each) => each.source === source);
  useBreadcrumbs([
    { text: t('app.nav.dataSources'), href: '/uam/data-sources' },
    {
      text: found === undefined ? source : t(`dataSources.name.${found.source}`),
      href: `/uam/data-sources/${source}`,
    },
  ]);
  if (found !== undefined) return <Details of={found} />;
  const subject = { kind: t('dataSources.kind'), id: source };
  if (data !== undefined) {
    return <ErrorView error={new PortalError('notFound')} subject={subject} />;
  }
  return error === null ? (
    <PendingPage />
  ) : (
    <ErrorView error={error} subject={subject} onRetry={() => void refetch()} />
  );
}

/** A data source: its state, what to do next, and the exchange with the outside system. */
function Details({ of }: { readonly of: DataSourceView }): ReactNode {
  const t = useT();
  const { source, feed } = of;
  const name = t(`dataSources.name.${source}`);
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={name}
        documentTitle={`${name} · ${t('app.nav.dataSources')}`}
        description={t(`dataSources.about.${source}`)}
        {...(feed === null
          ? {}
          : { actions: <ReadAgainButton source={source} table={feed.table} /> })}
      />
      <DataSourceStatus of={of} />
      <DataSourceConnection of={of} />
      <FeedExchange of={of} />
      {feed === null ? null : <RejectedItems items={feed.rejected} count={feed.rejectedCount} />}
    </SpaceBetween>
  );
}
