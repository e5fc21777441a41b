import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import type { RecentItem } from '@deviceportal/contract/session';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { PersonPicker } from '../people/person-picker.tsx';
import { ErrorView } from '../shell/error-reaction/error-view.tsx';
import { PageHeader } from '../shell/page-header.tsx';
import { useRefresh } from '../shell/page-slots.tsx';
import { PortalLink } from '../shell/portal-link.tsx';
import { TimeRangePicker } from '../shell/time-range-picker.tsx';
import { encodeTimeRange } from '../shell/time-range.ts';
import { useRemember } from '../shell/use-remember.ts';
import { ReportActions } from './report-actions.tsx';
import { ReportSections } from './report-sections.tsx';
import './user-report.css';
import { useUserReport } from './use-user-report.ts';

const route = getRouteApi('/reports/user-report');
const choices = [
  { amount: 24, unit: 'h' },
  { amount: 7, unit: 'd' },
  { amount: 30, unit: 'd' },
  { amount: 90, unit: 'd' },
] as const;

interface ScreenProps {
  readonly personId: string;
  readonly period: string;
}

/** Choose a person and a period, and read everything about their devices. */
export function UserReportScreen({ personId, period }: ScreenProps): ReactNode {
  const t = useT();
  const api = useApi();
  const navigate = route.useNavigate();
  const { range, query, makeAgain } = useUserReport(personId, period, true);
  const person = useQuery(
    api.people.get.queryOptions({ id: personId }, { enabled: personId !== '', retry: false }),
  ).data;
  useRemember(person && { kind: 'person', id: person.id, label: person.name });
  useRefresh(makeAgain);
  const change = useMemo(
    () =>
      (part: { person?: string; t?: string }): void =>
        void navigate({ search: (old) => ({ ...old, user: '', ...part }) }),
    [navigate],
  );
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('reports.title')}
        description={t('reports.description')}
        actions={<ReportActions report={query.data} onMakeAgain={makeAgain} />}
      />
      <Container>
        <div className="dp-report-choice">
          <FormField label={t('reports.person')}>
            <PersonPicker
              required
              key={person?.id ?? ''}
              value={person === undefined ? null : { id: person.id, name: person.name }}
              onChange={(chosen) => {
                if (chosen !== null) change({ person: chosen.id });
              }}
            />
          </FormField>
          <FormField label={t('reports.period')}>
            <TimeRangePicker
              value={range}
              choices={choices}
              onChange={(changed) => change({ t: encodeTimeRange(changed) })}
            />
          </FormField>
        </div>
      </Container>
      {personId === '' ? <NobodyChosen /> : <Report personId={personId} query={query} />}
    </SpaceBetween>
  );
}

function Report({
  personId,
  query,
}: {
  readonly personId: string;
  readonly query: ReturnType<typeof useUserReport>['query'];
}): ReactNode {
  const t = useT();
  if (query.data !== undefined) return <ReportSections report={query.data} />;
  if (query.error !== null) {
    return (
      <ErrorView
        error={query.error}
        place="alert"
        subject={{ kind: t('reports.kind.person'), id: personId }}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return (
    <Box textAlign="center" padding="xl">
      <StatusIndicator type="loading">{t('reports.working')}</StatusIndicator>
    </Box>
  );
}

/** Nothing to show yet: how to begin, and whom one looked at lately. */
function NobodyChosen(): ReactNode {
  const t = useT();
  const api = useApi();
  const recent = useQuery(api.session.recent.queryOptions()).data;
  const people = recent?.filter(({ kind }: RecentItem) => kind === 'person') ?? [];
  return (
    <Box textAlign="center" padding={{ vertical: 'xl' }}>
      <SpaceBetween size="s">
        <Box variant="h2">{t('reports.choose')}</Box>
        <Box color="text-body-secondary">{t('reports.chooseBody')}</Box>
        {people.length === 0 ? null : (
          <SpaceBetween size="xs">
            <Box variant="h3">{t('reports.recent')}</Box>
            {people.map(({ id, label }) => (
              <div key={id}>
                <PortalLink href={`/reports/user-report?person=${id}`}>{label}</PortalLink>
              </div>
            ))}
          </SpaceBetween>
        )}
      </SpaceBetween>
    </Box>
  );
}
