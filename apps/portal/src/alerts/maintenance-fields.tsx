import Autosuggest from '@cloudscape-design/components/autosuggest';
import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import FormField from '@cloudscape-design/components/form-field';
import Multiselect from '@cloudscape-design/components/multiselect';
import SpaceBetween from '@cloudscape-design/components/space-between';
import TimeInput from '@cloudscape-design/components/time-input';
import type { ReactNode } from 'react';
import { ALERT_LIMITS } from '@deviceportal/contract/alerts';
import type { MaintenanceWindow } from '@deviceportal/contract/maintenance-windows';
import { useT } from '../i18n/use-t.ts';
import type { RulePartProps } from './rule-part-props.ts';

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;

/** Weekly times in which a rule does not fire. */
export function MaintenanceFields({ draft, issues, onChange }: RulePartProps): ReactNode {
  const t = useT();
  const { maintenance } = draft;
  const isFull = maintenance.length >= ALERT_LIMITS.maintenanceWindows;
  const set = (windows: readonly MaintenanceWindow[]): void => onChange({ maintenance: windows });
  return (
    <FormField
      label={t('alerts.form.maintenance')}
      description={t('alerts.form.maintenanceHint')}
      errorText={issues.get('maintenance')}
      stretch
    >
      <SpaceBetween size="s">
        {maintenance.map((window, index) => (
          <Window
            // Windows have no identity, and are only added at the end.
            key={index}
            window={window}
            number={index + 1}
            onChange={(part) =>
              set(maintenance.map((each) => (each === window ? { ...each, ...part } : each)))
            }
            onRemove={() => set(maintenance.filter((each) => each !== window))}
          />
        ))}
        <Button
          disabled={isFull}
          {...(isFull && {
            disabledReason: t('alerts.form.maintenanceFull', {
              most: ALERT_LIMITS.maintenanceWindows,
            }),
          })}
          onClick={() => set([...maintenance, newWindow()])}
        >
          {t('alerts.form.addMaintenance')}
        </Button>
      </SpaceBetween>
    </FormField>
  );
}

const newWindow = (): MaintenanceWindow => ({
  ...{ days: [1, 2, 3, 4, 5], from: '22:00', to: '04:00' },
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

function Window({
  window: { days, from, to, timeZone },
  number,
  onChange,
  onRemove,
}: {
  readonly window: MaintenanceWindow;
  /** From 1, for the labels of screen readers. */
  readonly number: number;
  readonly onChange: (part: Partial<MaintenanceWindow>) => void;
  readonly onRemove: () => void;
}): ReactNode {
  const t = useT();
  const options = weekdays.map((day) => ({
    value: String(day),
    label: t(`alerts.weekday.${day}`),
  }));
  return (
    <SpaceBetween size="xs">
      <ColumnLayout columns={4}>
        <FormField label={t('alerts.form.maintenanceDays')}>
          <Multiselect
            options={options}
            selectedOptions={options.filter(({ value }) => days.includes(Number(value)))}
            tokenLimit={2}
            placeholder={t('alerts.form.maintenanceNoDays')}
            onChange={({ detail }) =>
              onChange({
                days: detail.selectedOptions.map(({ value }) => Number(value)).toSorted(),
              })
            }
          />
        </FormField>
        <FormField label={t('alerts.form.maintenanceFrom')}>
          <TimeInput
            format="hh:mm"
            placeholder="hh:mm"
            value={from}
            onChange={({ detail }) => onChange({ from: detail.value })}
          />
        </FormField>
        <FormField label={t('alerts.form.maintenanceTo')}>
          <TimeInput
            format="hh:mm"
            placeholder="hh:mm"
            value={to}
            onChange={({ detail }) => onChange({ to: detail.value })}
          />
        </FormField>
        <FormField label={t('alerts.form.timeZone')}>
          <Autosuggest
            value={timeZone}
            options={Intl.supportedValuesOf('timeZone').map((value) => ({ value }))}
            enteredTextLabel={(text) => text}
            onChange={({ detail }) => onChange({ timeZone: detail.value })}
          />
        </FormField>
      </ColumnLayout>
      <Button
        variant="inline-link"
        ariaLabel={t('alerts.form.removeMaintenance', { number })}
        onClick={onRemove}
      >
        {t('alerts.form.remove')}
      </Button>
    </SpaceBetween>
  );
}
