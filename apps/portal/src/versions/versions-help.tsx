import HelpPanel from '@cloudscape-design/components/help-panel';
import type { ReactNode } from 'react';
import { HelpLinks } from '../help/help-links.tsx';
import { useT } from '../i18n/use-t.ts';

/** Explains components, approvals, and packages, and the process from a release to the fleet. */
export function VersionsHelp(): ReactNode {
  const t = useT();
  return (
    <HelpPanel header={<h2>{t('app.nav.versions')}</h2>} footer={<HelpLinks />}>
      <h3>{t('versions.help.release')}</h3>
      <ol>
        <li>{t('versions.help.register')}</li>
        <li>{t('versions.help.approve')}</li>
        <li>{t('versions.help.approveFor')}</li>
        <li>{t('versions.help.rollOut')}</li>
      </ol>
      <h3>{t('versions.help.counts')}</h3>
      <p>{t('versions.help.nearest')}</p>
      <h3>{t('versions.area.packages')}</h3>
      <p>{t('versions.help.packages')}</p>
    </HelpPanel>
  );
}
