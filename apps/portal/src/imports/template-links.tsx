import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { ImportKind } from '@deviceportal/contract/imports';
import { useT } from '../i18n/use-t.ts';
import { downloadFrom } from '../ui/download-from.ts';
import { templateOf } from './template-of.ts';

/** Downloads of files with all columns. */
export function TemplateLinks({ kind }: { readonly kind: ImportKind }): ReactNode {
  const t = useT();
  const download = (format: 'csv' | 'json'): void => {
    const file = templateOf(kind, format);
    const url = URL.createObjectURL(file);
    downloadFrom(url, file.name);
    URL.revokeObjectURL(url);
  };
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {(['csv', 'json'] as const).map((format) => (
        <Button
          key={format}
          variant="inline-link"
          iconName="download"
          onClick={() => download(format)}
        >
          {t(`imports.template.${format}`)}
        </Button>
      ))}
    </SpaceBetween>
  );
}
