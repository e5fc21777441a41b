import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import type { ReactNode } from 'react';
import type { ReportRow } from '@deviceportal/contract/reports';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { CopyableId } from '../ui/copyable-id.tsx';
import { KeyValue } from '../ui/key-value.tsx';

/** Hashes that identify the files of the report. */
export function ReportHashes({ row }: { readonly row: ReportRow }): ReactNode {
  const t = useT();
  const format = useFormat();
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={t('reports.kept', {
            until: format.absolute(Date.parse(row.expiresAt), 'UTC'),
          })}
        >
          {t('reports.files')}
        </Header>
      }
    >
      <KeyValue
        columns={1}
        items={row.files.map((file) => ({
          label: `${t(`reports.format.${file.format}`)} · ${format.bytes(file.bytes)}`,
          value: <CopyableId value={file.sha256} name="SHA-256" />,
        }))}
      />
    </Container>
  );
}
