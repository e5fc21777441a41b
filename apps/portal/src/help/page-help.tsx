import HelpPanel from '@cloudscape-design/components/help-panel';
import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { MessageKey } from '../i18n/message-key.ts';
import { useT } from '../i18n/use-t.ts';
import { placeOf } from '../ui/navigation.ts';
import { HelpLinks } from './help-links.tsx';
import { useHelpTopic } from './use-help-topic.ts';

/** The help of the page: what it is for, how to use it, its guide, and the glossary. */
export function PageHelp(): ReactNode {
  const t = useT();
  const { pathname } = useLocation();
  const topic = useHelpTopic();
  const place = placeOf(pathname);
  return (
    <HelpPanel
      header={<h2>{place === undefined ? t('app.help.label') : t(place.key)}</h2>}
      footer={<HelpLinks />}
    >
      {topic === undefined ? (
        <p>{t('help.other')}</p>
      ) : (
        <>
          <p>{t(`help.${topic.id}.what` as MessageKey)}</p>
          <p>{t(`help.${topic.id}.how` as MessageKey)}</p>
        </>
      )}
      <p>{t('help.shortcut')}</p>
    </HelpPanel>
  );
}
