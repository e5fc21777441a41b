import Modal from '@cloudscape-design/components/modal';
import type { ReactNode } from 'react';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { places } from '../../ui/navigation.ts';
import { usePreferences } from '../../ui/preferences-store.ts';
import { closeShortcutList } from './shortcut-list-store.ts';

/** The list of shortcuts that `?` opens. Mounted only while open. */
export function ShortcutList(): ReactNode {
  const t = useT();
  const enabled = usePreferences().shortcuts ?? true;
  return (
    <Modal
      visible
      header={t('app.shortcuts.title')}
      closeAriaLabel={t('app.close')}
      onDismiss={closeShortcutList}
    >
      {enabled ? null : <p>{t('app.shortcuts.off')}</p>}
      <dl className="dp-shortcuts">
        {shortcutRows(t).map(([keys, words]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}

function shortcutRows(t: Translate): [keys: string, words: string][] {
  return [
    ['/', t('app.shortcuts.search')],
    ['?', t('app.shortcuts.list')],
    ['h', t('app.shortcuts.help')],
    ...places
      .filter((place) => place.letter !== undefined)
      .map((place): [string, string] => [
        `g ${place.letter}`,
        t('app.shortcuts.go', { place: t(place.key) }),
      ]),
    ['r', t('app.shortcuts.refresh')],
    ['f', t('app.shortcuts.filter')],
    ['j k', t('app.shortcuts.rows')],
    ['Enter', t('app.shortcuts.open')],
    ['x', t('app.shortcuts.select')],
    ['y', t('app.shortcuts.copyLink')],
    ['n', t('app.shortcuts.note')],
    ['[', t('app.shortcuts.navigation')],
    ['Esc', t('app.shortcuts.escape')],
  ];
}
