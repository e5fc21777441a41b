import Alert from '@cloudscape-design/components/alert';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import type { ReactNode } from 'react';
import type { ReportShareLink } from '@deviceportal/contract/reports';
import { GrantEndNote } from '../access/users/grant-end-note.tsx';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';

/** A new link. Anyone with the link can read the report until it expires. */
export function ShareLink({ link }: { readonly link: ReportShareLink }): ReactNode {
  const t = useT();
  const format = useFormat();
  return (
    <Alert
      type="success"
      header={t('reports.share.works', { until: format.absolute(Date.parse(link.expiresAt)) })}
      action={
        <CopyToClipboard
          variant="button"
          copyButtonText={t('reports.actions.copyLink')}
          copyButtonAriaLabel={t('reports.actions.copyLink')}
          copySuccessText={t('app.copy.done')}
          copyErrorText={t('app.copy.failed')}
          textToCopy={link.url}
        />
      }
    >
      <a className="dp-share-url" href={link.url} target="_blank" rel="noreferrer">
        {link.url}
      </a>
      <GrantEndNote bond={link.bond} />
    </Alert>
  );
}
