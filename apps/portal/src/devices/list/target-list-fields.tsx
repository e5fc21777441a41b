import Box from '@cloudscape-design/components/box';
import FileUpload from '@cloudscape-design/components/file-upload';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useState, type ReactNode } from 'react';
import { fileUploadTexts } from '../file-upload-texts.ts';
import { useT } from '../../i18n/use-t.ts';
import type { ParsedSerialNumbers } from './parse-serial-numbers.ts';

export interface TargetListFieldsProps {
  readonly text: string;
  readonly parsed: ParsedSerialNumbers;
  readonly problem: string | undefined;
  readonly rows?: number;
  /** `fileName` is set if the text was read from a file. */
  readonly onText: (text: string, fileName?: string) => void;
}

/** Serial numbers, pasted or from a file. */
export function TargetListFields(props: TargetListFieldsProps): ReactNode {
  const { text, parsed, problem, rows = 10, onText } = props;
  const t = useT();
  const [files, setFiles] = useState<File[]>([]);
  const read = (chosen: File[]): void => {
    setFiles(chosen);
    const [file] = chosen;
    if (file === undefined) return;
    void file.text().then((content) => onText(content, file.name));
  };
  const { serialNumbers, duplicates, malformed } = parsed;
  return (
    <SpaceBetween size="m">
      <FormField
        label={t('devices.targets.text')}
        description={t('devices.targets.textHelp')}
        errorText={problem}
        constraintText={
          <output>
            {t('devices.targets.counted', { count: serialNumbers.length, duplicates })}
          </output>
        }
        stretch
      >
        <Textarea
          value={text}
          rows={rows}
          spellcheck={false}
          placeholder={'SN10000037\nSN10000038'}
          onChange={({ detail }) => onText(detail.value)}
        />
      </FormField>
      {malformed.length === 0 ? null : (
        <Box color="text-status-warning">
          {t('devices.targets.malformed', {
            count: malformed.length,
            examples: malformed.slice(0, 5).join(' '),
          })}
        </Box>
      )}
      <FormField label={t('devices.targets.file')}>
        <FileUpload
          value={files}
          accept=".txt,.csv,text/plain,text/csv"
          showFileSize
          onChange={({ detail }) => read(detail.value)}
          i18nStrings={fileUploadTexts(t)}
        />
      </FormField>
    </SpaceBetween>
  );
}
