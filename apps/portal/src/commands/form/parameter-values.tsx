import ExpandableSection from '@cloudscape-design/components/expandable-section';
import type { ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { KeyValue } from '../../ui/key-value.tsx';
import { parameterTitle } from './parameter-words.ts';

/** The parameter values of a run. Secret values are masked. */
export function ParameterValues({
  documentName,
  parameters,
  expanded = false,
}: {
  readonly documentName: string | null;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly expanded?: boolean;
}): ReactNode {
  const t = useT();
  const entries = Object.entries(parameters);
  if (entries.length === 0) return null;
  return (
    <ExpandableSection
      defaultExpanded={expanded}
      headerText={t('commands.result.parameters', { count: entries.length })}
    >
      <KeyValue
        columns={2}
        items={entries.map(([name, value]) => ({
          label: parameterTitle(documentName, name, t),
          value: <code className="dp-command-value">{textOf(value)}</code>,
        }))}
      />
    </ExpandableSection>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
