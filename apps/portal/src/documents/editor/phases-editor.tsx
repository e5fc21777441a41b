import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Button from '@cloudscape-design/components/button';
import { useId, useRef, useState, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { ProblemLines } from './problem-list.tsx';
import { SourceEditor, type SourceEditorRef } from './source-editor.tsx';
import type { LiveValidation } from './use-document-validation.ts';

const template = `# Steps as in mainSteps, with the same parameters. Leave out what is not needed.
preCheck:
  - action: aws:runShellScript
    name: before
    inputs:
      timeoutSeconds: '60'
      runCommand:
        - echo 'fail here, and nothing is changed'
verify:
  - action: aws:runShellScript
    name: after
    inputs:
      timeoutSeconds: '60'
      runCommand:
        - echo 'fail here, and it is no success'
undo:
  - action: aws:runShellScript
    name: back
    inputs:
      timeoutSeconds: '60'
      runCommand:
        - echo 'what was kept in $DEVICEPORTAL_UNDO is here again'
`;

export interface PhasesEditorProps {
  readonly text: string;
  readonly validation: LiveValidation;
  readonly onChange: (text: string) => void;
}

/** Edits the pre-check, verification, and undo steps, which are a second text. */
export function PhasesEditor({ text, validation, onChange }: PhasesEditorProps): ReactNode {
  const t = useT();
  const problemsId = useId();
  const editor = useRef<SourceEditorRef>(null);
  const [open, setOpen] = useState(text !== '');
  const problems = (validation.result?.problems ?? []).filter(({ part }) => part === 'phases');
  return (
    <ExpandableSection
      headerText={t('documents.phases.title')}
      headerDescription={t('documents.phases.hint')}
      expanded={open || problems.length > 0}
      onChange={({ detail }) => setOpen(detail.expanded)}
    >
      <SpaceBetween size="s">
        {text.trim() === '' ? (
          <Button onClick={() => onChange(template)}>{t('documents.phases.begin')}</Button>
        ) : null}
        <FormField label={t('documents.phases.label')} stretch>
          <SourceEditor
            ref={editor}
            value={text}
            label={t('documents.phases.label')}
            problems={problems}
            describedBy={problemsId}
            onChange={onChange}
          />
        </FormField>
        <div id={problemsId} role="status">
          <ProblemLines
            problems={problems}
            onGoTo={(problem) => editor.current?.goTo(problem.line, problem.column)}
          />
        </div>
      </SpaceBetween>
    </ExpandableSection>
  );
}
