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
  /** A file was chosen; absent: its text is all that is taken of it. */
  readonly onUpload?: (file: UploadedDocument) => void;
}

/** The text of a document with its problems, checked while it is typed. */
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
