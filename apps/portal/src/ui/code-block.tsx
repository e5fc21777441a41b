import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import { useMemo, useState, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { findMatches, type TextPart } from './find-matches.ts';

export interface CodeBlockProps {
  readonly text: string;
  readonly label: string;
  /** Content next to the tools, such as a download link or “truncated at 10 MiB”. */
  readonly footer?: ReactNode;
  readonly maxHeightPx?: number;
  /** Scrolls with growing output while the end is in view. */
  readonly follow?: boolean;
}

/** Output or source in monospace, with wrapping, search, and copy. */
export function CodeBlock({
  text,
  label,
  footer,
  maxHeightPx = 420,
  follow,
}: CodeBlockProps): ReactNode {
  const t = useT();
  const [wrap, setWrap] = useState(true);
  const [search, setSearch] = useState('');
  const { parts, count } = useMemo(() => findMatches(text, search), [text, search]);
  return (
    <div className="dp-code">
      <div className="dp-code-tools">
        <SpaceBetween direction="horizontal" size="s" alignItems="center">
          <Input
            type="search"
            value={search}
            ariaLabel={t('app.code.search', { label })}
            placeholder={t('app.code.searchPlaceholder')}
            onChange={({ detail }) => setSearch(detail.value)}
          />
          {search === '' ? null : <output>{t('app.code.matches', { count })}</output>}
          <Toggle checked={wrap} onChange={({ detail }) => setWrap(detail.checked)}>
            {t('app.code.wrap')}
          </Toggle>
          <CopyToClipboard
            variant="icon"
            textToCopy={text}
            copyButtonAriaLabel={t('app.copy.label', { name: label })}
            copySuccessText={t('app.copy.done')}
            copyErrorText={t('app.copy.failed')}
          />
        </SpaceBetween>
      </div>
      <pre
        className={wrap ? 'dp-code-text dp-code-wrap' : 'dp-code-text'}
        style={{ maxHeight: maxHeightPx }}
        // Focusable, so that it can be scrolled with the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="region"
        aria-label={label}
        ref={(element) => {
          if (follow && element && search === '') element.scrollTop = element.scrollHeight;
        }}
      >
        {parts.map(renderPart)}
      </pre>
      {footer}
    </div>
  );
}

function renderPart(part: TextPart): ReactNode {
  return part.match ? <mark key={part.offset}>{part.text}</mark> : part.text;
}

/** A one-line value to paste into a terminal. */
export function CopyLine({
  text,
  label,
}: {
  readonly text: string;
  readonly label: string;
}): ReactNode {
  const t = useT();
  return (
    <div className="dp-copy-line">
      <code>{text}</code>
      <CopyToClipboard
        variant="button"
        textToCopy={text}
        copyButtonText={t('app.copy.action')}
        copyButtonAriaLabel={t('app.copy.label', { name: label })}
        copySuccessText={t('app.copy.done')}
        copyErrorText={t('app.copy.failed')}
      />
    </div>
  );
}
