import * as tokens from '@cloudscape-design/design-tokens';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import { useMemo, useState, type ReactNode } from 'react';
import type { DocumentVersionDetail } from '@deviceportal/contract/documents';
import { useT } from '../../i18n/use-t.ts';
import { diffModel, type DiffLine, type DiffPart } from './diff-model.ts';

export interface DiffViewProps {
  /** The title, if these are not versions of a document. */
  readonly title?: string;
  readonly before: Pick<DocumentVersionDetail, 'version' | 'content'>;
  readonly after: Pick<DocumentVersionDetail, 'version' | 'content'>;
}

/** The diff of two versions as a table. Changes are marked by text, not only by color. */
export function DiffView({ before, after, ...props }: DiffViewProps): ReactNode {
  const t = useT();
  const model = useMemo(
    () => diffModel(before.content, after.content),
    [before.content, after.content],
  );
  const versions = { before: before.version, after: after.version };
  const title = props.title ?? t('documents.diff.title', versions);
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={t('documents.diff.counts', { added: model.added, removed: model.removed })}
        >
          {title}
        </Header>
      }
    >
      {model.added + model.removed === 0 ? (
        <Box color="text-body-secondary">{t('documents.diff.same')}</Box>
      ) : (
        <div className="dp-diff-frame" tabIndex={0} role="region" aria-label={title}>
          <table className="dp-diff">
            <caption className="dp-visually-hidden">{title}</caption>
            <thead>
              <tr>
                <th scope="col">{before.version}</th>
                <th scope="col">{after.version}</th>
                <th scope="col">{t('documents.diff.change')}</th>
                <th scope="col">{t('documents.diff.line')}</th>
              </tr>
            </thead>
            <tbody>
              {model.parts.map((part) => (
                <Part key={keyOf(part)} part={part} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Container>
  );
}

function keyOf(part: DiffPart): string {
  const first = part.lines[0];
  return `${first?.before ?? ''}:${first?.after ?? ''}`;
}

function Part({ part }: { readonly part: DiffPart }): ReactNode {
  const t = useT();
  const [open, setOpen] = useState(false);
  if (part.kind === 'skipped' && !open) {
    return (
      <tr>
        <td colSpan={4}>
          <Button variant="inline-link" onClick={() => setOpen(true)}>
            {t('documents.diff.skipped', { count: part.lines.length })}
          </Button>
        </td>
      </tr>
    );
  }
  return part.lines.map((line) => <Line key={`${line.before}:${line.after}`} line={line} />);
}

const marks = { same: '', added: '+', removed: '−' } as const;

function Line({ line }: { readonly line: DiffLine }): ReactNode {
  const t = useT();
  const color =
    line.kind === 'added'
      ? tokens.colorTextStatusSuccess
      : line.kind === 'removed'
        ? tokens.colorTextStatusError
        : tokens.colorTextBodyDefault;
  return (
    <tr style={{ color: color }}>
      <td className="dp-diff-number">{line.before}</td>
      <td className="dp-diff-number">{line.after}</td>
      <td className="dp-diff-mark">
        {line.kind === 'same' ? null : (
          <span role="img" aria-label={t(`documents.diff.${line.kind}`)}>
            {marks[line.kind]}
          </span>
        )}
      </td>
      <td>{line.text}</td>
    </tr>
  );
}
