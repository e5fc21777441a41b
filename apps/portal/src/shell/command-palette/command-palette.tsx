import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import type { PaletteItem } from './palette-item.ts';
import { closePalette, usePalette } from './palette-store.ts';
import { usePaletteItems } from './use-palette-items.ts';
import './command-palette.css';

const SEARCH_DELAY_MS = 90;

/**
 * Search over everything, on a native dialog: Escape closes it at once and focus returns where it was. Mounted while it
 * is open.
 */
export function CommandPalette(): ReactNode {
  const { text } = usePalette();
  const dialog = useRef<HTMLDialogElement>(null);
  const t = useT();
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // Escape closes it by itself; the click is for those who point beside it.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className="dp-palette"
      aria-label={t('shell.palette.title')}
      onClose={() => {
        if (!dialog.current?.open) closePalette();
      }}
      // A click outside: the dialog itself is the target only on its backdrop.
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
  const [active, setActive] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { items, searching, failed } = usePaletteItems(settled, true);
  const current = Math.min(active, Math.max(0, items.length - 1));

  const act = (item: PaletteItem | undefined): void => {
    if (item === undefined) return;
    closePalette();
    item.act();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && items.length > 0) {
      event.preventDefault();
      setActive((current + step + items.length) % items.length);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      act(items[current]);
    }
  };
  const status = searching
    ? t('shell.palette.searching')
    : t('shell.palette.count', { count: items.length });
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-expanded={items.length > 0}
        aria-controls="palette-list"
        aria-activedescendant={items.length > 0 ? `palette-item-${current}` : undefined}
        aria-autocomplete="list"
        aria-label={t('shell.palette.title')}
        placeholder={t('shell.palette.placeholder')}
        autoComplete="off"
        spellCheck={false}
        // The dialog was opened to type into it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      {/* A combobox of the APG: native lists cannot be driven from an input. */}
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role */}
      <div id="palette-list" role="listbox" aria-label={t('shell.palette.results')}>
        {items.map((item, index) => (
          <PaletteRow
            key={item.id}
            item={item}
            index={index}
            active={index === current}
            heading={items[index - 1]?.section === item.section ? null : headingOf(item, t)}
            onAct={() => act(item)}
          />
        ))}
      </div>
      {items.length === 0 && !searching && settled !== '' ? (
        <p className="dp-palette-note">{t('shell.palette.none', { text: settled })}</p>
      ) : null}
      {failed ? <p className="dp-palette-note">{t('shell.palette.failed')}</p> : null}
      <p className="dp-palette-note">{t('shell.palette.hint')}</p>
      <output className="dp-visually-hidden">{status}</output>
    </>
  );
}

function headingOf(item: PaletteItem, t: ReturnType<typeof useT>): string {
  return t(`shell.palette.${item.section}`);
}

interface PaletteRowProps {
  readonly item: PaletteItem;
  readonly index: number;
  readonly active: boolean;
  readonly heading: string | null;
  readonly onAct: () => void;
}

function PaletteRow({ item, index, active, heading, onAct }: PaletteRowProps): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) element.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <>
      {heading === null ? null : (
        <div className="dp-palette-heading" role="presentation">
          {heading}
        </div>
      )}
      {/* Keys belong to the input, which keeps the focus (APG combobox). */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events */}
      <div
        ref={element}
        id={`palette-item-${index}`}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="option"
        tabIndex={-1}
        aria-selected={active}
        className="dp-palette-item"
        onMouseDown={(event) => event.preventDefault()}
        onClick={onAct}
      >
        <span>{item.label}</span>
        <span className="dp-palette-detail">{item.detail}</span>
      </div>
    </>
  );
}
