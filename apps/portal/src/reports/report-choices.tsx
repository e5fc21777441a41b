import FormField from '@cloudscape-design/components/form-field';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import { useId, type ReactNode } from 'react';
import { reportLanguages, reportPapers, reportVoices } from '@deviceportal/contract/reports';
import { useT } from '../i18n/use-t.ts';
import type { ReportOptions } from './use-report-options.ts';

export interface ReportChoicesProps {
  readonly options: ReportOptions;
  readonly change: (part: Partial<ReportOptions>) => void;
}

/** Language, audience, and paper size. */
export function ReportChoices({ options, change }: ReportChoicesProps): ReactNode {
  const t = useT();
  return (
    <div className="dp-report-choice">
      <Choice
        label={t('reports.language')}
        value={options.language}
        values={reportLanguages}
        textOf={(value) => t(`reports.language.${value}`)}
        onChange={(language) => change({ language })}
      />
      <Choice
        label={t('reports.voice')}
        value={options.voice}
        values={reportVoices}
        textOf={(value) => t(`reports.voice.${value}`)}
        onChange={(voice) => change({ voice })}
      />
      <Choice
        label={t('reports.paper')}
        value={options.paper}
        values={reportPapers}
        textOf={(value) => t(`reports.paper.${value}`)}
        onChange={(paper) => change({ paper })}
      />
    </div>
  );
}

/** A choice of a few options, side by side. */
export function Choice<Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly values: readonly Value[];
  readonly textOf: (value: Value) => string;
  readonly onChange: (value: Value) => void;
}): ReactNode {
  const { label, value, values, textOf, onChange } = props;
  const labelId = useId();
  return (
    <FormField label={<span id={labelId}>{label}</span>}>
      <SegmentedControl
        ariaLabelledby={labelId}
        selectedId={value}
        options={values.map((id) => ({ id, text: textOf(id) }))}
        onChange={({ detail }) => {
          const chosen = values.find((id) => id === detail.selectedId);
          if (chosen !== undefined) onChange(chosen);
        }}
      />
    </FormField>
  );
}
