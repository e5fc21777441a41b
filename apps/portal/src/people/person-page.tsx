import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, type ReactNode } from 'react';
import type { Person } from '@deviceportal/contract/people';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { NoAccess } from '../ui/no-access.tsx';
import { useBreadcrumbs, useRefresh } from '../ui/page-slots.tsx';
import { PendingPage } from '../ui/pending-page.tsx';
import { useAddRecentItem } from '../ui/use-add-recent-item.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { ErasureStatus } from './erasure-status.tsx';
import { PersonCases } from './person-cases.tsx';
import { PersonDevices } from './person-devices.tsx';
import { PersonFacts } from './person-facts.tsx';
import { PersonHeader } from './person-header.tsx';

export const Route = createLazyRoute('/people/$id')({ component: PersonPage });

const route = getRouteApi('/people/$id');

/** A person with their devices, findings, and earlier cases. */
function PersonPage(): ReactNode {
  const t = useT();
  const api = useApi();
  const { may } = useViewer();
  const { id } = route.useParams();
  const mayRead = may('people:read') || may('devices:read');
  const query = useQuery(api.people.get.queryOptions({ id }, { enabled: mayRead }));
  const { data: person, refetch } = query;
  useAddRecentItem(person && { kind: 'person', id, label: person.name });
  useRefresh(useCallback(() => void refetch(), [refetch]));
  useBreadcrumbs([
    { text: t('app.nav.people'), href: '/people' },
    ...(person ? [{ text: person.name, href: `/people/${id}` }] : []),
  ]);
  if (!mayRead) return <NoAccess area={t('app.nav.people')} permission="people:read" />;
  if (person !== undefined) return <PersonSections person={person} />;
  if (query.error === null) return <PendingPage />;
  return (
    <ErrorView
      error={query.error}
      place="page"
      subject={{ kind: t('people.kind'), id }}
      onRetry={() => void refetch()}
    />
  );
}

function PersonSections({ person }: { readonly person: Person }): ReactNode {
  const { may } = useViewer();
  return (
    <SpaceBetween size="l">
      <PersonHeader person={person} />
      <ErasureStatus person={{ kind: 'customer', id: person.id }} />
      <PersonFacts person={person} />
      {may('devices:read') ? <PersonDevices personId={person.id} /> : null}
      {may('cases:read') || may('cases:manage') ? <PersonCases personId={person.id} /> : null}
    </SpaceBetween>
  );
}
