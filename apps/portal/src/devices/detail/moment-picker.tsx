import Button from '@cloudscape-design/components/button';
import DatePicker from '@cloudscape-design/components/date-picker';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import TimeInput from '@cloudscape-design/components/time-input';
import type { ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { serverNowMs } from '../../ui/time/server-clock.ts';

const HOUR_MS = 3_600_000;
const quick = [
  ['hour', HOUR_MS],
  ['day', 24 * HOUR_MS],
  ['week', 7 * 24 * HOUR_MS],
] as const;

export interface MomentPickerProps {
  /** ISO 8601 */
  readonly at: string;
  readonly onChange: (at: string) => void;
}

/** Picks a time in the viewer’s time zone, with buttons for common times. */
export function MomentPicker({ at, onChange }: MomentPickerProps): ReactNode {
  const t = useT();
  const { date, time } = localParts(at);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const set = (change: { readonly date?: string; readonly time?: string }): void => {
    const moment = new Date(`${change.date ?? date}T${change.time ?? time}`);
    if ((change.time?.length ?? 5) >= 5 && !Number.isNaN(moment.getTime()))
      onChange(moment.toISOString());
  };
  return (
    <SpaceBetween direction="horizontal" size="m" alignItems="end">
      <FormField label={t('devices.then.date')}>
        <DatePicker
          value={date}
          onChange={({ detail }) => set({ date: detail.value })}
          isDateEnabled={(day) => day.getTime() <= serverNowMs()}
          openCalendarAriaLabel={() => t('devices.then.date')}
        />
      </FormField>
      <FormField label={t('devices.then.time')}>
        <TimeInput
          value={time}
          format="hh:mm"
          placeholder="hh:mm"
          onChange={({ detail }) => set({ time: detail.value })}
        />
      </FormField>
      <SpaceBetween direction="horizontal" size="xs" alignItems="center">
        {quick.map(([name, agoMs]) => (
          <Button
            key={name}
            onClick={() => onChange(new Date(serverNowMs() - agoMs).toISOString())}
          >
            {t(`devices.then.${name}`)}
          </Button>
        ))}
        <small>{t('devices.then.zone', { zone: timeZone })}</small>
      </SpaceBetween>
    </SpaceBetween>
  );
}

function localParts(at: string): { readonly date: string; readonly time: string } {
  const moment = new Date(at);
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString();
  return { date: local.slice(0, 10), time: local.slice(11, 16) };
}
