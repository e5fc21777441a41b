import ColumnLayout from '@cloudscape-design/components/column-layout';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { ALERT_LIMITS, alertUnits } from '@deviceportal/contract/alerts';
import { findingRules } from '@deviceportal/contract/finding-rules';
import { useT } from '../i18n/use-t.ts';
import { Choice } from './choice.tsx';
import { MetricFields } from './metric-fields.tsx';
import { MutingFields } from './muting-fields.tsx';
import { NumberField } from './number-field.tsx';
import type { RulePartProps } from './rule-part-props.ts';

/** What a rule counts, and the limits at which it fires and resolves. */
export function ConditionFields(props: RulePartProps): ReactNode {
  const { draft, onChange } = props;
  const t = useT();
  const choices = (['offline', 'finding', 'metric'] as const).map((value) => ({
    value,
    label: t(`alerts.form.kind.${value}`),
  }));
  return (
    <SpaceBetween size="m">
      <ColumnLayout columns={2}>
        <FormField label={t('alerts.form.kind')}>
          <Choice options={choices} value={draft.kind} onChange={(kind) => onChange({ kind })} />
        </FormField>
        <KindFields {...props} />
        <NumberField
          {...props}
          field="above"
          label={t('alerts.form.above')}
          range={{ min: 0, max: draft.unit === 'percent' ? 99 : 10_000_000 }}
        />
        <UnitField {...props} />
      </ColumnLayout>
      {draft.kind === 'finding' ? <SeverityField {...props} /> : null}
      <ExpandableSection headerText={t('alerts.form.timing')}>
        <TimingFields {...props} />
      </ExpandableSection>
      <ExpandableSection headerText={t('alerts.form.muting')}>
        <MutingFields {...props} />
      </ExpandableSection>
    </SpaceBetween>
  );
}

function KindFields(props: RulePartProps): ReactNode {
  const { draft, onChange } = props;
  const t = useT();
  switch (draft.kind) {
    case 'offline':
      return (
        <NumberField
          {...props}
          field="minutes"
          label={t('alerts.form.minutes')}
          range={ALERT_LIMITS.offlineMinutes}
        />
      );
    case 'finding':
      return (
        <FormField label={t('alerts.form.finding')}>
          <Choice
            options={(['any', ...findingRules] as const).map((value) => ({
              value,
              label: t(`devices.finding.${value}`),
            }))}
            value={draft.finding}
            onChange={(finding) => onChange({ finding })}
          />
        </FormField>
      );
    case 'metric':
      return <MetricFields {...props} />;
  }
}

function TimingFields(props: RulePartProps): ReactNode {
  const t = useT();
  return (
    <ColumnLayout columns={3}>
      <NumberField
        {...props}
        field="holdMinutes"
        label={t('alerts.form.holdMinutes')}
        range={ALERT_LIMITS.holdMinutes}
      />
      <NumberField
        {...props}
        field="resolveAt"
        label={t('alerts.form.resolveAt')}
        range={{ min: 0, max: 10_000_000 }}
        placeholder={props.draft.above}
      />
      <NumberField
        {...props}
        field="resolveMinutes"
        label={t('alerts.form.resolveMinutes')}
        range={ALERT_LIMITS.resolveMinutes}
      />
    </ColumnLayout>
  );
}

function UnitField({ draft, onChange }: RulePartProps): ReactNode {
  const t = useT();
  return (
    <FormField label={t('alerts.form.unit')}>
      <Choice
        options={alertUnits.map((value) => ({ value, label: t(`alerts.form.unit.${value}`) }))}
        value={draft.unit}
        onChange={(unit) => onChange({ unit })}
      />
    </FormField>
  );
}

function SeverityField({ draft, onChange }: RulePartProps): ReactNode {
  const t = useT();
  return (
    <FormField label={t('alerts.form.findingSeverity')}>
      <Choice
        options={(['warning', 'error'] as const).map((value) => ({
          value,
          label: t(`alerts.form.findingSeverity.${value}`),
        }))}
        value={draft.findingSeverity}
        onChange={(findingSeverity) => onChange({ findingSeverity })}
      />
    </FormField>
  );
}
