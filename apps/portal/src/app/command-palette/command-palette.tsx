import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import type { PaletteItem } from './palette-item.ts';
import { PaletteRow } from './palette-row.tsx';
import { closePalette, stopGathering, usePalette } from '../../ui/palette-store.ts';
import { usePaletteItems, type PaletteItems } from './use-palette-items.ts';
import './command-palette.css';

/** Debounce of the search in milliseconds. */
const SEARCH_DELAY_MS = 40;

/**
 * Searches everything, in a native dialog: Escape closes it and returns the focus. Mounted only
 * while open.
 */
export function CommandPalette(): ReactNode {
  const { text } = usePalette();
  const dialog = useRef<HTMLDialogElement>(null);
  const t = useT();
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    stopGathering();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // The browser handles Escape; a click outside closes the dialog, too.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className="dp-palette"
      aria-label={t('app.palette.title')}
      onClose={() => {
        if (!dialog.current?.open) closePalette();
      }}
      // A click outside: only on the backdrop is the dialog itself the target.
      onClick={(event) => {
        if (event.target === dialog.current) closePalette();
      }}
    >
      <PaletteContent initialText={text} />
    </dialog>
  );
}

function PaletteContent({ initialText }: { readonly initialText: string }): ReactNode {
  const t = useT();
  const [text, setText] = useState(initialText);
  const [settled, setSettled] = useState(initialText);
  // By ID, so that results that arrive later do not move the selection to another item.
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [enterPending, setEnterPending] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { items, searching, failed, mended, isSimilar, words } = usePaletteItems(settled);
  const current = Math.max(
    0,
    items.findIndex(({ id }) => id === chosenId),
  );
  const isBehind = text !== settled || searching;

  useEffect(() => {
    if (enterPending && !isBehind) act(items[0], false);
  }, [enterPending, isBehind, items]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && items.length > 0) {
      event.preventDefault();
      setChosenId(items[(current + step + items.length) % items.length]?.id ?? null);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      // The results belong to an earlier text. Enter then selects the first result of the current
      // text.
      if (isBehind && chosenId === null) setEnterPending(true);
      else act(items[current], event.ctrlKey || event.metaKey);
    }
  };
  const status = searching
    ? t('app.palette.searching')
    : t('app.palette.count', { count: items.length });
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-expanded={items.length > 0}
        aria-controls="palette-list"
        aria-activedescendant={items.length > 0 ? `palette-item-${current}` : undefined}
        aria-autocomplete="list"
        aria-label={t('app.palette.title')}
        placeholder={t('app.palette.placeholder')}
        autoComplete="off"
        spellCheck={false}
        // The dialog is opened to type in this field.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosenId(null);
          setEnterPending(false);
        }}
        onKeyDown={onKeyDown}
      />
      {mended === null && !isSimilar ? null : (
        <p className="dp-palette-note">
          {mended === null
            ? t('app.palette.similar', { text: settled })
            : t('app.palette.mended', { text: settled, mended })}
        </p>
      )}
      <PaletteList items={items} current={current} words={words} />
      {items.length === 0 && !isBehind && settled !== '' ? (
        <p className="dp-palette-note">{t('app.palette.none', { text: settled })}</p>
      ) : null}
      {failed ? <p className="dp-palette-note">{t('app.palette.failed')}</p> : null}
      <p className="dp-palette-note">{t('app.palette.hint')}</p>
      <output className="dp-visually-hidden">{status}</output>
    </>
  );
}

function PaletteList({
  items,
  current,
  words,
}: Pick<PaletteItems, 'items' | 'words'> & { readonly current: number }): ReactNode {
  const t = useT();
  return (
    // The APG combobox pattern, because native lists cannot be controlled from an input.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div id="palette-list" role="listbox" aria-label={t('app.palette.results')}>
      {items.map((item, index) => (
        <PaletteRow
          key={item.id}
          item={item}
          index={index}
          active={index === current}
          heading={items[index - 1]?.section === item.section ? null : item.section}
          words={words}
          onAct={(inNewTab) => act(item, inNewTab)}
        />
      ))}
    </div>
  );
}

function act(item: PaletteItem | undefined, inNewTab: boolean): void {
  if (item === undefined) return;
  closePalette();
  if (inNewTab && item.href !== undefined) window.open(item.href, '_blank', 'noopener');
  else item.act();
}
