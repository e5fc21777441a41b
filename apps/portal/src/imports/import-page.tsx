import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, type ReactNode } from 'react';
import type { ImportDetail } from '@deviceportal/contract/imports';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { useBreadcrumbs, useRefresh } from '../ui/page-slots.tsx';
import { PendingPage } from '../ui/pending-page.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { refusalText } from '../ui/refusals/refusal-text.ts';
import { ImportHeader } from './import-header.tsx';
import { ImportRows } from './import-rows.tsx';
import { useAdvance } from './use-advance.ts';

export const Route = createLazyRoute('/imports/$id')({ component: ImportPage });

const route = getRouteApi('/imports/$id');

function ImportPage(): ReactNode {
  const { id } = route.useParams();
  return <OneImport key={id} id={id} />;
}

/** The preview of an import, its progress, and its result. */
function OneImport({ id }: { readonly id: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const { data, error, refetch } = useQuery(
    api.imports.get.queryOptions({ id }, { refetchInterval: refreshMs.list }),
  );
  const advancing = useAdvance(id, data?.state);
  useBreadcrumbs([
    { text: t('imports.title'), href: '/imports' },
    ...(data === undefined ? [] : [{ text: data.fileName, href: `/imports/${id}` }]),
  ]);
  useRefresh(useCallback(() => void refetch(), [refetch]));
  if (data === undefined) {
    if (error === null) return <PendingPage />;
    return (
      <ErrorView
        error={error}
        subject={{ kind: t('imports.kindName'), id }}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <SpaceBetween size="l">
      <ImportHeader detail={data} />
      {advancing.error === null ? (
        <Progress detail={data} />
      ) : (
        <Interrupted error={advancing.error} onRetry={advancing.retry} />
      )}
      <Notes detail={data} />
      {data.state === 'rejected' || data.state === 'discarded' ? null : (
        <ImportRows detail={data} />
      )}
    </SpaceBetween>
  );
}

function Progress({ detail }: { readonly detail: ImportDetail }): ReactNode {
  const t = useT();
  const { state, counts } = detail;
  const [done, all] =
    state === 'checking'
      ? [counts.checked, counts.rows]
      : state === 'applying'
        ? [counts.applied, counts.new + counts.changed]
        : state === 'undoing'
          ? [counts.undone + counts.left, counts.applied]
          : [0, 0];
  if (all === 0) return null;
  return (
    <ProgressBar
      value={(done / all) * 100}
      label={t('imports.progress', { state: t(`imports.state.${state}`), done, all })}
      description={t('imports.progressNote')}
    />
  );
}

function Interrupted({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry: () => void;
}): ReactNode {
  const t = useT();
  return (
    <SpaceBetween size="s">
      <Alert
        type="warning"
        header={t('imports.interrupted')}
        action={<Button onClick={onRetry}>{t('imports.continue')}</Button>}
      />
      <ErrorView error={error} place="alert" />
    </SpaceBetween>
  );
}

function Notes({
  detail: { problem, state, counts, ignoredColumns },
}: {
  readonly detail: ImportDetail;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  if (problem !== null) {
    const line = problem.line === null ? '' : t('imports.problem.line', { line: problem.line });
    return (
      <Alert type="error" header={t('imports.problem.file')}>
        <SpaceBetween size="xs">
          <div>
            {format.sentences([line, refusalText(problem, t) ?? problem.message].filter(Boolean))}
          </div>
          <PortalLink href="/imports">{t('imports.again')}</PortalLink>
        </SpaceBetween>
      </Alert>
    );
  }
  const changesNothing = state === 'ready' && counts.new + counts.changed === 0;
  return (
    <SpaceBetween size="s">
      {ignoredColumns.length === 0 ? null : (
        <Alert type="info">
          {t('imports.ignored', { columns: format.list([...ignoredColumns]) })}
        </Alert>
      )}
      {changesNothing ? (
        <Alert type="info" header={t('imports.nothing')}>
          {t('imports.nothingBody')}
        </Alert>
      ) : null}
    </SpaceBetween>
  );
}
