import Button from '@cloudscape-design/components/button';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DocumentVersionDetail } from '@deviceportal/contract/documents';
import { useApiClient } from '../api/use-api.ts';
import { saveText } from '../commands/save-text.ts';
import { useT } from '../i18n/use-t.ts';
import { useErrorFlash } from '../shell/error-reaction/use-error-flash.tsx';
import { SourceEditor } from './source-editor.tsx';

/** The text exactly as it was written, to read, copy and keep. */
export function SourceTab({ shown }: { readonly shown: DocumentVersionDetail }): ReactNode {
  const t = useT();
  const client = useApiClient();
  const showError = useErrorFlash();
  const save = useMutation({
    mutationFn: () =>
      client.documents.export.query({ name: shown.documentName, version: shown.version }),
    onSuccess: (file) => saveText(file.fileName, file.content, file.mediaType),
    onError: showError,
  });
  return (
    <SpaceBetween size="s">
      <SpaceBetween direction="horizontal" size="s">
        <CopyToClipboard
          variant="button"
          textToCopy={shown.content}
          copyButtonText={t('shell.copy.action')}
          copySuccessText={t('shell.copy.done')}
          copyErrorText={t('shell.copy.failed')}
        />
        <Button iconName="download" loading={save.isPending} onClick={() => save.mutate()}>
          {t('documents.export')}
        </Button>
      </SpaceBetween>
      <SourceEditor
        value={shown.content.replace(/\n$/, '')}
        label={t('documents.tab.source')}
        problems={[]}
      />
    </SpaceBetween>
  );
}
