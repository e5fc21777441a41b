import * as tokens from '@cloudscape-design/design-tokens';
import { useImperativeHandle, useRef, type ReactNode, type Ref } from 'react';
import type { DocumentProblem } from '@deviceportal/contract/documents';
import { lineCount, offsetOf } from './line-offsets.ts';

export interface SourceEditorRef {
  readonly goTo: (line: number, column: number) => void;
}

export interface SourceEditorProps {
  readonly value: string;
  readonly label: string;
  readonly problems: readonly DocumentProblem[];
  /** Read-only if absent. */
  readonly onChange?: (value: string) => void;
  readonly describedBy?: string;
  readonly ref?: Ref<SourceEditorRef>;
}

const LINE_PX = 20;
const MIN_LINES = 16;

/** The text of a document with line numbers and problem markers. */
export function SourceEditor(props: SourceEditorProps): ReactNode {
  const { value, label, problems, onChange, describedBy, ref } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => ({
    goTo(line, column) {
      const offset = offsetOf(value, line, column);
      area.current?.focus({ preventScroll: true });
      area.current?.setSelectionRange(offset, offset);
      frame.current?.scrollTo({ top: Math.max(0, (line - 4) * LINE_PX) });
      frame.current?.scrollIntoView({ block: 'nearest' });
    },
  }));
  const wrong = new Set(problems.map((problem) => problem.line));
  const lines = lineCount(value);
  const longest = Math.max(40, ...value.split('\n').map((line) => line.length));
  return (
    <div
      ref={frame}
      className="dp-source"
      style={{
        background: tokens.colorBackgroundContainerContent,
        borderColor: tokens.colorBorderInputDefault,
        color: tokens.colorTextBodyDefault,
      }}
    >
      <LineNumbers count={lines} wrong={wrong} />
      {onChange === undefined ? (
        <pre className="dp-source-text" tabIndex={0} role="region" aria-label={label}>
          {value}
        </pre>
      ) : (
        <textarea
          ref={area}
          className="dp-source-text"
          aria-label={label}
          aria-invalid={problems.length > 0}
          {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
          value={value}
          rows={Math.max(MIN_LINES, lines + 1)}
          cols={longest + 2}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  );
}

function LineNumbers({
  count,
  wrong,
}: {
  readonly count: number;
  readonly wrong: ReadonlySet<number>;
}): ReactNode {
  return (
    <div
      className="dp-source-numbers"
      aria-hidden
      style={{
        background: tokens.colorBackgroundLayoutMain,
        color: tokens.colorTextBodySecondary,
      }}
    >
      {Array.from({ length: count }, (_each, index) => index + 1).map((line) => (
        <div
          key={line}
          {...(wrong.has(line)
            ? { className: 'dp-source-number-wrong', style: { color: tokens.colorTextStatusError } }
            : {})}
        >
          {line}
        </div>
      ))}
    </div>
  );
}
