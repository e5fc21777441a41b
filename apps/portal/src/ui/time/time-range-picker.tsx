import DateRangePicker, {
  type DateRangePickerProps,
} from '@cloudscape-design/components/date-range-picker';
import type { ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import type { RelativeUnit, TimeRange } from './time-range.ts';

export interface TimeRangePickerProps {
  readonly value: TimeRange;
  readonly onChange: (range: TimeRange) => void;
  /** Predefined ranges. */
  readonly choices: readonly { readonly amount: number; readonly unit: RelativeUnit }[];
}

const unitNames = { m: 'minute', h: 'hour', d: 'day' } as const;
const unitMs = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
} as const;

/** A time range: "last 24 hours", or from and to in the viewer’s time zone. */
export function TimeRangePicker({ value, onChange, choices }: TimeRangePickerProps): ReactNode {
  const t = useT();
  return (
    <DateRangePicker
      value={toPicker(value)}
      relativeOptions={choices.map(({ amount, unit }) => ({
        key: `${amount}${unit}`,
        amount,
        unit: unitNames[unit],
        type: 'relative',
      }))}
      isValidRange={(picked) =>
        validate(picked, t('app.range.incomplete'), t('app.range.backwards'))
      }
      onChange={({ detail }) => {
        const range = detail.value === null ? undefined : fromPicker(detail.value);
        if (range !== undefined) onChange(range);
      }}
      showClearButton={false}
      expandToViewport
      placeholder={t('app.range.label')}
      i18nStrings={{ ariaLabel: t('app.range.label') }}
    />
  );
}

function toPicker(range: TimeRange): DateRangePickerProps.Value {
  return range.kind === 'absolute'
    ? { type: 'absolute', startDate: range.from, endDate: range.to }
    : {
        type: 'relative',
        key: `${range.amount}${range.unit}`,
        amount: range.amount,
        unit: unitNames[range.unit],
      };
}

/** Converts weeks and months to days, because the URL has three units. */
function fromPicker(value: DateRangePickerProps.Value): TimeRange | undefined {
  if (value.type === 'absolute') {
    const from = new Date(value.startDate);
    const to = new Date(value.endDate);
    return { kind: 'absolute', from: from.toISOString(), to: to.toISOString() };
  }
  const days = value.unit === 'month' ? 30 : value.unit === 'year' ? 365 : undefined;
  if (days !== undefined) return { kind: 'relative', amount: value.amount * days, unit: 'd' };
  const unit = value.unit === 'hour' ? 'h' : value.unit === 'day' ? 'd' : 'm';
  if (unitNames[unit] === value.unit) return { kind: 'relative', amount: value.amount, unit };
  const minutes = (value.amount * unitMs[value.unit as keyof typeof unitMs]) / unitMs.minute;
  return { kind: 'relative', amount: Math.max(1, Math.round(minutes)), unit: 'm' };
}

function validate(
  value: DateRangePickerProps.Value | null,
  incomplete: string,
  backwards: string,
): DateRangePickerProps.ValidationResult {
  if (value === null) return { valid: false, errorMessage: incomplete };
  if (value.type === 'relative') {
    return value.amount >= 1 ? { valid: true } : { valid: false, errorMessage: incomplete };
  }
  const from = Date.parse(value.startDate);
  const to = Date.parse(value.endDate);
  if (!Number.isFinite(from) || !Number.isFinite(to))
    return { valid: false, errorMessage: incomplete };
  return from <= to ? { valid: true } : { valid: false, errorMessage: backwards };
}
