import type { FileUploadProps } from '@cloudscape-design/components/file-upload';
import type { Translate } from '../i18n/use-t.ts';

/** Texts of an upload field for one file. */
export function fileUploadTexts(t: Translate): FileUploadProps.I18nStrings {
  return {
    uploadButtonText: () => t('devices.targets.chooseFile'),
    dropzoneText: () => t('devices.targets.dropFile'),
    removeFileAriaLabel: () => t('devices.targets.removeFile'),
    limitShowFewer: '',
    limitShowMore: '',
    errorIconAriaLabel: t('devices.error'),
  };
}
