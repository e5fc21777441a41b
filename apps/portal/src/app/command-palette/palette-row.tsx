import { useEffect, useRef, type ReactNode } from 'react';
import { StatusOf, type StateKind } from '../../ui/status-of.tsx';
import { Time } from '../../ui/time/time.tsx';
import type { PaletteItem } from './palette-item.ts';

export interface PaletteRowProps {
  readonly item: PaletteItem;
  readonly index: number;
  readonly active: boolean;
  readonly heading: string | null;
  /** In lower case. Each occurrence is highlighted. */
  readonly words: readonly string[];
  readonly onAct: (inNewTab: boolean) => void;
}

/** An item of the palette: its name, details, and state. */
export function PaletteRow(props: PaletteRowProps): ReactNode {
  const { item, index, active, heading, words, onAct } = props;
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
      {/* The input handles keys and keeps the focus (APG combobox pattern). */}
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
        onClick={(event) => onAct(event.ctrlKey || event.metaKey)}
      >
        <span className="dp-palette-label">
          <Marked text={item.label} words={words} />
        </span>
        <span className="dp-palette-detail">
          <Marked text={item.detail} words={words} />
        </span>
        <span className="dp-palette-state">
          {item.why === undefined ? null : <span className="dp-palette-why">{item.why}</span>}
          {item.state === undefined ? null : <State {...item.state} />}
          {item.at ? <Time at={item.at} /> : null}
        </span>
      </div>
    </>
  );
}

function State({ kind, value }: { readonly kind: StateKind; readonly value: string }): ReactNode {
  // Unknown states are shown as received.
  return <StatusOf kind={kind} value={value as never} />;
}

/** Highlights the search words in a text. */
function Marked({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  const literal = words
    .filter((word) => word !== '')
    .toSorted((one, other) => other.length - one.length)
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  if (literal.length === 0) return text;
  // Every second part is the match of the capturing group.
  const pieces = text.split(new RegExp(`(${literal.join('|')})`, 'giu'));
  let offset = 0;
  return pieces.map((piece, position) => {
    const key = offset;
    offset += piece.length;
    return position % 2 === 1 ? <mark key={key}>{piece}</mark> : piece;
  });
}
