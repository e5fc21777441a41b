import Button from '@cloudscape-design/components/button';
import Input, { type InputProps } from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { TERMINAL_SEARCH_CHARACTERS } from '@deviceportal/contract/terminal-text';
import { useT } from '../i18n/use-t.ts';
import { findInLines, linesOf, MOST_MATCHES, type RecordedMatch } from './find-in-recording.ts';
import type { Recording } from './read-recording.ts';

interface RecordingSearchProps {
  readonly recording: Recording;
  /** Searched for when the recording is opened. */
  readonly initialText: string;
  readonly onShow: (match: RecordedMatch, text: string) => void;
}

/** Finds text in a recording. Enter shows the next match, Shift+Enter the previous one. */
export function RecordingSearch(props: RecordingSearchProps): ReactNode {
  const t = useT();
  const { text, setText, matches, at, step } = useMatches(props);
  const isEmpty = matches.length === 0;
  const onKeyDown: InputProps['onKeyDown'] = ({ detail }) => {
    if (detail.key === 'Enter') step(detail.shiftKey ? -1 : 1);
  };
  return (
    <SpaceBetween direction="horizontal" size="xs" alignItems="center">
      <Input
        type="search"
        value={text}
        ariaLabel={t('terminals.search.label')}
        placeholder={t('terminals.search.label')}
        clearAriaLabel={t('terminals.search.clear')}
        onChange={({ detail }) => setText(detail.value.slice(0, TERMINAL_SEARCH_CHARACTERS))}
        onKeyDown={onKeyDown}
      />
      <Button
        iconName="angle-up"
        ariaLabel={t('terminals.search.previous')}
        disabled={isEmpty}
        onClick={() => step(-1)}
      />
      <Button
        iconName="angle-down"
        ariaLabel={t('terminals.search.next')}
        disabled={isEmpty}
        onClick={() => step(1)}
      />
      <span role="status">
        {text.trim() === ''
          ? null
          : isEmpty
            ? t('terminals.search.none')
            : t(
                matches.length < MOST_MATCHES ? 'terminals.search.count' : 'terminals.search.many',
                {
                  at: at === null ? 0 : at + 1,
                  count: matches.length,
                  line: at === null ? '' : (matches[at]?.line.slice(0, 80) ?? ''),
                },
              )}
      </span>
    </SpaceBetween>
  );
}

function useMatches({ recording, initialText, onShow }: RecordingSearchProps) {
  const [text, setText] = useState(initialText);
  const [at, setAt] = useState<number | null>(null);
  // Read when something is searched for.
  const isWanted = text.trim() !== '';
  const lines = useMemo(() => (isWanted ? linesOf(recording) : []), [recording, isWanted]);
  const matches = useMemo(
    () => (isWanted ? findInLines(lines, text) : []),
    [lines, isWanted, text],
  );
  const show = (index: number): void => {
    const match = matches[index];
    if (match === undefined) return;
    setAt(index);
    onShow(match, text.trim());
  };
  const isShown = useRef(false);
  useEffect(() => {
    if (isShown.current || initialText === '') return;
    isShown.current = true;
    // The player around this component begins after it.
    queueMicrotask(() => show(0));
  });
  return {
    ...{ text, matches, at },
    setText: (value: string) => {
      setText(value);
      setAt(null);
    },
    step: (by: 1 | -1) => {
      const count = matches.length;
      show(at === null ? (by === 1 ? 0 : count - 1) : (at + by + count) % count);
    },
  };
}
