import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import type { ReactNode } from 'react';
import type { ReportLayout } from '@deviceportal/contract/report-blocks';
import { useT } from '../i18n/use-t.ts';

/** Copies the findings as text for a ticket. */
export function CopyFindings({ layout }: { readonly layout: ReportLayout }): ReactNode {
  const t = useT();
  return (
    <CopyToClipboard
      variant="button"
      copyButtonText={t('reports.actions.copyFindings')}
      copyButtonAriaLabel={t('reports.actions.copyFindings')}
      copySuccessText={t('app.copy.done')}
      copyErrorText={t('app.copy.failed')}
      textToCopy={findingsText(layout)}
    />
  );
}

function findingsText({ title, subtitle, sections }: ReportLayout): string {
  const lines = (sections.find(({ id }) => id === 'findings')?.blocks ?? []).flatMap((block) => {
    if (block.kind === 'list') return block.items.map((one) => `- ${one.toneWord}: ${one.text}`);
    return block.kind === 'text' ? [block.text] : [];
  });
  return [title, ...subtitle, '', ...lines, '', location.href].join('\n');
}
