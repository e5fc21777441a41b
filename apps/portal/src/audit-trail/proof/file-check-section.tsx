import Box from '@cloudscape-design/components/box';
import FileUpload from '@cloudscape-design/components/file-upload';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { checkFiles, isProof } from './check-files.ts';
import { FileFindings } from './file-findings.tsx';

/** Verifies an export from another source: its proof, and its file if selected. */
export function FileCheckSection(): ReactNode {
  const t = useT();
  const api = useApi();
  const [files, setFiles] = useState<File[]>([]);
  const chain = useQuery(api.auditTrail.chain.queryOptions({ after: 0, depth: 'links' }));
  const keys = chain.data?.keys ?? null;
  const name = files.map((file) => `${file.name} ${file.size} ${file.lastModified}`).join();
  const hasProof = files.some(isProof);
  const check = useQuery({
    queryKey: ['audit-export-check', name, keys],
    queryFn: () => checkFiles(files, keys),
    enabled: hasProof && !chain.isPending,
    retry: false,
    gcTime: 0,
  });
  return (
    <SpaceBetween size="m">
      <Box variant="p">{t('auditTrail.proof.fileBody')}</Box>
      <FormField label={t('auditTrail.proof.files')}>
        <FileUpload
          multiple
          value={files}
          onChange={({ detail }) => setFiles(detail.value)}
          constraintText={t('auditTrail.proof.fileHint')}
          {...(files.length > 0 && !hasProof ? { errorText: t('auditTrail.proof.noProof') } : {})}
          i18nStrings={{
            uploadButtonText: () => t('auditTrail.proof.chooseFiles'),
            dropzoneText: () => t('auditTrail.proof.dropFiles'),
            removeFileAriaLabel: (index) => t('auditTrail.proof.removeFile', { number: index + 1 }),
            limitShowFewer: t('auditTrail.proof.showFewer'),
            limitShowMore: t('auditTrail.proof.showMore'),
            errorIconAriaLabel: t('auditTrail.proof.errorIcon'),
          }}
        />
      </FormField>
      {check.isFetching ? <Spinner /> : null}
      {check.isError ? (
        <ErrorView error={check.error} place="alert" onRetry={() => void check.refetch()} />
      ) : null}
      {check.data === undefined || check.isFetching ? null : <FileFindings checked={check.data} />}
    </SpaceBetween>
  );
}
