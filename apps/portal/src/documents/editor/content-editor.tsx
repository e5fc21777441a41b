import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useId, useRef, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { ProblemList } from './problem-list.tsx';
import { SourceEditor, type SourceEditorRef } from './source-editor.tsx';
import { UploadDocument, type UploadedDocument } from './upload-document.tsx';
import type { LiveValidation } from './use-document-validation.ts';

export interface ContentEditorProps {
  readonly content: string;
  readonly validation: LiveValidation;
  readonly onChange: (content: string) => void;
  /** Called when a file was chosen. If absent, only its text is used. */
  readonly onUpload?: (file: UploadedDocument) => void;
}

/** The editor of a document’s text, with problems from validation while typing. */
export function ContentEditor(props: ContentEditorProps): ReactNode {
  const { content, validation, onChange, onUpload } = props;
  const t = useT();
  const problemsId = useId();
  const editor = useRef<SourceEditorRef>(null);
  return (
    <SpaceBetween size="s">
      <UploadDocument onText={onUpload ?? ((file) => onChange(file.content))} />
      <FormField
        label={t('documents.editor.label')}
        description={t('documents.editor.hint')}
        stretch
      >
        <SourceEditor
          ref={editor}
          value={content}
          label={t('documents.editor.label')}
          problems={(validation.result?.problems ?? []).filter(({ part }) => part === 'content')}
          describedBy={problemsId}
          onChange={onChange}
        />
      </FormField>
      <ProblemList
        id={problemsId}
        validation={validation}
        onGoTo={(problem) => editor.current?.goTo(problem.line, problem.column)}
      />
    </SpaceBetween>
  );
}
