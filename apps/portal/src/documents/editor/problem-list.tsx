import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { DocumentProblem } from '@deviceportal/contract/documents';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { problemText } from './problem-text.ts';
import type { LiveValidation } from './use-document-validation.ts';

export interface ProblemListProps {
  readonly id: string;
  readonly validation: LiveValidation;
  readonly onGoTo: (problem: DocumentProblem) => void;
}

/** Problems of the text, each with a link to its line. */
export function ProblemList({ id, validation, onGoTo }: ProblemListProps): ReactNode {
  const t = useT();
  const { result, checking, error } = validation;
  if (error !== null && error !== undefined) return <ErrorView error={error} place="alert" />;
  const problems = (result?.problems ?? []).filter(({ part }) => part === 'content');
  return (
    <div id={id} role="status">
      {result === undefined ? (
        <StatusIndicator type="loading">{t('documents.editor.checking')}</StatusIndicator>
      ) : problems.length === 0 ? (
        <StatusIndicator type={checking ? 'loading' : 'success'}>
          {t('documents.editor.valid', {
            format: result.format,
            parameters: Object.keys(result.parameters).length,
            steps: result.steps.length,
          })}
        </StatusIndicator>
      ) : (
        <ProblemLines problems={problems} onGoTo={onGoTo} />
      )}
    </div>
  );
}

/** The problems of one text. Renders nothing if there are none. */
export function ProblemLines({
  problems,
  onGoTo,
}: {
  readonly problems: readonly DocumentProblem[];
  readonly onGoTo: (problem: DocumentProblem) => void;
}): ReactNode {
  const t = useT();
  if (problems.length === 0) return null;
  return (
    <>
      <Box color="text-status-error">
        {t('documents.editor.problems', { count: problems.length })}
      </Box>
      <ul className="dp-document-problems">
        {problems.map((problem) => (
          <li key={`${problem.line}:${problem.column}:${problem.path}:${problem.message}`}>
            <Button variant="inline-link" onClick={() => onGoTo(problem)}>
              {t('documents.editor.place', { line: problem.line, column: problem.column })}
            </Button>{' '}
            {problem.path === '' ? null : <code>{problem.path}</code>} {problemText(problem, t)}
          </li>
        ))}
      </ul>
    </>
  );
}
