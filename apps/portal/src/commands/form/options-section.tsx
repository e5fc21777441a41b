import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Grid from '@cloudscape-design/components/grid';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { deliveryTimeouts, isConcurrency, isErrorLimit, type RunOptions } from './run-options.ts';

export interface OptionsSectionProps {
  readonly options: RunOptions;
  readonly many: boolean;
  readonly onChange: (options: RunOptions) => void;
}

/** Comment and delivery timeout, and for several devices the concurrency and errors allowed. */
export function OptionsSection({ options, many, onChange }: OptionsSectionProps): ReactNode {
  const t = useT();
  return (
    <ExpandableSection
      variant="container"
      headingTagOverride="h2"
      headerText={t('commands.options.title')}
      headerDescription={t('commands.options.description')}
      defaultExpanded={many}
    >
      <SpaceBetween size="m">
        <FormField
          label={t('commands.options.comment')}
          description={t('commands.options.commentHint')}
          stretch
        >
          <Input
            value={options.comment}
            onChange={({ detail }) => onChange({ ...options, comment: detail.value.slice(0, 500) })}
          />
        </FormField>
        <TimeoutField options={options} onChange={onChange} />
        {many ? <RateFields options={options} onChange={onChange} /> : null}
      </SpaceBetween>
    </ExpandableSection>
  );
}

type FieldsProps = Omit<OptionsSectionProps, 'many'>;

function TimeoutField({ options, onChange }: FieldsProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const label = (seconds: number): string => format.duration(seconds * 1_000);
  return (
    <FormField
      label={t('commands.options.timeout')}
      description={t('commands.options.timeoutHint')}
    >
      <Select
        selectedOption={{
          value: String(options.timeoutSeconds),
          label: label(options.timeoutSeconds),
        }}
        options={deliveryTimeouts.map((seconds) => ({
          value: String(seconds),
          label: label(seconds),
        }))}
        onChange={({ detail }) =>
          onChange({ ...options, timeoutSeconds: Number(detail.selectedOption.value) })
        }
      />
    </FormField>
  );
}

function RateFields({ options, onChange }: FieldsProps): ReactNode {
  const t = useT();
  return (
    <Grid gridDefinition={[{ colspan: { default: 12, s: 6 } }, { colspan: { default: 12, s: 6 } }]}>
      <FormField
        label={t('commands.options.concurrency')}
        description={t('commands.options.concurrencyHint')}
        errorText={
          isConcurrency(options.maxConcurrency) ? undefined : t('commands.options.concurrencyIssue')
        }
      >
        <Input
          value={options.maxConcurrency}
          onChange={({ detail }) => onChange({ ...options, maxConcurrency: detail.value })}
        />
      </FormField>
      <FormField
        label={t('commands.options.errors')}
        description={t('commands.options.errorsHint')}
        errorText={isErrorLimit(options.maxErrors) ? undefined : t('commands.options.errorsIssue')}
      >
        <Input
          value={options.maxErrors}
          onChange={({ detail }) => onChange({ ...options, maxErrors: detail.value })}
        />
      </FormField>
    </Grid>
  );
}
