import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import Spinner from '@cloudscape-design/components/spinner';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import type { RankedAnswer } from './ranked-answer.ts';
import '../../documents/documents.css';

const DiffView = lazy(async () => ({
  default: (await import('../../documents/review/diff-view.tsx')).DiffView,
}));

/** One selected output in full, or the difference between two. */
export function ChosenAnswers({
  runId,
  selected,
}: {
  readonly runId: string;
  readonly selected: readonly RankedAnswer[];
}): ReactNode {
  const [first, second] = selected;
  if (first === undefined) return null;
  if (second === undefined) return <OneAnswer runId={runId} answer={first} />;
  return <TwoAnswers runId={runId} first={first} second={second} />;
}

function OneAnswer({
  runId,
  answer,
}: {
  readonly runId: string;
  readonly answer: RankedAnswer;
}): ReactNode {
  const t = useT();
  const query = useAnswerText(runId, answer);
  const title = t('commands.answers.number', { rank: answer.rank });
  if (query.isError) return <ErrorView error={query.error} place="alert" />;
  return (
    <Container
      header={
        <Header variant="h2" description={t('commands.answers.normalized')}>
          {title}
        </Header>
      }
    >
      {query.data === undefined ? (
        <Spinner />
      ) : (
        <CodeBlock text={query.data.text || t('commands.answers.nothing')} label={title} />
      )}
    </Container>
  );
}

function TwoAnswers({
  runId,
  first,
  second,
}: {
  readonly runId: string;
  readonly first: RankedAnswer;
  readonly second: RankedAnswer;
}): ReactNode {
  const t = useT();
  const before = useAnswerText(runId, first);
  const after = useAnswerText(runId, second);
  const failed = before.error ?? after.error;
  if (failed !== null) return <ErrorView error={failed} place="alert" />;
  if (before.data === undefined || after.data === undefined) return <Spinner />;
  return (
    <Suspense fallback={<Spinner />}>
      <DiffView
        title={t('commands.answers.difference', { first: first.rank, second: second.rank })}
        before={{ version: first.rank, content: before.data.text }}
        after={{ version: second.rank, content: after.data.text }}
      />
    </Suspense>
  );
}

function useAnswerText(runId: string, { sha256 }: RankedAnswer) {
  return useQuery(useApi().commands.getAnswer.queryOptions({ runId, sha256 }));
}
