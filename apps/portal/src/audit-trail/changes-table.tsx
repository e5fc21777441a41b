import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import type { AuditChange } from './audit-changes.ts';

/** Changed values, before and after. */
export function ChangesTable({ changes }: { readonly changes: readonly AuditChange[] }): ReactNode {
  const t = useT();
  return (
    <SpaceBetween size="s">
      <Box variant="h3">{t('auditTrail.detail.changes')}</Box>
      <table className="dp-audit-changes">
        <thead>
          <tr>
            <th scope="col">{t('auditTrail.detail.field')}</th>
            <th scope="col">{t('auditTrail.detail.before')}</th>
            <th scope="col">{t('auditTrail.detail.after')}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ field, before, after }) => (
            <tr key={`${field} ${before} ${after}`}>
              <th scope="row">{field === '' ? t('auditTrail.detail.value') : field}</th>
              <td>{before === null ? '-' : <del>{before}</del>}</td>
              <td>{after === null ? '-' : <ins>{after}</ins>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </SpaceBetween>
  );
}
