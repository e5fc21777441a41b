import Alert from '@cloudscape-design/components/alert';
import FileInput from '@cloudscape-design/components/file-input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState, type ReactNode } from 'react';
import type { BesideText } from '@deviceportal/contract/documents';
import { useT } from '../../i18n/use-t.ts';
import { readDocumentFile, type FileProblem } from './read-document-file.ts';

export interface UploadedDocument {
  readonly content: string;
  readonly name: string;
  /** From a portal export. Null from SSM. */
  readonly extra: BesideText | null;
}

/** Loads the text of a document from a local file into the editor, where it is validated. */
export function UploadDocument({
  onText,
}: {
  readonly onText: (file: UploadedDocument) => void;
}): ReactNode {
  const t = useT();
  const [problem, setProblem] = useState<FileProblem | null>(null);
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const read = readDocumentFile(file.name, new Uint8Array(await file.arrayBuffer()));
    setProblem(read.kind === 'refused' ? read.problem : null);
    if (read.kind === 'text') onText(read);
  };
  return (
    <SpaceBetween size="xs">
      <FileInput
        value={[]}
        accept=".yaml,.yml,.json,application/json,application/yaml"
        onChange={({ detail }) => void take(detail.value[0])}
      >
        {t('documents.upload.action')}
      </FileInput>
      {problem === null ? null : <Alert type="error">{t(`documents.upload.${problem}`)}</Alert>}
    </SpaceBetween>
  );
}
