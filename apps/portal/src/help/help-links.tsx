import type { ReactNode } from 'react';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { guideTitle } from './guides/guide-titles.ts';
import { useHelpTopic } from './use-help-topic.ts';
import './help.css';

/** Links of the help of a page: its guide, and the glossary. */
export function HelpLinks(): ReactNode {
  const t = useT();
  const language = useLanguage();
  const guide = useHelpTopic()?.guide;
  return (
    <ul className="dp-help-links">
      {guide === undefined ? null : (
        <li>
          <PortalLink href={`/guides/${guide}`}>
            {t('help.guide', { name: guideTitle(guide, language) })}
          </PortalLink>
        </li>
      )}
      <li>
        <PortalLink href="/glossary">{t('app.help.glossary')}</PortalLink>
      </li>
    </ul>
  );
}
