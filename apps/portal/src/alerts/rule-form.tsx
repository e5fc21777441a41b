import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Form from '@cloudscape-design/components/form';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import { useState, type ReactNode } from 'react';
import { alertSeverities, type NewAlertRule } from '@deviceportal/contract/alerts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { fieldIssues } from '../ui/field-issues.ts';
import { ConditionFields } from './condition-fields.tsx';
import { DestinationFields } from './destination-fields.tsx';
import { destinationProblems } from './destination-problems.ts';
import { DeviceSetField } from './device-set-field.tsx';
import { evaluatedPart, ruleOfDraft, type RuleDraft } from './rule-draft.ts';
import type { RulePartProps } from './rule-part-props.ts';
import { OpensCaseField } from './opens-case-field.tsx';
import { RulePreview } from './rule-preview.tsx';

export interface RuleFormProps {
  readonly header: ReactNode;
  readonly start: RuleDraft;
  readonly submitLabel: string;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onSubmit: (rule: NewAlertRule) => void;
  readonly onCancel: () => void;
}

/** The form of an alert rule, with a preview of when it would have fired. */
export function RuleForm(props: RuleFormProps): ReactNode {
  const { header, start, submitLabel, busy, error, onSubmit, onCancel } = props;
  const t = useT();
  const [draft, setDraft] = useState(start);
  const change = (part: Partial<RuleDraft>): void => setDraft((old) => ({ ...old, ...part }));
  const rule = ruleOfDraft(draft);
  const issues = fieldIssues(error, t);
  return (
    <Form
      header={header}
      actions={
        <FormActions
          {...{ submitLabel, busy, onCancel }}
          onSubmit={rule === null ? undefined : () => onSubmit(rule)}
        />
      }
    >
      <SpaceBetween size="l">
        <Container>
          <NameFields draft={draft} issues={issues} onChange={change} />
        </Container>
        <Container header={<Header variant="h2">{t('alerts.form.condition')}</Header>}>
          <SpaceBetween size="m">
            <DeviceSetField draft={draft} onChange={change} />
            <ConditionFields draft={draft} issues={issues} onChange={change} />
            <RulePreview evaluated={evaluatedPart(draft)} />
          </SpaceBetween>
        </Container>
        <Container
          header={
            <Header variant="h2" description={t('alerts.form.destinationsHint')}>
              {t('alerts.column.destinations')}
            </Header>
          }
        >
          <SpaceBetween size="l">
            <DestinationFields
              destinations={draft.destinations}
              problems={destinationProblems(error, t)}
              onChange={(destinations) => change({ destinations })}
            />
            <OpensCaseField draft={draft} issues={issues} onChange={change} />
          </SpaceBetween>
        </Container>
        {error === null || error === undefined ? null : <ErrorView error={error} place="alert" />}
      </SpaceBetween>
    </Form>
  );
}

function FormActions({
  submitLabel,
  busy,
  onSubmit,
  onCancel,
}: Pick<RuleFormProps, 'submitLabel' | 'busy' | 'onCancel'> & {
  /** Undefined while the form is not complete. */
  readonly onSubmit: (() => void) | undefined;
}): ReactNode {
  const t = useT();
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button variant="link" disabled={busy} onClick={onCancel}>
        {t('app.cancel')}
      </Button>
      <Button
        variant="primary"
        loading={busy}
        disabled={onSubmit === undefined}
        disabledReason={t('app.form.incomplete')}
        onClick={() => onSubmit?.()}
      >
        {submitLabel}
      </Button>
    </SpaceBetween>
  );
}

function NameFields({ draft, issues, onChange }: RulePartProps): ReactNode {
  const t = useT();
  const options = alertSeverities.map((value) => ({
    value,
    label: t(`alerts.severity.${value}`),
  }));
  return (
    <SpaceBetween size="m">
      <FormField label={t('alerts.form.name')} errorText={issues.get('name')}>
        <Input
          value={draft.name}
          autoComplete={false}
          onChange={({ detail }) => onChange({ name: detail.value.slice(0, 120) })}
        />
      </FormField>
      <FormField label={t('alerts.column.severity')}>
        <Select
          options={options}
          selectedOption={options.find(({ value }) => value === draft.severity) ?? null}
          onChange={({ detail }) => {
            const chosen = alertSeverities.find((each) => each === detail.selectedOption.value);
            if (chosen !== undefined) onChange({ severity: chosen });
          }}
        />
      </FormField>
      <Toggle
        checked={draft.enabled}
        onChange={({ detail }) => onChange({ enabled: detail.checked })}
      >
        {t('alerts.form.enabled')}
      </Toggle>
    </SpaceBetween>
  );
}
