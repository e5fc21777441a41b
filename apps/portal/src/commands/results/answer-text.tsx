import { useMemo, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { answerDifference, type DifferencePart } from './answer-difference.ts';
import './answer-text.css';

const SHOWN_CHARACTERS = 160;

export interface AnswerTextProps {
  readonly text: string;
  /** The most frequent output; null for that output itself. */
  readonly common: string | null;
}

/** The beginning of the most frequent output; of another one, what differs from it. */
export function AnswerText({ text, common }: AnswerTextProps): ReactNode {
  const t = useT();
  const parts = useMemo(
    () => (common === null || text.trim() === '' ? null : answerDifference(common, text)),
    [common, text],
  );
  if (parts === null) return beginningOf(text) || t('commands.answers.nothing');
  // Only the beginning of outputs is loaded for the list.
  if (parts.length === 0) return t('commands.answers.sameBeginning');
  return <span className="dp-answer-difference">{parts.map(shownPart)}</span>;
}

function shownPart({ kind, text }: DifferencePart, index: number): ReactNode {
  // Parts have no identity other than their position.
  if (kind === 'added') return <ins key={index}>{text}</ins>;
  if (kind === 'removed') return <del key={index}>{text}</del>;
  return <span key={index}>{text}</span>;
}

const beginningOf = (text: string): string =>
  text.trim().replaceAll(/\s+/g, ' ').slice(0, SHOWN_CHARACTERS);
