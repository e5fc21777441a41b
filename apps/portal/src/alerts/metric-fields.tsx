import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { alertComparisons } from '@deviceportal/contract/alerts';
import { metricDefinitions, metricNames } from '@deviceportal/contract/device-metrics';
import { useT } from '../i18n/use-t.ts';
import { metricWords } from '../metrics/metric-words.ts';
import { Choice } from './choice.tsx';
import { usualLimits } from './metric-limits.ts';
import { NumberField } from './number-field.tsx';
import type { RulePartProps } from './rule-part-props.ts';

/** A metric, and the value from which a device counts. */
export function MetricFields(props: RulePartProps): ReactNode {
  const { draft, onChange } = props;
  const t = useT();
  const { unit, min, max } = metricDefinitions[draft.metric];
  return (
    <SpaceBetween size="m">
      <FormField label={t('alerts.form.metric')}>
        <Choice
          options={metricNames.map((value) => ({ value, label: metricWords(value, t) }))}
          value={draft.metric}
          onChange={(metric) => {
            const { comparison, value } = usualLimits[metric];
            onChange({ metric, comparison, metricValue: String(value) });
          }}
        />
      </FormField>
      <FormField label={t('alerts.form.comparison')}>
        <Choice
          options={alertComparisons.map((value) => ({
            value,
            label: t(`alerts.form.comparison.${value}`),
          }))}
          value={draft.comparison}
          onChange={(comparison) => onChange({ comparison })}
        />
      </FormField>
      <NumberField
        {...props}
        field="metricValue"
        label={t('alerts.form.metricValue', { unit: t(`alerts.form.metricUnit.${unit}`) })}
        range={{ min, max }}
      />
    </SpaceBetween>
  );
}
