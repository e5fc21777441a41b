import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Form from '@cloudscape-design/components/form';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { reportParts } from '@deviceportal/contract/reports';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { PersonPicker } from '../people/person-picker.tsx';
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
import { useRemember } from '../ui/use-remember.ts';
import { useViewer } from '../session/viewer-context.tsx';
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

/** Whom the report is about, over which period, and for whom it is written. */
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
  useRemember(person.data && { kind: 'person', id: personId, label: person.data.name });
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
  const pick = (part: { person?: string; t?: string }): void =>
    void navigate({ search: (old) => ({ ...old, user: '', ...part }) });
  return (
    <Form
      actions={
        <Button
          variant="primary"
          disabled={person.data === undefined}
          loading={request.isPending}
          onClick={make}
        >
          {t('reports.make')}
        </Button>
      }
    >
      <SpaceBetween size="m">
        <div className="dp-report-choice">
          <FormField label={t('reports.person')}>
            <PersonPicker
              required
              key={person.data?.id ?? ''}
              value={person.data === undefined ? null : { id: personId, name: person.data.name }}
              onChange={(chosen) => {
                if (chosen !== null) pick({ person: chosen.id });
              }}
            />
          </FormField>
          <FormField label={t('reports.period')}>
            <TimeRangePicker
              value={range}
              choices={periods}
              onChange={(changed) => pick({ t: encodeTimeRange(changed) })}
            />
          </FormField>
        </div>
        {person.error === null ? null : (
          <ErrorView
            error={person.error}
            place="alert"
            subject={{ kind: t('reports.kind.person'), id: personId }}
            onRetry={() => void person.refetch()}
          />
        )}
        <ReportChoices options={options} change={change} />
        <ExpandableSection headerText={t('reports.parts')}>
          <div className="dp-report-choice">
            {reportParts.map((part) => (
              <Checkbox
                key={part}
                checked={options.parts.includes(part)}
                onChange={({ detail }) =>
                  change({
                    parts: reportParts.filter((one) =>
                      one === part ? detail.checked : options.parts.includes(one),
                    ),
                  })
                }
              >
                {t(`reports.part.${part}`)}
              </Checkbox>
            ))}
          </div>
        </ExpandableSection>
        {may('locations:read-precise') ? (
          <Checkbox
            checked={options.includePreciseLocation}
            description={t('reports.preciseNote')}
            onChange={({ detail }) => change({ includePreciseLocation: detail.checked })}
          >
            {t('reports.precise')}
          </Checkbox>
        ) : null}
      </SpaceBetween>
    </Form>
  );
}
