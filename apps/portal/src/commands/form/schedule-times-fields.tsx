import Autosuggest from '@cloudscape-design/components/autosuggest';
import Box from '@cloudscape-design/components/box';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import DatePicker from '@cloudscape-design/components/date-picker';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import TimeInput from '@cloudscape-design/components/time-input';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ScheduleTimes } from '@deviceportal/contract/schedules';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';

/** The fields of both kinds, so that switching keeps their values. */
export interface TimesDraft {
  readonly kind: ScheduleTimes['kind'];
  /** In the time zone of the browser: `2026-11-20` and `22:38`. */
  readonly date: string;
  readonly time: string;
  readonly cron: string;
  readonly timeZone: string;
}

export function initialTimes(): TimesDraft {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { kind: 'once', date: '', time: '', cron: '0 3 * * *', timeZone };
}

/** The times to send. Null while a field is empty or invalid. */
export function timesOf(draft: TimesDraft): ScheduleTimes | null {
  if (draft.kind === 'cron') {
    const { cron, timeZone } = draft;
    return cron.trim() === '' || timeZone.trim() === '' ? null : { kind: 'cron', cron, timeZone };
  }
  const at = new Date(`${draft.date}T${draft.time}`);
  if (draft.time.length < 5 || Number.isNaN(at.getTime())) return null;
  return { kind: 'once', at: at.toISOString() };
}

/** The times of the schedule, with a preview of the next five from the server. */
export function ScheduleTimesFields({
  value,
  onChange,
}: {
  readonly value: TimesDraft;
  readonly onChange: (value: TimesDraft) => void;
}): ReactNode {
  const t = useT();
  const set = (change: Partial<TimesDraft>): void => onChange({ ...value, ...change });
  return (
    <SpaceBetween size="s">
      <SegmentedControl
        label={t('commands.schedule.kind')}
        selectedId={value.kind}
        options={[
          { id: 'once', text: t('commands.schedule.kind.once') },
          { id: 'cron', text: t('commands.schedule.kind.cron') },
        ]}
        onChange={({ detail }) => set({ kind: detail.selectedId === 'cron' ? 'cron' : 'once' })}
      />
      {value.kind === 'once' ? <Once value={value} set={set} /> : <Cron value={value} set={set} />}
      <NextTimes draft={value} />
    </SpaceBetween>
  );
}

interface FieldsProps {
  readonly value: TimesDraft;
  readonly set: (change: Partial<TimesDraft>) => void;
}

function Once({ value, set }: FieldsProps): ReactNode {
  const t = useT();
  return (
    <ColumnLayout columns={2}>
      <FormField label={t('commands.schedule.date')}>
        <DatePicker
          value={value.date}
          placeholder="YYYY/MM/DD"
          onChange={({ detail }) => set({ date: detail.value })}
        />
      </FormField>
      <FormField label={t('commands.schedule.time')} description={initialTimes().timeZone}>
        <TimeInput
          format="hh:mm"
          placeholder="hh:mm"
          value={value.time}
          onChange={({ detail }) => set({ time: detail.value })}
        />
      </FormField>
    </ColumnLayout>
  );
}

function Cron({ value, set }: FieldsProps): ReactNode {
  const t = useT();
  const timeZones = Intl.supportedValuesOf('timeZone');
  return (
    <ColumnLayout columns={2}>
      <FormField label={t('commands.schedule.cron')} description={t('commands.schedule.cronHint')}>
        <Input
          value={value.cron}
          spellcheck={false}
          onChange={({ detail }) => set({ cron: detail.value })}
        />
      </FormField>
      <FormField
        label={t('commands.schedule.timeZone')}
        description={t('commands.schedule.timeZoneHint')}
      >
        <Autosuggest
          value={value.timeZone}
          options={timeZones.map((zone) => ({ value: zone }))}
          enteredTextLabel={(text) => text}
          onChange={({ detail }) => set({ timeZone: detail.value })}
        />
      </FormField>
    </ColumnLayout>
  );
}

function NextTimes({ draft }: { readonly draft: TimesDraft }): ReactNode {
  const t = useT();
  const api = useApi();
  const format = useFormat();
  const times = timesOf(draft);
  const query = useQuery(
    api.schedules.preview.queryOptions(
      { times: times ?? { kind: 'once', at: new Date(0).toISOString() } },
      { enabled: times !== null, retry: false, placeholderData: keepPreviousData },
    ),
  );
  if (times === null) return null;
  if (query.isError) {
    const { name } = portalErrorOf(query.error);
    const isWrong = name === 'invalidParameters';
    return (
      <Box color="text-status-error">
        {t(isWrong ? 'commands.schedule.wrong' : 'commands.schedule.unknown')}
      </Box>
    );
  }
  if (query.data === undefined) return null;
  if (query.data.length === 0)
    return <Box color="text-status-error">{t('commands.schedule.past')}</Box>;
  const zone = times.kind === 'cron' ? times.timeZone : undefined;
  return (
    <div aria-live="polite">
      <Box variant="awsui-key-label">{t('commands.schedule.next')}</Box>
      <ul className="dp-command-list">
        {query.data.map((at) => (
          <li key={at}>{format.absolute(Date.parse(at), zone)}</li>
        ))}
      </ul>
    </div>
  );
}
