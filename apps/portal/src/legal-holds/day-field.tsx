import DatePicker from '@cloudscape-design/components/date-picker';
import FormField from '@cloudscape-design/components/form-field';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';

/** An optional day, `2026-11-20`. */
export function DayField({
  label,
  description,
  errorText,
  day,
  onChange,
}: {
  readonly label: string;
  readonly description: string;
  readonly errorText: string | undefined;
  readonly day: string;
  readonly onChange: (day: string) => void;
}): ReactNode {
  const t = useT();
  return (
    <FormField label={label} description={description} errorText={errorText}>
      <DatePicker
        value={day}
        placeholder="YYYY/MM/DD"
        openCalendarAriaLabel={() => t('legalHolds.openCalendar')}
        onChange={({ detail }) => onChange(detail.value)}
      />
    </FormField>
  );
}
