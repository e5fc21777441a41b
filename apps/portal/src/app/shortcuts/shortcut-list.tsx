import Modal from '@cloudscape-design/components/modal';
import type { ReactNode } from 'react';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { places } from '../../ui/navigation.ts';
import { usePreferences } from '../../ui/preferences-store.ts';
import { closeShortcutList } from './shortcut-list-store.ts';

/** The list behind `?`; mounted while it is open. */
export function ShortcutList(): ReactNode {
  const t = useT();
  const enabled = usePreferences().shortcuts ?? true;
  return (
    <Modal
      visible
      header={t('shell.shortcuts.title')}
      closeAriaLabel={t('shell.close')}
      onDismiss={closeShortcutList}
    >
      {enabled ? null : <p>{t('shell.shortcuts.off')}</p>}
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
    ['/', t('shell.shortcuts.search')],
    ['?', t('shell.shortcuts.list')],
    ...places
      .filter((place) => place.letter !== undefined)
      .map((place): [string, string] => [
        `g ${place.letter}`,
        t('shell.shortcuts.go', { place: t(place.key) }),
      ]),
    ['r', t('shell.shortcuts.refresh')],
    ['f', t('shell.shortcuts.filter')],
    ['j k', t('shell.shortcuts.rows')],
    ['Enter', t('shell.shortcuts.open')],
    ['x', t('shell.shortcuts.select')],
    ['y', t('shell.shortcuts.copyLink')],
    ['n', t('shell.shortcuts.note')],
    ['[', t('shell.shortcuts.navigation')],
    ['Esc', t('shell.shortcuts.escape')],
  ];
}
