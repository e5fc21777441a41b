import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DocumentVersionDetail, ExportedDocument } from '@deviceportal/contract/documents';
import { useApiClient } from '../api/use-api.ts';
import { saveText } from '../commands/results/save-text.ts';
import { useT } from '../i18n/use-t.ts';
import { CopyLine } from '../ui/code-block.tsx';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';
import { SourceEditor } from './editor/source-editor.tsx';

/** The text of a version to read, copy, or download for SSM in either format. */
export function SourceTab({ shown }: { readonly shown: DocumentVersionDetail }): ReactNode {
  const t = useT();
  const client = useApiClient();
  const showError = useErrorFlash();
  const { documentName: name, version } = shown;
  const save = useMutation({
    mutationFn: (format: 'JSON' | 'YAML' | 'PORTAL') =>
      client.documents.export.query({ name, version, format }),
    onSuccess: (file) => saveText(file.fileName, file.content, file.mediaType),
    onError: showError,
  });
  const exported = save.data;
  return (
    <SpaceBetween size="s">
      <SpaceBetween direction="horizontal" size="s">
        <CopyToClipboard
          variant="button"
          textToCopy={shown.content}
          copyButtonText={t('app.copy.action')}
          copySuccessText={t('app.copy.done')}
          copyErrorText={t('app.copy.failed')}
        />
        <ButtonDropdown
          loading={save.isPending}
          items={[
            ...(['YAML', 'JSON'] as const).map((format) => ({
              id: format,
              text: t(
                format === shown.format ? 'documents.export.asWritten' : 'documents.export.as',
                { format },
              ),
              iconName: 'download' as const,
            })),
            { id: 'PORTAL', text: t('documents.export.portal'), iconName: 'download' as const },
          ]}
          onItemClick={({ detail }) => save.mutate(detail.id as 'JSON' | 'YAML' | 'PORTAL')}
        >
          {t('documents.export.action')}
        </ButtonDropdown>
      </SpaceBetween>
      {exported === undefined || save.variables === 'PORTAL' ? null : (
        <ForSsm name={name} file={exported} />
      )}
      <SourceEditor
        value={shown.content.replace(/\n$/, '')}
        label={t('documents.tab.source')}
        problems={[]}
      />
      {shown.phasesText === '' ? null : (
        <Box variant="h3" tagOverride="h2">
          {t('documents.phases.title')}
        </Box>
      )}
      {shown.phasesText === '' ? null : (
        <SourceEditor
          value={shown.phasesText.replace(/\n$/, '')}
          label={t('documents.phases.label')}
          problems={[]}
        />
      )}
    </SpaceBetween>
  );
}

/** How to import the file into SSM, and which properties SSM does not support. */
function ForSsm({
  name,
  file,
}: {
  readonly name: string;
  readonly file: ExportedDocument;
}): ReactNode {
  const t = useT();
  const format = file.mediaType === 'application/json' ? 'JSON' : 'YAML';
  return (
    <SpaceBetween size="xs">
      <Box variant="awsui-key-label">{t('documents.export.command')}</Box>
      <CopyLine
        label={t('documents.export.command')}
        text={`aws ssm create-document --name ${name} --document-type Command --document-format ${format} --content file://${file.fileName}`}
      />
      {file.beyondSsm.length === 0 ? null : (
        <Alert type="warning" header={t('documents.export.beyondSsm')}>
          <ul className="dp-document-list">
            {file.beyondSsm.map((path) => (
              <li key={path}>
                <code>{path}</code>
              </li>
            ))}
          </ul>
        </Alert>
      )}
    </SpaceBetween>
  );
}
