import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FileUpload from '@cloudscape-design/components/file-upload';
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import type { ReactNode } from 'react';
import {
  IMPORT_FILE_BYTES,
  IMPORT_ROWS,
  importColumnsOf,
  importEncodings,
  type ImportEncoding,
  type ImportKind,
} from '@deviceportal/contract/imports';
import { fileUploadTexts } from '../devices/file-upload-texts.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { TemplateLinks } from './template-links.tsx';

export interface FileFieldsProps {
  readonly kind: ImportKind;
  readonly files: File[];
  readonly pasted: string;
  readonly encoding: ImportEncoding;
  readonly isTooLarge: boolean;
  readonly onFiles: (files: File[]) => void;
  readonly onPasted: (text: string) => void;
  readonly onEncoding: (encoding: ImportEncoding) => void;
}

/** A file with its encoding, or pasted rows. */
export function FileFields(props: FileFieldsProps): ReactNode {
  const { kind, files, pasted, encoding, isTooLarge, onFiles, onPasted, onEncoding } = props;
  const t = useT();
  const format = useFormat();
  const size = format.bytes(IMPORT_FILE_BYTES);
  return (
    <SpaceBetween size="m">
      <FormField
        label={t('imports.file')}
        description={t('imports.fileHelp', { size, rows: IMPORT_ROWS })}
        constraintText={t('imports.columnsHelp', { columns: importColumnsOf[kind].join(', ') })}
        errorText={isTooLarge ? t('imports.tooLarge', { size }) : undefined}
        stretch
      >
        <FileUpload
          value={files}
          accept=".csv,.json,.jsonl,.txt,text/csv,application/json"
          showFileSize
          onChange={({ detail }) => onFiles(detail.value)}
          i18nStrings={fileUploadTexts(t)}
        />
      </FormField>
      <TemplateLinks kind={kind} />
      {files.length === 0 ? (
        <ExpandableSection headerText={t('imports.paste')}>
          <FormField label={t('imports.pasted')} stretch>
            <Textarea
              value={pasted}
              rows={8}
              spellcheck={false}
              placeholder={importColumnsOf[kind].join(',')}
              onChange={({ detail }) => onPasted(detail.value)}
            />
          </FormField>
        </ExpandableSection>
      ) : (
        <EncodingField encoding={encoding} onChange={onEncoding} />
      )}
    </SpaceBetween>
  );
}

function EncodingField({
  encoding,
  onChange,
}: {
  readonly encoding: ImportEncoding;
  readonly onChange: (encoding: ImportEncoding) => void;
}): ReactNode {
  const t = useT();
  const options = importEncodings.map((value) => ({
    value,
    label: t(`imports.encoding.${value}`),
  }));
  return (
    <FormField label={t('imports.encoding')}>
      <Select
        options={options}
        selectedOption={options.find(({ value }) => value === encoding) ?? null}
        onChange={({ detail }) => onChange(detail.selectedOption.value as ImportEncoding)}
      />
    </FormField>
  );
}
