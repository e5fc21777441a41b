import type { ReactNode } from 'react';
import type { VersionMatrixRow } from '@deviceportal/contract/versions';
import { useFormat } from '../i18n/format-values.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { StatusOf, wordOf } from '../ui/status-of.tsx';
import { devicesOfCell } from './devices-with-software.ts';

export interface MatrixCellProps {
  readonly component: string;
  readonly version: string;
  readonly row: VersionMatrixRow;
}

/**
 * The number and share of a row’s devices with a version, and their state. Links to the devices.
 */
export function MatrixCell({ component, version, row }: MatrixCellProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const language = useLanguage();
  const cell = row.cells.find((each) => each.version === version);
  if (cell === undefined) return '-';
  const words = `${format.number(cell.devices)} · ${format.percent(cell.share)}`;
  const state =
    cell.state === null ? t('versions.matrix.noState') : wordOf('tavState', cell.state, language);
  const href = devicesOfCell({ component, version, row });
  const label = t('versions.matrix.cell', {
    words,
    version,
    model: row.model ?? t('versions.matrix.unknownModel'),
    state,
  });
  return (
    <>
      {href === null ? (
        words
      ) : (
        <PortalLink href={href} ariaLabel={label}>
          {words}
        </PortalLink>
      )}
      {cell.state === null ? null : (
        <div>
          <StatusOf kind="tavState" value={cell.state} />
        </div>
      )}
    </>
  );
}
