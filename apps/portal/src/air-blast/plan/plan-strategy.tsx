import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { DocumentPicker } from '../../commands/form/document-picker.tsx';
import { deliveryTimeouts } from '../../commands/form/run-options.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { AWAY_SECONDS, type StrategyFields } from './plan-fields.ts';
import type { Plan } from './use-plan.ts';
import { WaveSketch } from './wave-sketch.tsx';

type TextName = Exclude<
  keyof StrategyFields,
  'timeoutSeconds' | 'verifyDocument' | 'waitForOffline'
>;

/** The rollout strategy: canaries, waves, errors allowed, and verification. */
export function PlanStrategy({
  plan,
  devices,
}: {
  readonly plan: Plan;
  readonly devices: number | null;
}): ReactNode {
  const t = useT();
  return (
    <Container
      header={
        <Header variant="h2" description={t('airBlast.careHint')}>
          {t('airBlast.care')}
        </Header>
      }
    >
      <SpaceBetween size="m">
        <WaveSketch
          strategy={plan.fields.strategy}
          issues={plan.issues.strategy}
          devices={devices}
          consequence={plan.form.data?.consequence}
        />
        <ColumnLayout columns={3}>
          <CareField plan={plan} name="canaryPercent" />
          <CareField plan={plan} name="successPercent" />
          <CareField plan={plan} name="soakMinutes" />
          <CareField plan={plan} name="waves" />
          <CareField plan={plan} name="maxConcurrency" />
          <CareField plan={plan} name="maxErrors" />
        </ColumnLayout>
        <ExpandableSection headerText={t('airBlast.more')}>
          <MoreCare plan={plan} />
        </ExpandableSection>
      </SpaceBetween>
    </Container>
  );
}

function CareField({ plan, name }: { readonly plan: Plan; readonly name: TextName }): ReactNode {
  const t = useT();
  const { fields, change, issues } = plan;
  const issue = issues.strategy.get(name);
  return (
    <FormField
      label={t(`airBlast.${name}`)}
      constraintText={t(`airBlast.hint.${name}`)}
      errorText={issue === undefined ? undefined : t(`airBlast.issue.${issue}`)}
      stretch
    >
      <Input
        value={fields.strategy[name]}
        onChange={({ detail }) =>
          change({ strategy: { ...fields.strategy, [name]: detail.value } })
        }
      />
    </FormField>
  );
}

function MoreCare({ plan }: { readonly plan: Plan }): ReactNode {
  const t = useT();
  const format = useFormat();
  const { strategy } = plan.fields;
  const change = (part: Partial<StrategyFields>): void =>
    plan.change({ strategy: { ...strategy, ...part } });
  const option = (seconds: number) => ({
    value: String(seconds),
    label: format.duration(seconds * 1_000),
  });
  return (
    <SpaceBetween size="m">
      <ColumnLayout columns={3}>
        <FormField
          label={t('airBlast.timeout')}
          constraintText={t('airBlast.hint.timeout')}
          stretch
        >
          <Select
            selectedOption={option(strategy.timeoutSeconds)}
            options={deliveryTimeouts.map(option)}
            onChange={({ detail }) =>
              change({ timeoutSeconds: Number(detail.selectedOption.value) })
            }
          />
        </FormField>
        <CareField plan={plan} name="maxDiskUsedPercent" />
        <CareField plan={plan} name="verifyMinutes" />
      </ColumnLayout>
      <Checkbox
        checked={strategy.waitForOffline}
        onChange={({ detail }) =>
          change({
            waitForOffline: detail.checked,
            timeoutSeconds: detail.checked ? AWAY_SECONDS.takenAlong : AWAY_SECONDS.leftBehind,
          })
        }
      >
        {t('airBlast.waitForOffline')}
      </Checkbox>
      <SpaceBetween size="xs">
        <DocumentPicker
          label={t('airBlast.verifyDocument')}
          hint={t('airBlast.hint.verifyDocument')}
          reference={strategy.verifyDocument}
          onPick={(verifyDocument) => change({ verifyDocument })}
        />
        {strategy.verifyDocument === '' ? null : (
          <Button formAction="none" onClick={() => change({ verifyDocument: '' })}>
            {t('airBlast.noVerifyDocument')}
          </Button>
        )}
      </SpaceBetween>
    </SpaceBetween>
  );
}
