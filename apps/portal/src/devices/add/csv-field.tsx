import FileUpload from '@cloudscape-design/components/file-upload';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useState, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { fileUploadTexts } from '../file-upload-texts.ts';

const EXAMPLE = `serialNumber,name,model,ownerEmail,country,labels
SN10000301,Pump 301,Edge 5,ann@example.com,DE,site=Hamburg;line=2`;

/** The devices as CSV, typed, pasted, or read from a file. */
export function CsvField({
  csv,
  tooLarge,
  onChange,
}: {
  readonly csv: string;
  readonly tooLarge: boolean;
  readonly onChange: (csv: string) => void;
}): ReactNode {
  const t = useT();
  const [files, setFiles] = useState<File[]>([]);
  return (
    <SpaceBetween size="m">
      <FormField
        label={t('devices.import.csv')}
        description={t('devices.import.help')}
        errorText={tooLarge ? t('devices.import.tooLarge') : undefined}
        stretch
      >
        <Textarea
          value={csv}
          rows={8}
          spellcheck={false}
          placeholder={EXAMPLE}
          onChange={({ detail }) => onChange(detail.value)}
        />
      </FormField>
      <FileUpload
        value={files}
        accept=".csv,text/csv"
        showFileSize
        onChange={({ detail }) => {
          setFiles(detail.value);
          void detail.value[0]?.text().then(onChange);
        }}
        i18nStrings={fileUploadTexts(t)}
      />
    </SpaceBetween>
  );
}
