import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import Form from '@cloudscape-design/components/form';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import type { FieldIssue } from '@deviceportal/contract/errors';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import { issueText } from '../../ui/refusals/issue-text.ts';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { PlanStrategy } from './plan-strategy.tsx';
import { PlanChange } from './plan-change.tsx';
import { PlanDevices } from './plan-devices.tsx';
import type { PlanFields } from './plan-fields.ts';
import { usePlan, type EditedPlan, type Plan } from './use-plan.ts';
import { useTargetPreview } from './use-target-preview.ts';
import '../../commands/commands.css';

export interface PlanFormProps {
  readonly first: PlanFields;
  readonly edited?: EditedPlan;
  readonly onFrozen: (run: AirBlastDetail) => void;
  readonly onCancel: () => void;
}

/** The plan stage: change, devices, and rollout strategy. Saving it fixes the target set. */
export function PlanForm({ first, edited, onFrozen, onCancel }: PlanFormProps): ReactNode {
  const t = useT();
  const plan = usePlan({ first, edited: edited ?? null, onFrozen });
  const preview = useTargetPreview(plan);
  const form = useRef<HTMLFormElement>(null);
  useFocusOnFirstIssue(form, plan);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        plan.submit();
      }}
    >
      <Form
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <Button formAction="none" variant="link" onClick={onCancel}>
              {t('app.cancel')}
            </Button>
            <Button variant="primary" loading={plan.busy}>
              {t(edited === undefined ? 'airBlast.freeze' : 'airBlast.freezeAgain')}
            </Button>
          </SpaceBetween>
        }
      >
        <SpaceBetween size="l">
          {edited === undefined ? null : (
            <Alert type="info">{t('airBlast.editEffect', { revision: edited.revision + 1 })}</Alert>
          )}
          <WhatFor
            plan={plan}
            title={t(edited === undefined ? 'airBlast.new' : 'airBlast.step.plan')}
          />
          <PlanChange plan={plan} keepsSecrets={edited?.secretParameters ?? []} />
          <PlanDevices plan={plan} preview={preview} />
          <PlanStrategy plan={plan} devices={preview.data?.count ?? null} />
          <PlanError error={plan.error} />
        </SpaceBetween>
      </Form>
    </form>
  );
}

/**
 * Moves the focus to the first invalid field after a press that sent nothing. It is marked in the
 * page by then.
 */
function useFocusOnFirstIssue(form: RefObject<HTMLFormElement | null>, plan: Plan): void {
  const { pressed, issues } = plan;
  const { any } = issues;
  useEffect(() => {
    if (pressed === 0 || !any) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    // Only a press moves the focus, not a change of a field.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [pressed]);
}

function WhatFor({ plan, title }: { readonly plan: Plan; readonly title: string }): ReactNode {
  const t = useT();
  const { fields, change, issues, pressed } = plan;
  return (
    <Container header={<Header variant="h2">{title}</Header>}>
      <ColumnLayout columns={2}>
        <FormField
          label={t('airBlast.name')}
          description={t('airBlast.nameHint')}
          errorText={pressed > 0 && issues.name ? t('airBlast.issue.name') : undefined}
          stretch
        >
          <Input
            value={fields.name}
            onChange={({ detail }) => change({ name: detail.value.slice(0, 128) })}
          />
        </FormField>
        <FormField label={t('airBlast.reason')} description={t('airBlast.reasonHint')} stretch>
          <Input
            value={fields.reason}
            onChange={({ detail }) => change({ reason: detail.value.slice(0, 500) })}
          />
        </FormField>
      </ColumnLayout>
    </Container>
  );
}

/** The error of the server, unless a parameter shows it. */
function PlanError({ error }: { readonly error: unknown }): ReactNode {
  const t = useT();
  if (error === null) return null;
  const { reason, issues } = portalErrorOf(error);
  if (reason !== 'input-invalid' || issues.length === 0) {
    return <ErrorView error={error} place="alert" />;
  }
  return (
    <Alert type="error" header={t('app.error.invalidParameters.title')}>
      <ul className="dp-command-list">
        {issues.map((issue) => (
          <li key={issue.path.join('.')}>
            {fieldWords(issue.path, t)}: {issueText(issue, t)}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

/** The label of the field of a path, or the path if the field has no label. */
function fieldWords(path: FieldIssue['path'], t: Translate): string {
  const [area, name] = path;
  const isLabelled = area === 'change' && (name === 'component' || name === 'version');
  return isLabelled ? t(`airBlast.${name}`) : path.join('.');
}
