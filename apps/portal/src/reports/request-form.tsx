import Button from '@cloudscape-design/components/button';
import Form from '@cloudscape-design/components/form';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { PersonPicker, type PickedPerson } from '../people/person-picker.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';
import { serverNowMs } from '../ui/time/server-clock.ts';
import { TimeRangePicker } from '../ui/time/time-range-picker.tsx';
import {
  encodeTimeRange,
  momentsOf,
  parseTimeRange,
  type TimeRange,
} from '../ui/time/time-range.ts';
import { useAddRecentItem } from '../ui/use-add-recent-item.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { PartChoices, PreciseChoice } from './part-choices.tsx';
import { ReportChoices } from './report-choices.tsx';
import { useReportOptions } from './use-report-options.ts';

const route = getRouteApi('/reports/user-report');
const periods = [
  { amount: 24, unit: 'h' },
  { amount: 7, unit: 'd' },
  { amount: 30, unit: 'd' },
  { amount: 90, unit: 'd' },
] as const;
const DEFAULT_RANGE: TimeRange = { kind: 'relative', amount: 7, unit: 'd' };

/** Requests a report: customer, time range, and sections. */
export function RequestForm({
  personId,
  period,
}: {
  readonly personId: string;
  readonly period: string;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const navigate = route.useNavigate();
  const { may } = useViewer();
  const showError = useErrorFlash();
  const { options, change } = useReportOptions();
  const range = useMemo(() => parseTimeRange(period) ?? DEFAULT_RANGE, [period]);
  const person = useQuery(
    api.people.get.queryOptions({ id: personId }, { enabled: personId !== '', retry: false }),
  );
  useAddRecentItem(person.data && { kind: 'person', id: personId, label: person.data.name });
  const request = useMutation(
    api.reports.request.mutationOptions({
      onError: showError,
      onSuccess: ({ reportId }) => void navigate({ search: { report: reportId } }),
    }),
  );
  const make = (): void =>
    request.mutate({
      ...options,
      parts: [...options.parts],
      personId,
      range: momentsOf(range, serverNowMs()),
    });
  const pick = (part: SubjectAddress): void =>
    void navigate({ search: (old) => ({ ...old, user: '', ...part }) });
  return (
    <Form
      actions={
        <Button
          variant="primary"
          disabled={person.data === undefined}
          disabledReason={t('reports.choosePersonFirst')}
          loading={request.isPending}
          onClick={make}
        >
          {t('reports.make')}
        </Button>
      }
    >
      <SpaceBetween size="m">
        <SubjectFields
          person={person.data === undefined ? null : { id: personId, name: person.data.name }}
          range={range}
          onPick={pick}
        />
        {person.error === null ? null : (
          <ErrorView
            error={person.error}
            place="alert"
            subject={{ kind: t('reports.kind.person'), id: personId }}
            onRetry={() => void person.refetch()}
          />
        )}
        <ReportChoices options={options} change={change} />
        <PartChoices options={options} change={change} />
        {may('locations:read-precise') ? <PreciseChoice options={options} change={change} /> : null}
      </SpaceBetween>
    </Form>
  );
}

interface SubjectAddress {
  readonly person?: string;
  readonly t?: string;
}

function SubjectFields({
  person,
  range,
  onPick,
}: {
  readonly person: PickedPerson | null;
  readonly range: TimeRange;
  readonly onPick: (part: SubjectAddress) => void;
}): ReactNode {
  const t = useT();
  return (
    <div className="dp-report-choice">
      <FormField label={t('reports.person')}>
        <PersonPicker
          required
          key={person?.id ?? ''}
          value={person}
          onChange={(chosen) => {
            if (chosen !== null) onPick({ person: chosen.id });
          }}
        />
      </FormField>
      <FormField label={t('reports.period')}>
        <TimeRangePicker
          value={range}
          choices={periods}
          onChange={(changed) => onPick({ t: encodeTimeRange(changed) })}
        />
      </FormField>
    </div>
  );
}
