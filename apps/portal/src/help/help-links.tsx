import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { guideTitle } from './guides/guide-titles.ts';
import { helpTopicOf } from './help-topics.ts';
import './help.css';

/** Links of the help of a page: its guide, and the glossary. */
export function HelpLinks(): ReactNode {
  const t = useT();
  const language = useLanguage();
  const { pathname } = useLocation();
  const guide = helpTopicOf(pathname)?.guide;
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
